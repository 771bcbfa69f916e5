"""The commands of a text of CL: lines joined, comments and the numbers of source members left out.

IBM's pages "CL command continuation" and "Writing comments in CL programs": a plus sign at the end
of a line goes on with the next line's first character that is no blank, a minus sign with its first
column. A comment begins with `/*` at the beginning of a command, after a blank, or before a blank
or an asterisk, since `LIB/*ALL` is a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_NUMBERED = {
    "dot": later(r"[ \t]*\d{4}\.\d{2}(?:[ \t]|$)"),
    "dated": later(r"\d{12}"),
    "six": later(r"\d{6}(?=[ \t]|$)"),
}
"""The beginning of a line of a source member: 0001.00, a number and a date, a number."""
_CHANGED = later(r"[ \t]+\d{2}[/.-]\d{2}[/.-]\d{2}[ \t]*$")
"""The date at the end of a line of a printed member."""


def commands(text: str) -> Iterator[MappedText]:
    """Yield the commands of a text in order, each mapped to the text.

    Lines of remarks give none. The text is read once.
    """
    numbered = _numbering(text)
    remarks = _Remarks(text)
    builder = MappedTextBuilder()
    quoted, joint, last = False, "", 0
    for start, end in line_spans(text):
        begin, end = _bare(text, start, end, numbered)
        if joint == "+":
            begin += len(text[begin:end]) - len(text[begin:end].lstrip(" \t"))
        pieces, quoted = remarks.pieces(begin, end, quoted, not builder.parts)
        joint, cut = _joint(text, pieces)
        for first, after in pieces:
            after = min(after, cut)
            if first < after:
                builder.add(text[first:after], first)
                last = after
        if joint:
            continue
        if _has_words(builder):
            yield builder.finish(last)
        builder, quoted = MappedTextBuilder(), False
    if _has_words(builder):
        yield builder.finish(last)


def _has_words(builder: MappedTextBuilder) -> bool:
    """Whether more than remarks and blanks was collected."""
    return any(part.strip() for part in builder.parts)


def _numbering(text: str) -> re.Pattern[str] | None:
    """The form of the numbers before the lines, if there are any, by the first line."""
    first = next(
        (text[slice(*span)] for span in line_spans(text) if text[slice(*span)].strip()), ""
    )
    return next((form for form in _NUMBERED.values() if form.match(first)), None)


def _bare(text: str, start: int, end: int, numbered: re.Pattern[str] | None) -> tuple[int, int]:
    """The part of a line that is source."""
    match = numbered.match(text, start, end) if numbered is not None else None
    if match is None:
        return start, end
    changed = _CHANGED.search(text, max(match.end(), end - 24), end)
    return match.end(), changed.start() if changed is not None else end


def _joint(text: str, pieces: list[tuple[int, int]]) -> tuple[str, int]:
    """The continuation sign of a line, blank for none, and the end of the line without it."""
    for first, after in reversed(pieces):
        line = text[first:after].rstrip(" \t")
        if line:
            sign = line[-1] if line[-1] in "+-" else ""
            return sign, first + len(line) - len(sign)
    return "", pieces[-1][1] if pieces else 0


class _Remarks:
    """Finds the comments of a text; one that nothing closes ends with its line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._until = 0
        self._last = text.rfind("*/")

    def pieces(
        self, begin: int, end: int, quoted: bool, fresh: bool
    ) -> tuple[list[tuple[int, int]], bool]:
        """Return the stretches of a line outside comments, and whether a string is open at its end.

        `quoted` is true if one is open before the line, and `fresh` if a command begins here.
        """
        text, at = self._text, max(begin, min(self._until, end))
        pieces: list[tuple[int, int]] = []
        first = at
        for match in _SIGN.finditer(text, at, end):
            if match.start() < at:
                continue
            if match.group() == "'":
                quoted = not quoted
            elif not quoted and self._opens(match.start(), begin, end, fresh):
                pieces.append((first, match.start()))
                first = at = self._close(match.end(), end)
        if first < end:
            pieces.append((first, end))
        return pieces, quoted

    def _opens(self, at: int, begin: int, end: int, fresh: bool) -> bool:
        text = self._text
        if at == begin or text[at - 1] in " \t" or (fresh and not text[begin:at].strip()):
            return True
        return at + 2 >= end or text[at + 2] in " \t*"

    def _close(self, at: int, end: int) -> int:
        """Return the end of a comment on this line; one may go on over others."""
        if at > self._last:
            return end
        self._until = self._text.find("*/", at) + 2
        return min(self._until, end)


_SIGN = later(r"'|/\*")
