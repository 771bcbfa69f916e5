"""Plays of Ansible with variables of their own.

Source: "Using variables" (`vars`, `vars_files`) in the documentation of Ansible. Only literal
variables and files count; a play that another file changes is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname, normpath

from mqlint.dataclass import NamedTuple
from mqlint.language.client.ansible_hosts import written_variables
from mqlint.language.client.variable_signs import PLAY
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node

_TASKS = ("pre_tasks", "roles", "tasks", "post_tasks", "handlers")
_ROLES = ("include_role", "import_role", "ansible.builtin.include_role")
_MOST = 50


class Play(NamedTuple):
    """A play: the pattern of its hosts, its variables and its roles."""

    hosts: str
    values: Mapping[str, str | None]
    roles: tuple[str, ...]


def plays_of(path: str, text: str, texts: Mapping[str, str]) -> Iterator[Play]:
    """Yield the plays of a file that have variables; `texts` are the files that they may name."""
    if PLAY.search(text) is None:
        return
    for document in read_documents(text):
        for play in document.items[:_MOST]:
            hosts, variables = play.child("hosts"), play.child("vars")
            files = play.entries("vars_files")
            if hosts is None or (variables is None and not files):
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
                yield Play(hosts.text, values, tuple(_roles(play)))


def _roles(play: Node) -> Iterable[str]:
    """The roles that a play runs, by their names."""
    for role in play.entries("roles"):
        yield role.text if role.kind == "scalar" else role.word("role") or role.word("name")
    for part in _TASKS:
        for task in play.entries(part):
            for key in _ROLES:
                if task.word(key, "name"):
                    yield task.word(key, "name")
