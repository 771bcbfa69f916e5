"""Texts in base64 or hexadecimal that hold a secret: who reads a report can decode them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from mqlint.patterns import later
from mqlint.source.encoded import encoded_texts
from mqlint.source.lines import Span
from mqlint.source.secrets.signs import secret_spans

_CONTROL = later(r"[\x00-\x08\x0e-\x1f\x7f]")
"""What a text does not have, and nearly all other data."""


def in_encoded(text: str) -> Iterator[Span]:
    """Yield each encoded text that has a secret in what it is decoded to."""
    places: list[Span] = []
    pieces: list[str] = []
    for start, end, texts in encoded_texts(text):
        for plain in texts:
            if _CONTROL.search(plain) is None:
                places.append((start, end))
                pieces.append(plain)
    if pieces:  # joined, so that none has a cost of its own
        starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
        found = {bisect_right(starts, start) - 1 for start, _ in secret_spans("\n".join(pieces))}
        yield from (places[number] for number in sorted(found))
