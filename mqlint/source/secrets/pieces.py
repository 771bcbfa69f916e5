"""Searches through stretches of a text that are joined, so that none has a cost of its own.

Most signs of a secret lie close together in one line. A pattern that looks for the second sign up
to the end of the line takes quadratic time if a line holds the first sign again and again. No line
that a person writes is long enough for this to matter; an attacker may write one of a megabyte.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.lines import Span, line_spans


def in_pieces(
    text: str, pieces: Sequence[Span], find: Callable[[str], Iterable[Span]], between: str = ""
) -> Iterator[Span]:
    """Yield what `find` finds in the pieces joined by `between`, as offsets into `text`."""
    joined = between.join(text[start:end] for start, end in pieces)
    lengths = (end - start + len(between) for start, end in pieces)
    starts = list(accumulate(lengths, initial=0))
    for start, end in find(joined) if joined else ():
        at = min(bisect_right(starts, start), len(pieces)) - 1
        shift = pieces[at][0] - starts[at]
        yield start + shift, end + shift


_ESCAPE = later(
    r"\\u\{?00([0-9A-Fa-f]{2})\}?|\\U000000([0-9A-Fa-f]{2})|\\x([0-9A-Fa-f]{2})"
    r"|&#x0{0,6}([0-9A-Fa-f]{2});|&#0{0,6}([0-9]{2,3});"
    r"|(?<=\w)[\\^`]\r?\n[ \t]*+(?=[\w=:])"
)
_DECIMAL = 5
"""The group of a number that is not hexadecimal."""


@frozen
class Unescaped:
    """A text with letters, digits, `_` and `-` instead of their escapes, and words in one line.

    `ends` are the offsets after each such letter, `shifts` how far the written text is ahead of
    `text` from there on.
    """

    text: str
    ends: tuple[int, ...]
    shifts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Unescaped | None:
        """Return `text` without escapes of letters; None when it has none."""
        if not any(sign in text for sign in ("\\", "&#", "^", "`")):
            return None
        pieces: list[str] = []
        ends: list[int] = []
        shifts = [0]
        done = 0
        for escape in _ESCAPE.finditer(text):
            group = escape.lastindex
            sign = chr(int(escape[group], 10 if group == _DECIMAL else 16)) if group else ""
            if group and not (sign.isascii() and (sign.isalnum() or sign in "_-")):
                continue
            pieces += text[done : escape.start()], sign
            done = escape.end()
            shift = shifts[-1] + len(escape.group()) - len(sign)
            ends.append(done - shift)
            shifts.append(shift)
        if not ends:
            return None
        return cls("".join([*pieces, text[done:]]), tuple(ends), tuple(shifts))

    def written(self, span: Span) -> Span:
        """Return where a stretch of `text` is in the text as it was written."""
        start, end = (at + self.shifts[bisect_right(self.ends, at)] for at in span)
        return start, end


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
