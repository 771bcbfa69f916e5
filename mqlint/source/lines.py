"""Offsets into a text and the lines and columns people count in."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate, chain

_BLOCK = 1 << 16


def offsets(size: int) -> array[int]:
    """Return an empty array for offsets up to `size`: it takes 4 bytes for each, rarely 8."""
    return array("I" if size < 1 << 32 else "Q")


def lines_of(text: str) -> Iterator[str]:
    """Return the lines of `text` as its `split` at line feeds gives them, but not all at once.

    A line is an object of 50 bytes even where it is one character.
    """
    return chain.from_iterable(_blocks(text))


def _blocks(text: str) -> Iterator[list[str]]:
    start = 0
    while (cut := text.find("\n", start + _BLOCK)) >= 0:
        yield text[start:cut].split("\n")
        start = cut + 1
    yield text[start:].split("\n")


def _lengths(text: str) -> Iterator[Iterator[int]]:
    """How long the lines are with their line feeds, a block after the other.

    A `StringIO` parts lines quicker than anything else, and takes four bytes for a character.
    """
    start = 0
    while start < len(text):
        cut = text.find("\n", start + _BLOCK) + 1 or len(text)
        yield map(len, StringIO(text[start:cut], newline="\n"))
        start = cut


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters: line and column, both counted from 1, in code points."""

    line: int
    column: int


class LineMap:
    """The starts of the lines of one text; built once, only when something is reported."""

    __slots__ = ("starts",)

    def __init__(self, starts: Sequence[int]) -> None:
        """`starts` holds the offset of each line's first character, in order, 0 first."""
        self.starts = starts

    @classmethod
    def of(cls, text: str) -> LineMap:
        """Return the map of `text`, whose lines end in a line feed."""
        starts = offsets(len(text) + 1)
        starts.extend(accumulate(chain.from_iterable(_lengths(text)), initial=0))
        if text and text[-1] != "\n":
            starts.pop()  # where a further line would begin
        return cls(starts)

    def position(self, offset: int) -> Position:
        """Return the line and column of `offset`."""
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)
