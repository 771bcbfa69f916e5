"""Offsets into a text and the lines and columns people count in."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

_with_line_feed = (1).__add__


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters: line and column, both counted from 1, in code points."""

    line: int
    column: int


class LineMap:
    """The starts of the lines of one text; built once, only when something is reported."""

    __slots__ = ("starts",)

    def __init__(self, starts: list[int]) -> None:
        """`starts` holds the offset of each line's first character, in order, 0 first."""
        self.starts = starts

    @classmethod
    def of(cls, text: str) -> LineMap:
        """Return the map of `text`, whose lines end in a line feed."""
        lengths = map(len, text.split("\n"))
        ends = accumulate(map(_with_line_feed, lengths))
        return cls([0, *ends][:-1])

    def position(self, offset: int) -> Position:
        """Return the line and column of `offset`."""
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)
