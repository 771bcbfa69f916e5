"""The picture of a rehearsal: a lane a queue manager, the days from left to right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Literal

from mqlint.cli.rehearse.rehearsal import Rehearsal
from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.rehearsal.calendar import CalendarEntry
from mqlint.report.terminal import visible
from mqlint.source.display import enumerated

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
        return enumerated(self.titles)


def lanes_of(found: Rehearsal, entries: Iterable[CalendarEntry]) -> list[Lane]:
    """Return the lanes of a calendar: DR first, then production, then repositories."""
    scenario = found.world.scenario
    happened = grouped((title, entry) for entry in entries for title in entry.who)
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
        following = (
            subjects[""] if subjects[""] == "off" else max(subjects.values(), key=_ORDER.index)
        )
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


_LEFT, _RIGHT, _TOP, _ROW, _BAR = 250, 16, 30, 28, 12
_WIDTH = 1080
_LABEL = 34

STYLE = """
.calendar { overflow-x: auto; padding: 10px 12px; }
.calendar svg { display: block; min-width: 760px; width: 100%; height: auto; }
.calendar text { font-size: 12px; fill: var(--text); }
.calendar .day { font-size: 11px; fill: var(--quiet); text-anchor: middle; }
.calendar .grid { stroke: var(--rule); }
.calendar .off { fill: none; stroke: var(--rule); stroke-dasharray: 2 3; }
.calendar .normal, .key.normal { fill: var(--good); background: var(--good); }
.calendar .change, .key.change { fill: var(--note); background: var(--note); }
.calendar .warning, .key.warning { fill: var(--warning-line); background: var(--warning-line); }
.calendar .outage, .key.outage { fill: var(--error); background: var(--error); }
.calendar .event { fill: var(--panel); stroke: var(--text); stroke-width: 1.5; }
.key { width: 22px; height: 10px; border-radius: 2px; }
.key.off { border: 1px dashed var(--rule); }
"""
LEGEND = (
    ("off", "does not run"),
    ("normal", "as without the test"),
    ("change", "records differ from those without the test"),
    ("warning", "a record has expired"),
    ("outage", "a record is removed, or applications are affected"),
)
"""The conditions of the picture, and what they mean."""


def picture(lanes: Sequence[Lane], first: int, last: int) -> Iterator[str]:
    """Yield an SVG drawing of lanes from the first day to the last."""
    shown = lanes[:MOST_LANES]
    height = _TOP + _ROW * len(shown) + 8
    label = "Lanes of queue managers by day; the calendar below has the same as text"
    yield (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}" '
        'xmlns="http://www.w3.org/2000/svg">\n'
    )
    for day in _days(first, last):
        x = _x(day, first, last)
        yield f'<line class="grid" x1="{x}" y1="{_TOP - 8}" x2="{x}" y2="{height - 4}"/>'
        yield f'<text class="day" x="{x}" y="{_TOP - 14}">day {day}</text>\n'
    for row, lane in enumerate(shown):
        yield from _lane(lane, _TOP + row * _ROW, first, last)
    yield "</svg>\n"


def _lane(lane: Lane, y: int, first: int, last: int) -> Iterator[str]:
    label = visible(lane.label)
    short = label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}\N{HORIZONTAL ELLIPSIS}"
    middle = y + _ROW // 2
    yield (f'<text x="0" y="{middle + 4}">{escape(short)}<title>{escape(label)}</title></text>')
    for span in lane.spans:
        x, end = _x(span.first, first, last), _x(span.end, first, last)
        title = f"{label}, day {span.first} to {span.end - 1}: {dict(LEGEND)[span.condition]}"
        yield (
            f'<rect class="{span.condition}" x="{x}" y="{middle - _BAR // 2}" '
            f'width="{max(end - x, 1):.1f}" height="{_BAR}" rx="2">'
            f"<title>{escape(title)}</title></rect>"
        )
    for day, texts in grouped(lane.marks).items():
        title = f"day {day}: {'; '.join(texts)}"
        yield (
            f'<circle class="event" cx="{_x(day, first, last)}" cy="{middle}" r="4">'
            f"<title>{escape(visible(title))}</title></circle>"
        )
    yield "\n"


def _x(day: int, first: int, last: int) -> float:
    share = (day - first) / max(last + 1 - first, 1)
    return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)


def _days(first: int, last: int) -> list[int]:
    """The days that the axis names: 0, and multiples of 30."""
    step = 30 * max(1, (last - first) // 300)
    return [day for day in range(-step * (-first // step), last + 1, step) if day >= first]
