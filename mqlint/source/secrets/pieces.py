"""Searches through stretches of a text that are joined, so that none has a cost of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from mqlint.source.secrets.words import Span


def in_pieces(
    text: str, pieces: Sequence[Span], find: Callable[[str], Iterable[Span]], between: str = ""
) -> Iterator[Span]:
    """Yield what `find` finds in the pieces joined by `between`, as offsets into `text`."""
    joined = between.join(text[start:end] for start, end in pieces)
    lengths = (end - start + len(between) for start, end in pieces)
    starts = list(accumulate(lengths, initial=0))
    for start, end in find(joined) if joined else ():
        at = min(bisect_right(starts, start), len(pieces)) - 1
        shift = pieces[at][0] - starts[at]
        yield start + shift, end + shift
