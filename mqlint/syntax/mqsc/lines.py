"""Continuation: how the physical lines of a command become one text.

`+` as the last non-blank character joins with the next line from its first non-blank, `-` from
its first column; comment lines (an asterisk in column 1) and blank lines between continued lines
are dropped. Both signs work inside quoted strings and between the letters of a word.

What IBM's pages ("Building command scripts", 6.0 to 9.4; "MQSC input file syntax", 9.3) leave to
be read out of them, and how it is read here:
- A line is joined or dropped before anything in it has a meaning, so a comment line or a blank
  line inside a quoted string that goes over several lines is dropped too.
- Blanks before a sign belong to the command; blanks, tabs and a carriage return behind it do not
  ("a line must not end in a keyboard control character" is left to a rule). With `-` the blanks
  that lead the next line belong to it as well.
- A line with nothing but a sign adds nothing and goes on.
- At the end of the text, or before comments and blank lines only, a sign has nothing to go on
  with: the command ends, and the sign is reported.
"""

from __future__ import annotations

from bisect import bisect_right

from mqlint.syntax.mqsc.branches import MARK

BLANKS = " \t\r\f\v"
"""What counts as blank within a line. Other white space of Unicode is an ordinary character."""

DROPPED = ("", MARK)
"""How a line begins, behind its blanks, that is passed over inside a command."""

Segments = tuple[tuple[int, int], ...]
"""Pairs (offset in the joined text, offset in the text it was joined from), in order."""


def join(chunk: str) -> tuple[str, Segments]:
    """Return the command of `chunk` on one line, and where each stretch of it came from."""
    pieces: list[str] = []
    segments: list[tuple[int, int]] = []
    joined = 0
    at = 0
    sign = ""
    for line in chunk.split("\n"):
        start = at
        at += len(line) + 1
        if pieces and (line.startswith("*") or line.strip(BLANKS)[:1] in DROPPED):
            continue
        body = line.rstrip(BLANKS)
        skip = len(line) - len(line.lstrip(BLANKS)) if sign == "+" else 0
        sign = body[-1:] if body[-1:] in ("+", "-") else ""
        piece = line[skip : len(body) - 1] if sign else line[skip:]
        segments.append((joined, start + skip))
        pieces.append(piece)
        joined += len(piece)
        if not sign:
            break
    return "".join(pieces), tuple(segments)


def open_sign(chunk: str) -> int | None:
    """Return where the last line that counts in `chunk` asks for another one; None if not."""
    at = len(chunk)
    for line in reversed(chunk.split("\n")):
        at -= len(line)
        body = line.rstrip(BLANKS)
        if body and not line.startswith("*"):
            return at + len(body) - 1 if body[-1] in "+-" else None
        at -= 1
    return None


def origin(segments: Segments, offset: int) -> int:
    """Return where the character at `offset` of a joined text came from."""
    at = bisect_right(segments, (offset, 1 << 62)) - 1
    joined, source = segments[max(at, 0)]
    return source + offset - joined
