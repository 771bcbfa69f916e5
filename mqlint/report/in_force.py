"""What makes a run judge otherwise than it would by default, so that nothing is left out unseen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from mqlint.finding import below
from mqlint.report.shown import counted, visible, wrap

Kind = Literal[
    "exclude",
    "severity",
    "select",
    "ignore",
    "parameter",
    "profile",
    "fail_on",
    "target",
    "comment",
    "waiver",
    "baseline",
    "base",
]

_SHOWN = 5


@dataclass(frozen=True, slots=True)
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


def sentence(one: InForce) -> str:
    """Return what is in force in words, with where it is from."""
    return visible(f"{one.kind.replace('_', '-')}: {_words(one)}")


def block(in_force: Sequence[InForce], width: int) -> Iterator[str]:
    """Yield the lines of a report for people; none where nothing is in force.

    What the base of a change knows has a line of its own in the summary.
    """
    told = [one for one in in_force if one.kind != "base"]
    if told:
        yield "in force:"
    for kind, group in groupby(told, key=lambda one: one.kind):
        rows = list(group)
        words = ", ".join(_words(one) for one in rows[:_SHOWN])
        more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
        lead = f"  {kind.replace('_', '-')}: "
        yield from wrap(visible(words + more), width, lead)


def _words(one: InForce) -> str:
    if one.kind == "exclude" and one.number is not None:
        words = f"{one.name} leaves out {counted(one.number, 'file')}"
    elif one.number is not None:
        words = counted(one.number, "finding")
    else:
        words = " ".join(filter(None, (one.name, one.value)))
    return f"{words} ({_source(one)})"


def _source(one: InForce) -> str:
    if one.kind == "base":
        return f"at {one.name}"
    if one.path is None:
        return "command line"
    place = one.path if one.line is None else f"{one.path}:{one.line}"
    return place if one.commit is None else f"{place} at {one.commit}"
