"""Checked files that a change moves to a place where less is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from mqlint.dataclass import frozen
from mqlint.engine.exceptions import Loosening
from mqlint.finding import Location
from mqlint.source.lines import Position

_MOST_ALIKE = 8
"""A line that more of the removed files have tells nothing about where one of them is now."""

_LEAST_ALIKE = 3
"""From this number of common lines on, half of the shorter file is enough."""


@frozen
class Arrival:
    """A file that a change adds, where less is checked: its path, content and the reason."""

    path: str
    data: bytes
    why: str


def moves(gone: Mapping[str, bytes], arrivals: Iterator[Arrival]) -> Iterator[Loosening]:
    """Yield the arrivals that have most lines of a file that the change removes."""
    sizes = {path: len(_lines(data)) for path, data in gone.items()}
    holders: dict[bytes, list[str]] = {}
    for path, data in gone.items():
        for line in _lines(data):
            holders.setdefault(line, []).append(path)
    for arrival in arrivals:
        lines = _lines(arrival.data)
        shared: Counter[str] = Counter()
        for line in lines:
            paths = holders.get(line, ())
            shared.update(paths if len(paths) <= _MOST_ALIKE else ())
        source = next((path for path, data in gone.items() if data == arrival.data), None)
        if source is None and shared:
            source, number = shared.most_common(1)[0]
            least, most = sorted((sizes[source], len(lines)))
            if 2 * number < (least if number >= _LEAST_ALIKE else most):
                source = None
        if source is not None:
            start, end = Position(1, 1), Position(2, 1)
            what = f"the change moves {source} to {arrival.path}, {arrival.why}"
            location = Location(arrival.path, start, end)
            yield Loosening("setting-loosened", location, what, source, applies=True)


def _lines(data: bytes) -> set[bytes]:
    return {line for row in data.splitlines() if (line := row.strip())}
