"""Where something stands in a file, in the numbers people and editors use."""

from __future__ import annotations

from dataclasses import dataclass

from mqlint.source.lines import Position


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A stretch of one file.

    `path` is relative to the project root, with forward slashes; `end` is exclusive.
    """

    path: str
    start: Position
    end: Position
