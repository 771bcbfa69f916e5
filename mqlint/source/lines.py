"""Offsets into a text and the lines and columns people count in."""

from __future__ import annotations

from array import array
from binascii import crc32
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import StringIO
from itertools import accumulate, chain
from operator import itemgetter

from mqlint.dataclass import frozen

Span = tuple[int, int]
"""Offsets into a text, the end exclusive."""

_BLOCK = 1 << 16
_SHORT = 4_000
"""Characters of a text of which it does not pay to compare the lines."""
_STEP = 1 << 12
"""So far apart are the marks of a text: to count from one to the next takes a microsecond."""

_BLANK = 0
"""The digest of a line with nothing in it."""


def offsets(size: int) -> array[int]:
    """Return an empty array for offsets up to `size`: it takes 4 bytes for each, rarely 8."""
    return array("I" if size < 1 << 32 else "Q")


def lines_of(text: str) -> Iterator[str]:
    """Return the lines of `text` as its `split` at line feeds gives them, but not all at once.

    A line is an object of 50 bytes even where it is one character.
    """
    return chain.from_iterable(_blocks(text))


def line_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield where the lines of `text`, or of a stretch of it, begin and end.

    Line ends are left out; nothing follows the last one.
    """
    limit = len(text) if end is None else end
    while start < limit:
        stop = text.find("\n", start, limit)
        stop = limit if stop < 0 else stop
        yield start, stop - text[start:stop].endswith("\r")
        start = stop + 1


def _blocks(text: str) -> Iterator[list[str]]:
    start = 0
    while (cut := text.find("\n", start + _BLOCK)) >= 0:
        yield text[start:cut].split("\n")
        start = cut + 1
    yield text[start:].split("\n")


def _lengths(text: str) -> Iterator[Iterator[int]]:
    """How long the lines are with their line feeds, a block after the other."""
    return (map(len, block) for block in _parted(text))


def _parted(text: str) -> Iterator[StringIO]:
    """Yield the lines with their line feeds, a block after the other.

    A `StringIO` parts lines quicker than anything else, and takes four bytes for a character.
    """
    start = 0
    while start < len(text):
        cut = text.find("\n", start + _BLOCK) + 1 or len(text)
        yield StringIO(text[start:cut], newline="\n")
        start = cut


def without_repeated_lines(text: str, *, is_part: bool = False) -> str:
    """Return a text with the first of equal lines, in which a sign costs less to look for.

    In a dump most lines are equal to others. A short text is returned as it is. A document is
    searched for several kinds of signs in a row, a part of it in between.
    """
    if len(text) <= _SHORT:
        return text
    return _unrepeated(text) if is_part else _of_document(text)


@lru_cache(maxsize=1)
def _of_document(text: str) -> str:
    """The same, stored until `forget_lines`, as the text may have secrets."""
    return _unrepeated(text)


def _unrepeated(text: str) -> str:
    lines: dict[str, None] = {}
    for block in _parted(text):
        lines.update(dict.fromkeys(block))
    return "".join(lines)


def forget_lines() -> None:
    """Free the last text that was searched: a server runs for days after it."""
    _of_document.cache_clear()


@frozen(order=True)
class Position:
    """A place between two characters: line and column, both counted from 1, in code points."""

    line: int
    column: int


class LineMap:
    """The lines of one text: for what is reported, and only when it is, where they start.

    Of a text the line ends are counted, up to marks set at equal distances and from there on to a
    place. Where the text is not kept the starts of all lines are, and a digest of each line.
    `spellings` are stretches in which attributes are written in another form than that of MQSC:
    start, end and form. Those of one form that overlap count as one.
    """

    __slots__ = (
        *("_digests", "_found", "_marks", "_number", "_others", "_some", "_spelled", "_starts"),
        *("_text",),
        "spellings",
    )

    def __init__(self, starts: Sequence[int], digests: Sequence[int] = ()) -> None:
        """`starts` holds the offset of each line's first character, in order, 0 first.

        `digests` are those of the lines, as the property of that name gives them.
        """
        self._starts: Sequence[int] | None = starts
        self._number = len(starts)
        self._text = ""
        self._found = 0
        self._marks: list[tuple[int, int]] = []
        self._digests: Sequence[int] | None = digests
        self._some: array[int] | None = None
        self._others: dict[int, array[int]] = {}
        self.spellings: list[tuple[int, int, str]] = []
        self._spelled: list[tuple[int, int, str]] | None = None

    @classmethod
    def of(cls, text: str) -> LineMap:
        lines = cls(())
        lines._starts, lines._digests, lines._text = None, None, text
        lines._number = 0  # counted when it is asked for
        return lines

    @property
    def starts(self) -> Sequence[int]:
        """The offset of each line's first character."""
        if self._starts is None:
            self._starts = _starts(self._text)
        return self._starts

    @property
    def digests(self) -> Sequence[int]:
        """A number of two bytes for the first two words of each line."""
        if self._digests is None:
            self._digests = array("H", map(_digest, lines_of(self._text)))
        return self._digests

    def around(self, start: Position, end: Position) -> str:
        """Return a digest of the text before and after a stretch, blank if that is not known.

        It is made of the nearest line on each side that is not blank and begins otherwise than
        the stretch's own line, so that a copy of that line beside it changes nothing.
        """
        if not self._text and not self._digests:
            return ""
        before, after = self._beyond(start.line - 1, -1), self._beyond(end.line - 1, 1)
        return f"{before:04x}{after:04x}"

    def spelling(self, offset: int) -> str:
        """Return the form in which attributes are written at an offset, blank for that of MQSC."""
        if self._spelled is None:
            self._spelled = _united(self.spellings)
        at = bisect_right(self._spelled, offset, key=lambda stretch: stretch[0]) - 1
        return self._spelled[at][2] if at >= 0 and offset < self._spelled[at][1] else ""

    def _beyond(self, line: int, step: int) -> int:
        """The digest of the nearest line upward or downward that is another one, and not blank."""
        self._number = self._number or self._text.count("\n") + 1
        own, limit = self._digest(line), self._number if step > 0 else -1
        others = self._others.get(step)
        if others is None:
            others = self._others[step] = _unknown(self._number)
        equal, other = [], _BLANK
        for at in range(line, limit, step):
            digest = self._digest(at)
            if digest == own:
                if others[at] >= 0:  # so that equal lines are passed once, however many
                    other = others[at]
                    break
                equal.append(at)
            elif digest != _BLANK:
                other = digest
                break
        for at in equal:
            others[at] = other
        return other

    def _digest(self, line: int) -> int:
        if self._digests is not None:
            return self._digests[line]
        if self._some is None:
            self._some = _unknown(self._number)
        digest = self._some[line]
        if digest < 0:  # a line may be long, and have many findings
            start = self._start(line)
            end = self._text.find("\n", start)
            digest = self._some[line] = _digest(self._text[start : end if end >= 0 else None])
        return digest

    def _start(self, line: int) -> int:
        """The offset of the first character of a line."""
        if self._starts is not None:
            return self._starts[line]
        marks = self._marks or self._set_marks()
        if self._found == len(marks):  # the starts of all lines cost as much by now
            return self.starts[line]
        self._found += 1
        before, start = marks[bisect_right(marks, line, key=itemgetter(0)) - 1]
        for _ in range(line - before):
            start = self._text.index("\n", start) + 1
        return start

    def position(self, offset: int) -> Position:
        if self._starts is not None:
            before = bisect_right(self._starts, offset) - 1
            return Position(before + 1, offset - self._starts[before] + 1)
        marks = self._marks or self._set_marks()
        mark = min(offset // _STEP, len(marks) - 1)
        before, start = self._counted(*marks[mark], mark * _STEP, offset)
        return Position(before + 1, offset - start + 1)

    def _set_marks(self) -> list[tuple[int, int]]:
        """Work out at each mark how many lines are before its own, and where that starts."""
        found = 0, 0
        for at in range(0, len(self._text) + 1, _STEP):
            self._marks.append(found)
            found = self._counted(*found, at, at + _STEP)
        return self._marks

    def _counted(self, before: int, start: int, at: int, end: int) -> tuple[int, int]:
        """What is known at the offset `end` from what is known at the offset `at`."""
        last = self._text.rfind("\n", at, end)
        return before + self._text.count("\n", at, end), last + 1 if last >= 0 else start


def _united(stretches: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Stretches in order, those of one form that overlap as one."""
    found: list[tuple[int, int, str]] = []
    for start, end, form in sorted(stretches):
        if found and found[-1][2] == form and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1]), form
        else:
            found.append((start, end, form))
    return found


def _unknown(lines: int) -> array[int]:
    """A number for each line that is not worked out: 4 bytes, a tenth of what a dict takes."""
    return array("i", [-1]) * lines


def _digest(line: str) -> int:
    """A number for the first two words of a line, without their case and the text after them.

    In a command those are its verb and its object; a value that changes is rarely among them.
    """
    words = " ".join(line.split(None, 2)[:2])
    if not words:
        return _BLANK
    return crc32(words.casefold().encode("utf-8", "surrogatepass")) % 0xFFFF + 1


def _starts(text: str) -> Sequence[int]:
    starts = offsets(len(text) + 1)
    starts.extend(accumulate(chain.from_iterable(_lengths(text)), initial=0))
    if text and text[-1] != "\n":
        starts.pop()  # where a further line would begin
    return starts
