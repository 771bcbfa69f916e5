"""Plays of Ansible with variables of their own, and files of tasks that run in a loop.

Source: "Using variables" (`vars`, `vars_files`), "Roles" (parameters of a role) and "Loops"
(`include_tasks` with `loop`, `loop_control`) in the documentation of Ansible. Only literal
variables and files count; a play that another file changes is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, normpath

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.variables.ansible_hosts import written_variables
from mqlint.language.variables.signs import LOOPED_INCLUDE, PLAY
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_TASKS = ("pre_tasks", "roles", "tasks", "post_tasks", "handlers")
_ROLES = ("include_role", "import_role", "ansible.builtin.include_role")
_INCLUDES = ("include_tasks", "ansible.builtin.include_tasks")
_LIST = later(r"\{\{ *([A-Za-z_][\w.]{0,100}) *\}\}")
_KEYWORDS = frozenset({"role", "name", "vars", "tags", "when", "become", "become_user", "no_log"})
"""The keys of a role that are not parameters."""
_MOST = 50


class Play(NamedTuple):
    """A play: the pattern of its hosts, its variables and its roles.

    Roles with other parameters count as a play of their own.
    """

    hosts: str
    values: Mapping[str, str | None]
    roles: tuple[str, ...]


class LoopedInclude(NamedTuple):
    """A file of tasks that another one includes for each element of a list, a `variable`."""

    file: str
    looped: str
    variable: str


def includes_of(path: str, text: str) -> Iterator[LoopedInclude]:
    """Yield the files that a file of tasks includes in a loop over one list."""
    if LOOPED_INCLUDE.search(text) is None:
        return
    for document in read_documents(text):
        for task in document.items[:_MOST]:
            looped = task.child("loop") or task.child("with_items")
            listed = _LIST.fullmatch(looped.text) if looped is not None else None
            for key in _INCLUDES if listed is not None else ():
                file = task.word(key) or task.word(key, "file")
                if file and listed is not None:
                    variable = task.word("loop_control", "loop_var") or "item"
                    yield LoopedInclude(normpath(f"{dirname(path)}/{file}"), listed[1], variable)


def plays_of(path: str, text: str, texts: Mapping[str, str]) -> Iterator[Play]:
    """Yield the plays of a file that have variables; `texts` are the files that they may name."""
    if PLAY.search(text) is None:
        return
    for document in read_documents(text):
        for play in document.items[:_MOST]:
            hosts, variables = play.child("hosts"), play.child("vars")
            files = play.entries("vars_files")
            if hosts is None:
                continue
            values: dict[str, str | None] = dict(
                written_variables([variables] if variables else [])
            )
            for file in files:
                named = normpath(f"{dirname(path)}/{file.text}").lstrip("/")
                if named not in texts:
                    break  # what the file sets is not known
                values.update(written_variables(read_documents(texts[named])))
            else:
                roles = grouped(
                    (tuple(sorted(_parameters(written).items())), role)
                    for role, written in _roles(play)
                )
                for parameters, names in (roles or {(): []}).items():
                    if values or parameters:
                        yield Play(hosts.text, {**values, **dict(parameters)}, tuple(names))


def _parameters(written: Iterable[Node]) -> dict[str, str]:
    """The variables that a role gets; one whose text is not known counts as blank."""
    found = written_variables(written)
    return {name: value or "" for name, value in found if name.partition(".")[0] not in _KEYWORDS}


def _roles(play: Node) -> Iterable[tuple[str, Sequence[Node]]]:
    """The roles that a play runs, by their names, and what has parameters of each."""
    for role in play.entries("roles"):
        name = role.text if role.kind == "scalar" else role.word("role") or role.word("name")
        yield name, [role, *filter(None, [role.child("vars")])]
    for part in _TASKS:
        for task in play.entries(part):
            for key in _ROLES:
                if task.word(key, "name"):
                    yield task.word(key, "name"), [*filter(None, [task.child("vars")])]
