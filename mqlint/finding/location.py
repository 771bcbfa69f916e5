"""Where something stands in a file, in the numbers people and editors use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from mqlint.source.lines import Position


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A stretch of one file.

    `path` is relative to the project root, with forward slashes; `end` is exclusive.
    """

    path: str
    start: Position
    end: Position


def below(folder: str, path: str) -> str:
    """Return a path of a project as it is from above the project's `folder`, which ends in a slash.

    A path that is absolute, or stands for standard input, stays.
    """
    return path if path == "-" or PurePath(path).is_absolute() else folder + path
