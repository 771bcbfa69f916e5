"""Files as they arrive when something went wrong on the way: one way of many, by chance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

Way = Callable[[bytes, Random], bytes]


def broken(data: bytes, random: Random) -> bytes:
    """The bytes of a file after one accident; the same `random` gives the same accident."""
    return random.choice(WAYS)(data, random)


def truncated(data: bytes, random: Random) -> bytes:
    """The disk was full, or the session broke off."""
    return data[: random.randrange(len(data) // 10, len(data) * 9 // 10)]


def rubbish(data: bytes, random: Random) -> bytes:
    """Something binary under a text's name."""
    return random.randbytes(random.randrange(200, 4_000))


def unbalanced(data: bytes, random: Random) -> bytes:
    """A quote was lost by hand; where there is none, a bracket."""
    for mark in (b"')", b")", b"="):
        at = data.find(mark, random.randrange(len(data) // 2))
        if at >= 0:
            return data[:at] + data[at + 1 :]
    return data[1:]


def wrongly_encoded(data: bytes, random: Random) -> bytes:
    """UTF-16 of which a byte is missing: all after it is shifted."""
    wide = data.decode().encode("utf-16")
    at = random.randrange(len(wide) // 2, len(wide))
    return wide[:at] + wide[at + 1 :]


def mislabelled(data: bytes, random: Random) -> bytes:
    """Latin-1 behind the mark of UTF-8."""
    at = data.find(b"\n", random.randrange(len(data) // 2)) + 1
    return b"\xef\xbb\xbf" + data[:at] + b"* Gr\xf6\xdfe gepr\xfcft\n" + data[at:]


def emptied(data: bytes, random: Random) -> bytes:
    """Nothing is left, or blanks."""
    return b" \n" * random.randrange(0, 200)


WAYS: Final[tuple[Way, ...]] = (
    truncated,
    rubbish,
    unbalanced,
    wrongly_encoded,
    mislabelled,
    emptied,
)
"""All accidents, of equal chance."""
