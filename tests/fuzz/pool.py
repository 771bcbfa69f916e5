"""The inputs that a sitting changes: for each edge the shortest that meets it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

_NEWEST = 0.25
"""The share of changes that start from one of the newest inputs."""
_FEW = 50


@dataclass(eq=False)
class Kept:
    """An input and the edges that it meets; `best` counts those that no shorter one meets."""

    data: bytes
    edges: frozenset[int]
    best: int = 0


class Pool:
    """Inputs, and which to try next."""

    def __init__(self, random: Random) -> None:
        """`random` decides what is chosen."""
        self._random = random
        self._all: list[Kept] = []
        self._shortest: dict[int, Kept] = {}
        self._favoured: list[Kept] = []

    def __len__(self) -> int:
        return len(self._all)

    def add(self, data: bytes, edges: frozenset[int]) -> None:
        """Add an input and the edges that it meets."""
        kept = Kept(data, edges)
        self._all.append(kept)
        for edge in edges:
            known = self._shortest.get(edge)
            if known is None or len(data) < len(known.data):
                if known is not None:
                    known.best -= 1
                kept.best += 1
                self._shortest[edge] = kept
        self._favoured = [kept for kept in self._all if kept.best]

    def choose(self) -> bytes:
        """Return an input to change."""
        if self._random.random() < _NEWEST:
            return self._random.choice(self._all[-_FEW:]).data
        return self._random.choice(self._favoured).data


def fewest(inputs: Iterable[tuple[bytes, frozenset[int]]]) -> list[bytes]:
    """Return few and short inputs that meet all edges that `inputs` do.

    The shortest that meets what nothing before it does is taken, then what longer ones make
    superfluous is left out.
    """
    ordered = sorted(inputs, key=lambda row: (len(row[0]), row[0]))
    taken: list[tuple[bytes, frozenset[int]]] = []
    met: set[int] = set()
    for data, edges in ordered:
        if not edges <= met:
            taken.append((data, edges))
            met |= edges
    counts: dict[int, int] = {}
    for _, edges in taken:
        for edge in edges:
            counts[edge] = counts.get(edge, 0) + 1
    kept = []
    for data, edges in taken:
        if all(counts[edge] > 1 for edge in edges):
            for edge in edges:
                counts[edge] -= 1
        else:
            kept.append(data)
    return kept
