"""The lanes of the picture: what each queue manager is like, from day to day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

from mqlint.cli.rehearse.rehearsal import Rehearsal
from mqlint.dataclass import frozen
from mqlint.rehearsal.calendar import CalendarEntry, listed

Condition = Literal["off", "normal", "change", "warning", "outage"]

_RUNNING = ("started", "started-new", "started-copy", "started-alone")
_CONDITIONS: dict[str, Condition] = {
    **dict.fromkeys((*_RUNNING, "accepted", "taken-back", "usual", "refreshed"), "normal"),
    **dict.fromkeys(("ended", "deleted"), "off"),
    "removed": "outage",
}
"""What the subject of an entry is like after it, if the state of the entry does not say it."""

MOST_LANES = 60


@frozen
class Span:
    """Days with one condition, from the first up to the last without it."""

    first: int
    end: int
    condition: Condition


@frozen
class Lane:
    """The titles of queue managers to which the same happens, and what happens."""

    titles: tuple[str, ...]
    spans: tuple[Span, ...]
    marks: tuple[tuple[int, str], ...]

    @property
    def label(self) -> str:
        return listed(self.titles)


def lanes_of(found: Rehearsal, entries: Iterable[CalendarEntry]) -> list[Lane]:
    """Return the lanes of a calendar: DR first, then production, then repositories."""
    scenario = found.world.scenario
    happened: dict[str, list[CalendarEntry]] = {}
    for entry in entries:
        for title in entry.who:
            happened.setdefault(title, []).append(entry)
    dr = found.result.dr
    full = {found.world.instances[who].title for ids in found.world.full.values() for who in ids}
    groups: dict[tuple[object, ...], list[str]] = {}
    lanes: dict[tuple[object, ...], Lane] = {}
    for title, rows in happened.items():
        place = _place(title, dr, full)
        days = (scenario.first_day, scenario.days)
        spans = _spans(rows, days, found.result.dr, starts_off=title in dr)
        marks = tuple(sorted({(row.day, row.text) for row in rows}))
        key = (place, spans, tuple((row.day, row.kind) for row in rows))
        groups.setdefault(key, []).append(title)
        lanes[key] = Lane((), spans, marks)
    ordered = sorted(groups, key=lambda key: str(key[0]))
    return [Lane(tuple(groups[key]), lanes[key].spans, lanes[key].marks) for key in ordered]


def _place(title: str, dr: frozenset[str], full: set[str]) -> int:
    if title in dr:
        return 0
    if title in full:
        return 2
    if title.startswith("applications at "):
        return 4
    return 3 if title.startswith("partial repositories at ") else 1


def _spans(
    rows: Sequence[CalendarEntry], days: tuple[int, int], dr: frozenset[str], *, starts_off: bool
) -> tuple[Span, ...]:
    """The conditions of a lane: the worst of those of its subjects, unless it does not run."""
    begin, last = days
    subjects: dict[str, Condition] = {"": "off" if starts_off else "normal"}
    condition = subjects[""]
    spans = []
    for day, entries in groupby(rows, lambda row: row.day):
        for entry in entries:
            _apply(entry, subjects, dr)
        following = subjects[""] if subjects[""] == "off" else _worst(subjects.values())
        if following != condition:
            if day > begin:
                spans.append(Span(begin, day, condition))
            begin, condition = day, following
    spans.append(Span(begin, last + 1, condition))
    return tuple(spans)


def _apply(entry: CalendarEntry, subjects: dict[str, Condition], dr: frozenset[str]) -> None:
    """Note what an entry does to its subjects: names, or the owners of records."""
    condition = _CONDITIONS.get(entry.kind)
    if condition is None:
        if entry.state == "info" or entry.state == "good":
            return
        condition = entry.state
    about = entry.about if entry.kind not in _OWN else ()
    for subject in entry.names or about or ("",):
        if subject not in dr:
            subjects[subject] = condition
        elif entry.kind == "removed":
            subjects[subject] = "normal"  # as it should be
        elif entry.kind != "expired-new":
            subjects[subject] = condition


_OWN = ("started-copy",)
"""Kinds that are about a queue manager which is not the subject of what happens."""

_ORDER: tuple[Condition, ...] = ("normal", "off", "change", "warning", "outage")


def _worst(conditions: Iterable[Condition]) -> Condition:
    return max(conditions, key=_ORDER.index)
