"""What makes a run judge otherwise than it would by default, so that nothing is left out unseen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal, get_args

from mqlint.dataclass import frozen
from mqlint.finding import below
from mqlint.grouping import grouped
from mqlint.report.terminal import counted, visible, wrap
from mqlint.source.display import listed

Kind = Literal[
    "extends",
    "exclude",
    "select",
    "ignore",
    "severity",
    "parameter",
    "profile",
    "fail_on",
    "target",
    "override",
    "types",
    "external",
    "comment",
    "waiver",
    "baseline",
    "base",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order of reports."""

_MOST_SHOWN = 5

_BETWEEN: Mapping[Kind, str] = {"types": " as ", "override": ": "}
"""What joins name and value of a row; a blank for the other kinds."""


@frozen
class InForce:
    """One setting, or one source of suppressed findings, that is in force in a run.

    `name` is the pattern, rule, parameter or commit, `value` what it is set to. `number` counts
    the files left out, or the findings that do not count. `path` and `line` are those of the file,
    None for the command line; `commit` is the commit whose file it is, None for that of now.
    """

    kind: Kind
    name: str = ""
    value: str = ""
    number: int | None = None
    path: str | None = None
    line: int | None = None
    commit: str | None = None

    def below(self, folder: str) -> InForce:
        """Return the same with its path as it is from above the project's folder."""
        return self if self.path is None else replace(self, path=below(folder, self.path))


def sentence(in_force: InForce) -> str:
    kind = in_force.kind.replace("_", "-")
    return visible(f"{kind}: {_value(in_force)} ({_source(in_force)})")


def block(in_force: Sequence[InForce], width: int) -> Iterator[str]:
    """Yield the lines of a report for people; none where nothing is in force.

    What the base of a change knows has a line of its own in the summary.
    """
    shown = [row for row in in_force if row.kind != "base"]
    if shown:
        yield "in force:"
    for kind, group in groupby(shown, key=lambda row: row.kind):
        words = listed([*_alike(group)], _MOST_SHOWN)
        yield from wrap(words, width, f"  {kind.replace('_', '-')}: ")


def _alike(rows: Iterable[InForce]) -> Iterator[str]:
    """The words of rows, equal settings of many repositories once."""
    for which, sources in grouped((_identity(row), _source(row)) for row in rows).items():
        yield f"{which[0]} ({listed([*dict.fromkeys(sources)], _MOST_SHOWN)})"


def _identity(row: InForce) -> tuple[str, str]:
    """Equal for rows of one text, but for counts: those of two sources are two numbers."""
    return _value(row), "" if row.number is None else _source(row)


def _value(in_force: InForce) -> str:
    if in_force.kind == "exclude" and in_force.number is not None:
        return f"{in_force.name} excludes {counted(in_force.number, 'file')}"
    if in_force.number is not None:
        return counted(in_force.number, "finding")
    if in_force.kind == "external":
        return in_force.value
    between = _BETWEEN.get(in_force.kind, " ")
    return between.join(filter(None, (in_force.name, in_force.value)))


def _source(in_force: InForce) -> str:
    if in_force.kind == "base":
        return f"at {in_force.name}"
    if in_force.path is None:
        return "command line"
    place = in_force.path if in_force.line is None else f"{in_force.path}:{in_force.line}"
    return place if in_force.commit is None else f"{place} at {in_force.commit}"
