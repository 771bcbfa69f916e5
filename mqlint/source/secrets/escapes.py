r"""Texts that do not write names out: `"pass\u0077ord"`, `passw&#111;rd`, names on two lines."""

from __future__ import annotations

from bisect import bisect_right

from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.secrets.words import Span

_ESCAPE = later(
    r"\\u\{?00([0-9A-Fa-f]{2})\}?|\\U000000([0-9A-Fa-f]{2})|\\x([0-9A-Fa-f]{2})"
    r"|&#x0{0,6}([0-9A-Fa-f]{2});|&#0{0,6}([0-9]{2,3});"
    r"|(?<=\w)[\\^`]\r?\n[ \t]*+(?=\w)"
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
