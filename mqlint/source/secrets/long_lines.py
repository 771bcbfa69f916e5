"""Texts with long lines, broken so that a search through them stays linear.

Most signs of a secret lie close together in one line. A pattern that looks for the second sign up
to the end of the line takes quadratic time if a line holds the first sign again and again. No line
that a person writes is long enough for this to matter; an attacker may write one of a megabyte.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.patterns import later
from mqlint.source.lines import line_spans

_LONGEST = 4_000
"""Characters of a line that is searched as it is."""
_FARTHEST = 16_000
"""Characters after which a line is broken even inside a word."""
_GAP = later(r"[\s,;|&\"']")


def of_short_lines(text: str) -> Iterator[str]:
    """Yield texts of the same length, in which line feeds replace some characters of long lines.

    A text without long lines is yielded as it is. Otherwise there are two, broken at different
    places: what lies close together is unbroken in one of them.
    """
    if not _has_long_line(text):
        yield text
        return
    lines = [span for span in line_spans(text) if span[1] - span[0] > _LONGEST]
    for offset in (_LONGEST // 2, _LONGEST):
        yield _broken(text, (at for line in lines for at in _breaks(text, *line, offset)))


def _has_long_line(text: str) -> bool:
    """Whether a line has more than `_LONGEST` characters: leaps from line feed to line feed."""
    start = 0
    while start + _LONGEST < len(text):
        start = text.rfind("\n", start, start + _LONGEST + 1) + 1
        if not start:
            return True
    return False


def _breaks(text: str, start: int, stop: int, offset: int) -> Iterator[int]:
    """Yield where a line is broken: at a gap between words if one is near."""
    at = start + offset
    while at < stop - 1:
        gap = _GAP.search(text, at, min(at + _FARTHEST, stop - 1))
        at = gap.start() if gap is not None else at + _FARTHEST
        if at < stop - 1:
            yield at
        at += _LONGEST


def _broken(text: str, breaks: Iterator[int]) -> str:
    pieces: list[str] = []
    done = 0
    for at in breaks:
        pieces += (text[done:at], "\n")
        done = at + 1
    return "".join((*pieces, text[done:]))
