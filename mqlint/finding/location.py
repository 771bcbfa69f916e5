"""The location of a finding in a file, in the numbers that people and editors use."""

from __future__ import annotations

from dataclasses import field
from pathlib import PurePath

from mqlint.compact import recent
from mqlint.dataclass import frozen
from mqlint.source.lines import LineMap, Position


@frozen(order=True)
class Location:
    """A stretch of one file.

    `path` is relative to the project root, with forward slashes; `end` is exclusive. `around` is a
    digest of what is before and after it (`LineMap.around`), blank if that is not known; it
    distinguishes equal findings, and is not part of the place. `spelling` is the form in which
    attributes are written there (`LineMap.spelling`), blank for that of MQSC.
    """

    path: str
    start: Position
    end: Position
    around: str = field(default="", compare=False, repr=False)
    spelling: str = field(default="", compare=False, repr=False)

    @property
    def line_text(self) -> str:
        """The path and the line, as editors take them."""
        return f"{self.path}:{self.start.line}"

    @classmethod
    def of(cls, path: str, lines: LineMap, start: int, end: int) -> Location:
        """Return the place of a stretch, given by its offsets, of a file with these `lines`."""
        first, last = lines.position(start), lines.position(end)
        spelling = lines.spelling(start) if lines.spellings else ""
        return cls(path, first, last, recent(lines.around(first, last)), spelling)


def below(folder: str, path: str) -> str:
    """Return a path of a project as it is from above the project's `folder`, which ends in a slash.

    A path that is absolute, or stands for standard input, stays.
    """
    return path if path == "-" or PurePath(path).is_absolute() else folder + path
