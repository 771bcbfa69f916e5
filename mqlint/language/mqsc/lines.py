"""Continuation: how the physical lines of a command become one text.

`+` as the last non-blank character joins with the next line from its first non-blank, `-` from its
first column; comment lines (an asterisk in column 1) and blank lines between continued lines are
dropped. Both signs work inside quoted strings and between the letters of a word.

IBM's pages ("Building command scripts", 6.0 to 9.4; "MQSC input file syntax", 9.3) leave some cases
open. They are read as follows:

- A line is joined or dropped before anything in it has a meaning, so a comment line or a blank
  line inside a quoted string of several lines is dropped too.
- Blanks before a sign belong to the command; blanks, tabs and a carriage return after it do not
  ("a line must not end in a keyboard control character" is left to a rule). With `-` the blanks
  at the start of the next line belong to it as well.
- A line with nothing but a sign adds nothing, and continues.
- At the end of the text, or before comments and blank lines only, a sign continues nothing: the
  command ends, and the sign is reported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from mqlint.language.mqsc.branches import MARK
from mqlint.source.lines import lines_of
from mqlint.source.pairs import Pairs

BLANKS = " \t\r\f\v"
"""Blanks within a line. Other white space of Unicode is an ordinary character."""

DROPPED = ("", MARK)
"""The beginning, after blanks, of a line that is dropped inside a command."""

Segments = Sequence[tuple[int, int]]
"""Pairs (offset in the joined text, offset in the text it was joined from), in order."""


_FEW = 2
"""Limit of the segments that are smaller as pairs than as arrays."""
_AT_ONCE = 4096
_OF_ONE_LINE = Pairs(0, [(0, 0)])


def join(chunk: str) -> tuple[str, Pairs]:
    """Return the command of `chunk` on one line, and the origin of each stretch."""
    line = chunk.removesuffix("\n")
    if "\n" not in line and line.rstrip(BLANKS)[-1:] not in ("+", "-"):
        return line, _OF_ONE_LINE
    whole: list[str] = []
    pieces: list[str] = []
    segments = Pairs(len(chunk))
    joined = at = 0
    sign = ""
    for line in lines_of(chunk):
        start = at
        at += len(line) + 1
        if segments and (line.startswith("*") or line.strip(BLANKS)[:1] in DROPPED):
            continue
        body = line.rstrip(BLANKS)
        skip = len(line) - len(line.lstrip(BLANKS)) if sign == "+" else 0
        sign = body[-1:] if body[-1:] in ("+", "-") else ""
        piece = line[skip : len(body) - 1] if sign else line[skip:]
        segments.append(joined, start + skip)
        pieces.append(piece)
        joined += len(piece)
        if not sign:
            break
        if len(pieces) == _AT_ONCE:
            whole.append("".join(pieces))
            pieces.clear()
    return "".join(whole + pieces), segments


def open_sign(chunk: str) -> int | None:
    """Return the place of a continuation sign at the end of the last line that counts, or None."""
    end = len(chunk)
    while end >= 0:
        start = chunk.rfind("\n", 0, end) + 1
        body = chunk[start:end].rstrip(BLANKS)
        if body and not body.startswith("*"):
            return start + len(body) - 1 if body[-1] in "+-" else None
        end = start - 1
    return None


def stored(segments: Segments) -> Segments:
    """Return the same segments in less memory, for texts of which a file has thousands."""
    if len(segments) <= _FEW:
        return segments
    return Pairs(max(map(max, segments)), segments)


def origin(segments: Segments, offset: int) -> int:
    """Return the offset from which the character at `offset` of a joined text came."""
    joined, source = segments[_index(segments, offset)]
    return source + offset - joined


def _index(segments: Segments, offset: int) -> int:
    if isinstance(segments, Pairs):
        return max(bisect_right(segments.firsts, offset) - 1, 0)
    return max(bisect_right(segments, (offset, 1 << 62)) - 1, 0)


def stretch(segments: Segments, start: int, end: int) -> tuple[int, int]:
    """Return the place from which the stretch from `start` to `end` of a joined text came.

    A text may be joined from pieces in another order, or be longer than its origin (the value of a
    variable). The place then covers the first and the last character, each before the next piece.
    """
    places = sorted(_place(segments, offset) for offset in (start, max(end - 1, start)))
    return places[0], places[1] + 1


def _place(segments: Segments, offset: int) -> int:
    at = _index(segments, offset)
    if at + 1 == len(segments):
        return origin(segments, offset)
    joined, source = segments[at]
    limit = segments[at + 1][1]
    if limit <= source:
        limit = segments[-1][1]  # of text that was embedded: where it ends
    if limit < source:
        return source  # the pieces are in another order, so its length is not known
    return min(source + offset - joined, limit - 1)
