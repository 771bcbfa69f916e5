"""From policy files to a rulebook, by way of the cache.

Each file is one rule, its folder the theme. Compiled policies are plain JSON; those of the
project itself are kept in the user's cache under a digest of their files' state.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import mqlint
from mqlint.config.cache import JsonValue, cached_lines
from mqlint.config.data import data_of, shipped_value
from mqlint.config.errors import ConfigError
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.policy.compile.build import Compiled
from mqlint.policy.compile.clauses import storable_needs
from mqlint.policy.compile.head import heads_in, storable_heads
from mqlint.policy.language.parameters import settled
from mqlint.policy.rulebook import DESCRIPTIVE, Rulebook, Stored
from mqlint.source.digest import hex_digest
from mqlint.source.project_files import OnDisk, ProjectFiles
from mqlint.source.read import Unreadable
from mqlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

POLICIES = "policies"
DESCRIPTIONS = "policies_described"
"""The names under which compiled policies are kept, and in a wheel their descriptions."""

_CASES = later(r"(?m)^cases:[ ]*\n(?:(?:[ #-][^\n]*)?\n)*+\Z")
"""The cases of a policy, where they come last; more than half of most files."""


@frozen
class PolicySource:
    """One policy file: `path` as messages show it, `group` its theme."""

    path: str
    group: str
    text: str


@cache
def builtin_sources() -> tuple[PolicySource, ...]:
    """Return the policies that come with the tool, in order of their paths."""
    root = data_of("mqlint.policies")
    return tuple(sorted(_walk(root, "policies"), key=lambda source: source.path))


def _walk(folder: Traversable, path: str) -> Iterator[PolicySource]:
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir() and not entry.name.startswith((".", "__")):
            yield from _walk(entry, name)
        elif entry.name.endswith(".yaml") and path != "policies":
            yield PolicySource(name, path.rsplit("/", 1)[-1], entry.read_text("utf-8"))


def user_sources(
    paths: Iterable[Path], files: ProjectFiles | None = None, *, named: bool = False
) -> list[PolicySource]:
    """Return the policies of a user's files and folders; ConfigError for one not readable.

    They are read from `files`, where `named` says that the command line names them; without, from
    anywhere on disk.
    """
    if files is None:
        files, named = OnDisk(Path(os.sep)), True
    found = []
    for path in paths:
        for file in files.inside(path, named=named):
            data = files.read(file, named=named)
            if isinstance(data, Unreadable):
                raise ConfigError(str(file), 1, 1, f"cannot be read: {data.reason}")
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                raise ConfigError(str(file), 1, 1, "cannot be read: it is not UTF-8") from None
            found.append(PolicySource(str(file), file.resolve().parent.name, text))
    return found


def load_rulebook(
    vocabulary: Vocabulary, cache_folder: Path | None = None, user: Sequence[PolicySource] = ()
) -> Rulebook:
    """Return the rules of the tool and those of the `user`.

    Raises ConfigError when a policy is not right, or two have one id.
    """
    shipped = cast("list[list[str]] | None", shipped_value(POLICIES))
    if shipped is None:
        lines = cached_lines(
            cache_folder, POLICIES, policies_digest(), lambda: compiled_policies(vocabulary)
        )
        heads = heads_in(json.loads(lines[0]))
        texts = lines[1:]
    else:
        heads, texts = heads_in(shipped[0]), shipped[1]
    number = len(heads)

    def descriptions() -> Mapping[str, str]:
        found = texts[2 * number :] or cast("list[str]", shipped_value(DESCRIPTIONS))
        if not found:  # the module was damaged
            found = [*map(json.dumps, compiled_policies(vocabulary)[1 + 2 * number :])]
        return dict(zip(heads, found, strict=True))

    stored = Stored(
        heads,
        dict(zip(heads, texts[:number], strict=True)),
        dict(zip(heads, texts[number : 2 * number], strict=True)),
        descriptions,
    )
    return Rulebook(compile_sources(user, vocabulary, stored.judging) if user else (), stored)


def compiled_policies(vocabulary: Vocabulary) -> list[JsonValue]:
    """Return the heads of all policies of the tool; then what judges, what it needs, and the rest.

    The rest are descriptions. Cases, which a test of the tool checks, are passed over.
    """
    sources = (
        replace(source, text=_CASES.sub("cases: [left out]\n", source.text))
        for source in builtin_sources()
    )
    return _in_parts(compile_sources(sources, vocabulary))


def _in_parts(compiled: Sequence[Compiled]) -> list[JsonValue]:
    """The heads of all policies; then what is read of each if a fact meets it, and later.

    A diagnostic has no preconditions, which `needs_in` reads of the others.
    """
    judging = [
        {key: policy[key] for key in policy if key not in DESCRIPTIVE} for policy in compiled
    ]
    needs = [
        None if policy["kind"] == "diagnostic" else storable_needs(settled(policy))
        for policy in compiled
    ]
    describing = [{key: policy[key] for key in DESCRIPTIVE} for policy in compiled]
    return cast("list[JsonValue]", [storable_heads(compiled), *judging, *needs, *describing])


def compile_sources(
    sources: Iterable[PolicySource], vocabulary: Vocabulary, known: Collection[str] = ()
) -> list[Compiled]:
    """Check and compile policies; an id that is taken, or `known`, is an error."""
    from mqlint.policy.language.check import (
        check_policy,  # the YAML reader: not needed with a cache
    )

    taken: set[object] = {*known}
    compiled: list[Compiled] = []
    for source in sources:
        policy = check_policy(source.text, source.path, source.group, vocabulary)
        if known and policy["kind"] == "diagnostic":
            message = "check: diagnostic is reserved to the rules that come with mqlint"
            raise ConfigError(source.path, 1, 1, message)
        if policy["id"] in taken:
            raise ConfigError(
                source.path, 1, 1, f"the id {policy['id']} is taken by another policy"
            )
        taken.add(policy["id"])
        compiled.append(policy)
    return compiled


def policies_digest() -> str:
    """Return the digest of the tool's policies, and of the code that compiles them.

    It is of when the files were last changed: to read hundreds of them would take a third of the
    time that a small check takes.
    """
    root = data_of("mqlint.policies")
    if isinstance(root, Path):
        code = Path(__file__).parent
        content = [repr(sorted(_touched(root))), repr(sorted(_touched(code, ".py")))]
    else:
        content = [f"{source.path}\0{source.text}" for source in builtin_sources()]
    parts = (mqlint.__version__, str(root), *content)
    return hex_digest("\0".join(parts).encode("utf-8", "surrogatepass"))


def _touched(folder: Path | str, ending: str = ".yaml") -> Iterator[tuple[str | int, ...]]:
    """Each file with its size, and when its content and its entry were last changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ending):
                state = entry.stat()
                yield entry.path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
            elif entry.is_dir() and not entry.name.startswith((".", "__")):
                yield from _touched(entry.path, ending)
