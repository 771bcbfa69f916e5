"""Offsets into a text and the lines and columns people count in."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


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
        starts = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return cls(starts)

    def position(self, offset: int) -> Position:
        """Return the line and column of `offset`."""
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)
