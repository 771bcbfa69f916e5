"""Continuation: how the physical lines of a command become one text.

`+` as the last non-blank character joins with the next line from its first non-blank, `-` from
its first column; comment lines (an asterisk in column 1) and blank lines between continued lines
are dropped. Both signs work inside quoted strings and between the letters of a word.
Source: IBM MQ documentation, "Creating a text file of MQSC commands" / "MQSC input file syntax".
"""

from __future__ import annotations

from bisect import bisect_right

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
        if pieces and (line.startswith("*") or not line.strip()):
            continue
        body = line.rstrip()
        skip = len(line) - len(line.lstrip()) if sign == "+" else 0
        sign = body[-1:] if body[-1:] in ("+", "-") else ""
        piece = line[skip : len(body) - 1] if sign else line[skip:]
        segments.append((joined, start + skip))
        pieces.append(piece)
        joined += len(piece)
        if not sign:
            break
    return "".join(pieces), tuple(segments)


def ends_open(chunk: str) -> bool:
    """Whether the last line that counts in `chunk` still asks for another one."""
    for line in reversed(chunk.split("\n")):
        body = line.rstrip()
        if body and not line.startswith("*"):
            return body[-1] in "+-"
    return False


def origin(segments: Segments, offset: int) -> int:
    """Return where the character at `offset` of a joined text came from."""
    at = bisect_right(segments, (offset, 1 << 62)) - 1
    joined, source = segments[max(at, 0)]
    return source + offset - joined
