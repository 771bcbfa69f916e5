"""Texts in base64 or hexadecimal, and what they are decoded to."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator, Sequence

from mqlint.patterns import later

_ENCODED = later(
    r"(?<![\w+/.-])[A-Za-z0-9+/]{20,}+(?!\w)(?:\\?\r?\n[ \t]*+[A-Za-z0-9+/]{4,}+(?!\w))*+={0,2}"
)
"""A text in base64 or hexadecimal, which may go on in other lines.

Once it has begun it matches: a search that failed at its end would begin again in each line.
"""
_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_RUNS = bytes(ord("a" if sign in _SIGNS else " ") for sign in range(256))
_LONG = b"a" * 20
_LAYOUT = later(r"[\s\\=]+")
_PACKED = (b"\x1f\x8b", b"x\x01", b"x\x9c", b"x\xda")
"""The first bytes of gzip, and those of zlib."""
_MOST = 20
"""Times the size of a packed text that are unpacked of it."""
_HEXADECIMAL = later(r"(?:[0-9A-Fa-f]{2})+")


def encoded_texts(text: str) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Yield the start and end of each encoded text, and what it may stand for."""
    for found in _encoded(text):
        yield *found.span(), [*_decoded(_LAYOUT.sub("", found[0]))]


def _encoded(text: str) -> Iterator[re.Match[str]]:
    """Yield what _ENCODED finds, many times as fast: it is only tried where a long run begins."""
    runs = text.encode("ascii", "replace").translate(_RUNS)
    at = runs.find(_LONG)
    while at >= 0:
        found = _ENCODED.match(text, at)
        if found is not None:
            yield found
        end = found.end() if found is not None else runs.find(b" ", at)
        at = runs.find(_LONG, end) if end >= 0 else -1


def _decoded(word: str) -> Iterator[str]:
    """Yield what a word stands for; a text in UTF-16 loses its zero bytes."""
    if _HEXADECIMAL.fullmatch(word) is not None:
        yield bytes.fromhex(word).decode("latin-1")
    try:
        data = a2b_base64(word[: len(word) - (len(word) % 4 == 1)] + "==")
    except Error:
        return
    yield _unpacked(data).replace(b"\0", b"").decode("latin-1")


def _unpacked(data: bytes) -> bytes:
    """The beginning of what gzip or zlib packed, or the data itself."""
    if not data.startswith(_PACKED):
        return data
    from zlib import MAX_WBITS, decompressobj, error  # here, as few texts are packed

    try:
        return decompressobj(MAX_WBITS | 32).decompress(data, _MOST * len(data))
    except error:
        return data
