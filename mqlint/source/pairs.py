"""Pairs of offsets, millions of them, without an object for each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from mqlint.source.lines import offsets

Pair = tuple[int, int]


class Pairs(Sequence[Pair]):
    """A sequence of pairs of offsets into one text; a pair is made when it is asked for.

    It takes 8 bytes a pair. It equals any sequence of the same pairs. `firsts` and `seconds` hold
    the two sides.
    """

    __slots__ = ("firsts", "seconds")

    def __init__(self, size: int, pairs: Iterable[Pair] = ()) -> None:
        """Start with `pairs`; `size` is the greatest offset there may be."""
        self.firsts = offsets(size)
        self.seconds = offsets(size)
        for first, second in pairs:
            self.append(first, second)

    @classmethod
    def of(cls, firsts: array[int], seconds: array[int]) -> Pairs:
        """Return the pairs whose two sides are given, which are of equal length."""
        pairs = cls(0)
        pairs.firsts, pairs.seconds = firsts, seconds
        return pairs

    def append(self, first: int, second: int) -> None:
        self.firsts.append(first)
        self.seconds.append(second)

    def __len__(self) -> int:
        return len(self.firsts)

    @overload
    def __getitem__(self, index: int) -> Pair: ...

    @overload
    def __getitem__(self, index: slice) -> Pairs: ...

    def __getitem__(self, index: int | slice) -> Pair | Pairs:
        if isinstance(index, slice):
            return Pairs.of(self.firsts[index], self.seconds[index])
        return self.firsts[index], self.seconds[index]

    def __iter__(self) -> Iterator[Pair]:
        return zip(self.firsts, self.seconds, strict=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Pairs):
            return self.firsts == other.firsts and self.seconds == other.seconds
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Pairs({[*self]!r})"
