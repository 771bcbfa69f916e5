"""Where boxes of sites and their nodes are on the map, in units of an SVG user space.

In a box full repositories make the first row, as members connect to them; other queue managers
fill rows below, then applications. Between rows and columns is room for lines
(`mqlint.report.html.routes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt

from mqlint.dataclass import frozen
from mqlint.grouping import grouped

WIDTH, HEIGHT = 150, 40
"""The size of a node."""

GAP_X, GAP_Y = 28, 38
"""The room between columns and between rows."""

MARGIN, LANE = 24, 64
"""The room inside a box around its rows, and between boxes."""

_HEAD = 40
_WIDEST = 1_700
Key = tuple[str, ...]
"""What identifies a node, such as the place of a queue manager."""


@frozen
class NodePosition:
    """Where a node is: its upper left corner, and its row in its box."""

    x: int
    y: int
    row: int
    site: str


@frozen
class Box:
    """The box of a site; `number` nodes are in it, and `line` is its row of boxes."""

    site: str
    x: int
    y: int
    width: int
    height: int
    number: int
    line: int


Members = Sequence[tuple[Key, int]]
"""Nodes of a site, each with a rank: those of equal rank share rows, lower ranks come first."""


def layout(sites: Mapping[str, Members]) -> tuple[list[Box], dict[Key, NodePosition]]:
    boxes: list[Box] = []
    nodes: dict[Key, NodePosition] = {}
    x, y, tallest, line = LANE, LANE, 0, 0
    for site, members in sites.items():
        rows = list(_rows(members))
        columns = max(len(row) for row in rows)
        width = 2 * MARGIN + columns * WIDTH + (columns - 1) * GAP_X
        height = _HEAD + 2 * MARGIN + len(rows) * HEIGHT + (len(rows) - 1) * GAP_Y
        if boxes and x + width > _WIDEST:
            x, y, tallest, line = LANE, y + tallest + LANE, 0, line + 1
        boxes.append(Box(site, x, y, width, height, len(members), line))
        for number, row in enumerate(rows):
            first = x + (width - len(row) * WIDTH - (len(row) - 1) * GAP_X) // 2
            if number:
                first = x + MARGIN
            top = y + _HEAD + MARGIN + number * (HEIGHT + GAP_Y)
            for column, place in enumerate(row):
                nodes[place] = NodePosition(first + column * (WIDTH + GAP_X), top, number, site)
        x, tallest = x + width + LANE, max(tallest, height)
    return boxes, nodes


def _rows(members: Members) -> Iterator[list[Key]]:
    """Divide nodes into rows that make a box somewhat wider than high."""
    ranks = grouped((rank, key) for key, rank in members)
    columns = max(2, ceil(sqrt(max(map(len, ranks.values())) * 0.8)))
    for rank in sorted(ranks):
        some = sorted(ranks[rank])
        for at in range(0, len(some), columns):
            yield some[at : at + columns]
