"""The inputs that the repository keeps: for each target the fewest that meet all edges known.

A pack is the inputs, each behind its length, compressed. `python -m tests.fuzz --keep` writes the
packs and the ledger from what sittings found.
"""

from __future__ import annotations

import lzma
import struct
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "kept"
LEDGER = FOLDER / "ledger.json"
LARGEST = 40_000
"""Bytes of a pack: inputs that it has no room for, the longest, are left out."""
_LENGTH = struct.Struct("<I")


def load(name: str) -> list[bytes]:
    """Return the inputs of a target, none where it has no pack."""
    path = _pack(name)
    if not path.exists():
        return []
    data, found, at = lzma.decompress(path.read_bytes()), [], 0
    while at < len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        found.append(data[at : at + length])
        at += length
    return found


def store(name: str, inputs: Iterable[bytes]) -> None:
    """Write the pack of a target, the same bytes for the same inputs."""
    rows = sorted(inputs, key=lambda data: (len(data), data))
    packed = _packed(rows)
    while len(packed) > LARGEST:
        rows = rows[: len(rows) * 9 // 10]
        packed = _packed(rows)
    FOLDER.mkdir(exist_ok=True)
    _pack(name).write_bytes(packed)


def _packed(inputs: Iterable[bytes]) -> bytes:
    body = b"".join(_LENGTH.pack(len(data)) + data for data in inputs)
    return lzma.compress(body, preset=9)


def _pack(name: str) -> Path:
    return FOLDER / f"{name}.xz"
