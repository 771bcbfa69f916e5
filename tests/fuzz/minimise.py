"""The shortest input that still fails."""

from __future__ import annotations

from collections.abc import Callable


def minimised(data: bytes, fails: Callable[[bytes], bool], tries: int = 3000) -> bytes:
    """Return a part of `data` that `fails` says yes to, with nothing left to leave out.

    Pieces of half the length are left out first, then of a quarter, and so on down to one byte.
    At most `tries` questions are asked.
    """
    size = max(len(data) // 2, 1)
    while tries > 0:
        shorter, tries = _without_pieces(data, size, fails, tries)
        if shorter == data and size == 1:
            break
        data, size = shorter, max(size // 2, 1)
    return data


def _without_pieces(
    data: bytes, size: int, fails: Callable[[bytes], bool], tries: int
) -> tuple[bytes, int]:
    at = 0
    while at < len(data) and tries > 0:
        shorter = data[:at] + data[at + size :]
        tries -= 1
        if fails(shorter):
            data = shorter
        else:
            at += size
    return data, tries
