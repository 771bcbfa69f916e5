"""A mutant: a clean configuration with one change, and the places where a finding is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NEAR = 2
"""How many lines a finding may be away from what was changed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`files` are the changed files by path. `places` are (path, first line, last line).

    `says` shows the change, for people. `operator` is the id of the operator that made it.
    """

    operator: str
    project: str
    files: Mapping[str, str]
    places: tuple[tuple[str, int, int], ...]
    says: str

    def is_near(self, path: str, line: int) -> bool:
        """Return whether a finding at this place is about the change."""
        return any(
            path == place and first - NEAR <= line <= last + NEAR
            for place, first, last in self.places
        )


def line_of(text: str, offset: int) -> int:
    """Return the number of the line that an offset is in, from 1."""
    return text.count("\n", 0, offset) + 1
