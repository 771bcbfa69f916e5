"""From policy files to a rulebook, by way of the cache.

Each file is one rule, its folder the theme. Compiled policies are plain JSON; those of the
project itself are kept in the user's cache under a digest of what tells their files apart.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, cast

import mqlint
from mqlint.config.cache import JsonValue, cached_lines
from mqlint.config.data import data_of
from mqlint.config.errors import ConfigError
from mqlint.policy.compile.build import Compiled
from mqlint.policy.rulebook import TOLD, Rulebook
from mqlint.source.project_files import OnDisk, ProjectFiles
from mqlint.source.read import Unreadable
from mqlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FORMAT = "3"
"""Changes when the compiled form does, so that no old cache is read."""

_CASES = re.compile(r"^cases:[ ]*\n(?:(?:[ #-][^\n]*)?\n)*+\Z", re.MULTILINE)
"""The cases of a policy, where they come last; more than half of most files."""


@dataclass(frozen=True, slots=True)
class PolicySource:
    """One policy file: `path` as messages show it, `group` its theme."""

    path: str
    group: str
    text: str


def builtin_sources() -> list[PolicySource]:
    """Return the policies that come with the tool, in order of their paths."""
    root = data_of("mqlint.policies")
    return sorted(_walk(root, "policies"), key=lambda source: source.path)


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
    judging, *telling = cached_lines(
        cache_folder, "policies", _digest(), lambda: _in_parts(_compile_builtin(vocabulary))
    )
    compiled = cast("list[Compiled]", json.loads(judging))
    told = {one["id"]: text for one, text in zip(compiled, telling, strict=True)}
    if user:
        compiled += compile_sources(user, vocabulary, compiled)
    return Rulebook(compiled, told)


def _compile_builtin(vocabulary: Vocabulary) -> list[Compiled]:
    """The policies of the tool; their cases, which a test of the tool checks, are passed over."""
    sources = (
        replace(source, text=_CASES.sub("cases: [left out]\n", source.text))
        for source in builtin_sources()
    )
    return compile_sources(sources, vocabulary)


def _in_parts(compiled: Sequence[Compiled]) -> list[JsonValue]:
    """What judges of all policies, then what is only told of each: most are never told."""
    judging = [{key: one[key] for key in one if key not in TOLD} for one in compiled]
    telling = [{key: one[key] for key in TOLD} for one in compiled]
    return cast("list[JsonValue]", [judging, *telling])


def compile_sources(
    sources: Iterable[PolicySource], vocabulary: Vocabulary, known: Sequence[Compiled] = ()
) -> list[Compiled]:
    """Check and compile policies; an id that is taken is an error."""
    from mqlint.policy.language.check import (
        check_policy,  # the YAML reader: not needed with a cache
    )

    taken = {one["id"] for one in known}
    compiled: list[Compiled] = []
    for source in sources:
        one = check_policy(source.text, source.path, source.group, vocabulary)
        if known and one["kind"] == "diagnostic":
            message = "check: diagnostic is reserved to the rules that come with mqlint"
            raise ConfigError(source.path, 1, 1, message)
        if one["id"] in taken:
            raise ConfigError(source.path, 1, 1, f"the id {one['id']} is taken by another policy")
        taken.add(one["id"])
        compiled.append(one)
    return compiled


def _digest() -> str:
    """What tells the policies of the tool from others: of files when they were last touched.

    To read hundreds of files would take a third of the time that a small check takes.
    """
    root = data_of("mqlint.policies")
    if isinstance(root, Path):
        told = [repr(sorted(_touched(root)))]
    else:
        told = [f"{source.path}\0{source.text}" for source in builtin_sources()]
    parts = (mqlint.__version__, FORMAT, str(root), *told)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _touched(folder: Path | str) -> Iterator[tuple[str | int, ...]]:
    """Each policy file with its size, and when its content and its entry were last changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".yaml"):
                state = entry.stat()
                yield entry.path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
            elif entry.is_dir() and not entry.name.startswith((".", "__")):
                yield from _touched(entry.path)
