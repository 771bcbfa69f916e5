"""The variables that a script gets from the files which it sources.

    . "$(dirname "$0")/../etc/mq.env"
    endmqm -w "$QMGR"

A value counts if a file that only sets variables sets it once, and if neither the script nor
another file sets it. A script that takes commands from files which are not known gets none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.computed import Computed
from mqlint.dataclass import NamedTuple
from mqlint.grouping import settled
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.signs import is_shell, only_sets
from mqlint.language.script.posix.bindings import Sourced, bound_in, set_once_in
from mqlint.language.script.sourced import Names, sources_of
from mqlint.language.variables.sources import PLAIN
from mqlint.patterns import later

_TAKES_COMMANDS = later(
    r"(?m)(?:^|[;&|({]|\b(?:then|do|else)\b)[ \t]*(?:\.|source|eval)[ \t]+"
    r"(?!(?:[^\s;&|]{1,200}/)?setmqenv\b)[^\s;&|]"
)
"""A command after which variables may have any value; setmqenv sets none that a script names."""
_MOST = 20
"""Limit of the files that one script sources, directly or not."""
_MOST_SETTINGS = 500
"""Limit of the variables of one file, as each script that sources it gets them."""


class _File(NamedTuple):
    """A script or a file that it sources.

    `values` are those of all variables that it sets, None for one that is not sure. `is_open`: it
    takes commands from elsewhere, or sets too many variables.
    """

    sources: Sequence[str] = ()
    values: Mapping[str, str | None] = {}
    is_open: bool = False


def settings_of_scripts(texts: Mapping[str, str]) -> Iterator[tuple[str, Sourced]]:
    """Yield the variables that sourced files set, for each script that sources known files only."""
    named = Names([*texts])
    read = Computed[str, _File](lambda path: _read(path, texts[path], named))
    for path in sorted(filter(is_shell, texts)):
        others = _sourced_by(path, read) if read[path].sources else ()
        if not others:
            continue
        values = settled(pair for file in others for pair in file.values.items())
        own = read[path].values
        yield (
            path,
            {
                name: value
                if value is not None and name not in own and PLAIN.fullmatch(value)
                else None
                for name, value in values.items()
            },
        )


def _sourced_by(path: str, read: Computed[str, _File]) -> Sequence[_File]:
    """The files that a script sources, directly or not; none if too many, or if one is open."""
    found = {path: read[path]}
    waiting = [path]
    while waiting:
        for name in read[waiting.pop()].sources:
            if name not in found:
                found[name] = read[name]
                waiting.append(name)
        if len(found) > _MOST:
            return ()
    files = [*found.values()]
    return () if any(file.is_open for file in files) else files[1:]


def _read(path: str, text: str, named: Names) -> _File:
    sources = [*sources_of(path, text, named)]
    lines = {start for start, _, _ in sources}
    for command in _TAKES_COMMANDS.finditer(text):
        if text.rfind("\n", 0, command.end()) + 1 not in lines:
            return _File(is_open=True)
    values: dict[str, str | None] = dict.fromkeys(bound_in(text))
    if len(values) > _MOST_SETTINGS:
        return _File(is_open=True)
    if only_sets(_without(text, sources)):
        once = set_once_in(text)
        for name, node in variables_of(text):
            if name in once and isinstance(node.value, str):
                values[name] = node.value
    return _File([file for _, _, file in sources], values)


def _without(text: str, sources: Sequence[tuple[int, int, str]]) -> str:
    """Return a text without the commands that source files."""
    ends = [0, *(end for _, end, _ in sources)]
    starts = [*(start for start, _, _ in sources), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
