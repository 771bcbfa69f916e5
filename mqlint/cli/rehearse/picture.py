"""The picture of a rehearsal: a lane a queue manager, the days from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from mqlint.cli.rehearse.lanes import MOST_LANES, Lane
from mqlint.report.terminal import visible

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
    by_day: dict[int, list[str]] = {}
    for day, text in lane.marks:
        by_day.setdefault(day, []).append(text)
    for day, texts in by_day.items():
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
