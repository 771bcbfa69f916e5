"""The lines of the map: along the room between rows, columns and boxes, so that none hides a name.

A line leaves a node downwards or upwards, runs between two rows to a gap between columns
or boxes, and along it to the row of the other end. Lines in one gap are beside each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mqlint.dataclass import frozen
from mqlint.report.html.layout import GAP_X, GAP_Y, HEIGHT, LANE, WIDTH, Box, Key, NodePosition

_RADIUS = 7
_APART: Final = (0, 4, -4, 8, -8, 12, -12)
"""Where lines of one gap are, from its middle."""

_ENDS: Final = (0, 16, -16, 32, -32, 48, -48, 60, -60)
"""Where lines meet a node, from the middle of its side."""

Point = tuple[int, int]


@frozen
class Link:
    """A line: from where to where, its kind, whether it crosses a site boundary, and for what."""

    start: Key
    end: Key
    kind: str
    crosses: bool
    names: tuple[str, ...]


def routes(
    links: Iterable[Link], boxes: Sequence[Box], nodes: Mapping[Key, NodePosition]
) -> Iterator[str]:
    """Yield the path of each line, in the form of SVG's `d`."""
    router = _Router(boxes)
    for link in links:
        yield _rounded(router.points(nodes[link.start], nodes[link.end]))


class _Router:
    """Finds ways, and remembers which parts of a gap are taken."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes = {box.site: box for box in boxes}
        self._order = [box.site for box in boxes]
        self._taken: Counter[tuple[object, ...]] = Counter()

    def points(self, start: NodePosition, end: NodePosition) -> list[Point]:
        if start.site == end.site:
            return self._within(start, end)
        return self._between(start, end)

    def _within(self, start: NodePosition, end: NodePosition) -> list[Point]:
        falls = end.row > start.row
        first = self._gutter(start, below=falls or end.row == start.row)
        begin = self._end(start, below=falls or end.row == start.row)
        finish = self._end(end, below=not falls)
        if abs(end.row - start.row) <= 1:
            return [begin, (begin[0], first), (finish[0], first), finish]
        last = self._gutter(end, below=not falls)
        across = self._column(max(start, end, key=lambda node: node.row))
        return [
            *(begin, (begin[0], first), (across, first)),
            *((across, last), (finish[0], last), finish),
        ]

    def _between(self, start: NodePosition, end: NodePosition) -> list[Point]:
        here, there = self._boxes[start.site], self._boxes[end.site]
        begin, finish = self._end(start, below=True), self._end(end, below=True)
        first, last = self._gutter(start, below=True), self._gutter(end, below=True)
        goes_right = (there.line, there.x) > (here.line, here.x)
        out = self._lane(here, right=goes_right)
        points = [begin, (begin[0], first), (out, first)]
        if abs(self._order.index(here.site) - self._order.index(there.site)) > 1 or (
            here.line != there.line
        ):
            lower = max(here, there, key=lambda box: box.line)
            above = lower.y - LANE // 2 + self._apart("above", lower.line)
            into = self._lane(there, right=not goes_right)
            points += [(out, above), (into, above), (into, last)]
        else:
            points.append((out, last))
        return [*points, (finish[0], last), finish]

    def _end(self, node: NodePosition, *, below: bool) -> Point:
        key = "end", node.x, node.y, below
        offset = _ENDS[self._taken[key] % len(_ENDS)]
        self._taken[key] += 1
        return node.x + WIDTH // 2 + offset, node.y + (HEIGHT if below else 0)

    def _gutter(self, node: NodePosition, *, below: bool) -> int:
        """The height of a line between the row of a node and the next one."""
        middle = node.y + HEIGHT + GAP_Y // 2 if below else node.y - GAP_Y // 2
        return middle + self._apart("row", node.site, middle)

    def _column(self, node: NodePosition) -> int:
        middle = node.x - GAP_X // 2
        return middle + self._apart("column", node.site, middle)

    def _lane(self, box: Box, *, right: bool) -> int:
        middle = box.x + box.width + LANE // 2 if right else box.x - LANE // 2
        return middle + self._apart("lane", box.line, middle)

    def _apart(self, *gap: object) -> int:
        offset = _APART[self._taken[gap] % len(_APART)]
        self._taken[gap] += 1
        return offset


def _rounded(points: Sequence[Point]) -> str:
    """A path along points, its corners rounded."""
    corners = [point for index, point in enumerate(points) if point != points[index - 1]]
    words = [f"M{corners[0][0]} {corners[0][1]}"]
    for before, (x, y), after in zip(corners, corners[1:], corners[2:], strict=False):
        ax, ay = _towards((x, y), before)
        bx, by = _towards((x, y), after)
        words.append(f"L{ax} {ay}Q{x} {y} {bx} {by}")
    words.append(f"L{corners[-1][0]} {corners[-1][1]}")
    return "".join(words)


def _towards(corner: Point, other: Point) -> Point:
    """A point on the way from a corner to another, at most half of the way."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    step = min(_RADIUS, max(abs(dx), abs(dy)) // 2)
    return (
        corner[0] + (step if dx > 0 else -step if dx < 0 else 0),
        corner[1] + (step if dy > 0 else -step if dy < 0 else 0),
    )
