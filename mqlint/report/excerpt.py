"""A source line with a mark under exactly the tokens at fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.report.report import Report
from mqlint.report.terminal import cells, inert, visible
from mqlint.source.lines import LineMap, Position
from mqlint.source.masking import HIDDEN, TEXT_MASK, secret_runs

_CUT = "..."
_TAB = 4


@frozen
class Excerpt:
    """A line as it is shown; the fault takes `length` cells after the first `lead` cells."""

    number: int
    line: str
    lead: int
    length: int


@frozen
class _Piece:
    """What is shown for some characters of the line, never divided; `at` counts characters."""

    at: int
    shown: str
    cells: int


class Sources:
    """The texts of a report, the last one kept at hand: findings come file by file."""

    def __init__(self, report: Report) -> None:
        """Texts are asked from `report` when they are first needed."""
        self._report = report
        self._path: str | None = None
        self._text: str | None = None
        self._lines = LineMap([0])
        self._measured = (0, 0, 0)
        """Two offsets of the text and the bytes between them, for places further on the line."""

    def excerpt(self, where: Location, width: int) -> Excerpt | None:
        """Return the first line of `where` in at most `width` cells; None without a text."""
        self._open(where.path)
        if self._text is None or not 0 < where.start.line <= len(self._lines.starts):
            return None
        number = where.start.line
        begin = self._lines.starts[number - 1]
        end = self._text.find("\n", begin)
        end = len(self._text) if end < 0 else end
        end -= end > begin and self._text[end - 1] == "\r"
        first = begin + where.start.column - 1
        last = begin + where.end.column - 1 if where.end.line == number else end
        near, far = max(begin, first - 4 * width), min(end, first + 4 * width)
        secrets = secret_runs(self._text, near, far)
        more = near > begin, far < end
        shown = self._text[near:far]
        if not secrets and shown.isascii() and shown.isprintable():  # as in most lines
            return Excerpt(number, *_plain_window(shown, (first - near, last - near), width, more))
        pieces = list(self._pieces(near, far, secrets))
        return Excerpt(number, *_window(pieces, (first, last), width, more))

    def bytes_before(self, path: str, position: Position) -> int | None:
        """Return how many bytes of UTF-8 are before a position of a line; None without a text.

        A character of a secret counts as one.
        """
        self._open(path)
        if self._text is None or not 0 < position.line <= len(self._lines.starts):
            return None
        begin = self._lines.starts[position.line - 1]
        end = begin + position.column - 1
        start, at, before = self._measured
        if start != begin or end < at:
            at, before = begin, 0
        added = self._text[at:end]
        if not added.isascii():
            before += len(added.encode("utf-8", "replace")) - len(added)
            before -= added.count(HIDDEN) * (len(HIDDEN.encode()) - 1)
        self._measured = begin, end, before + len(added)
        return before + len(added)

    def _open(self, path: str) -> None:
        if path != self._path:
            self._path, self._text = path, self._report.text_of(path)
            self._measured = (0, 0, 0)
            if self._text is not None:
                self._lines = LineMap.of(self._text)

    def _pieces(self, at: int, end: int, secrets: Sequence[tuple[int, int]]) -> Iterator[_Piece]:
        text, column = self._text or "", 0
        for begin, stop in [*secrets, (end, end)]:
            for index in range(at, min(begin, end)):
                shown = text[index]
                shown = " " * (_TAB - column % _TAB) if shown == "\t" else visible(shown)
                piece = _Piece(index, shown, cells(shown))
                column += piece.cells
                yield piece
            if stop > max(at, begin) and begin < end:
                yield _Piece(max(at, begin), TEXT_MASK, len(TEXT_MASK))
                column += len(TEXT_MASK)
            at = max(at, stop)


def _plain_window(
    text: str, fault: tuple[int, int], width: int, more: tuple[bool, bool]
) -> tuple[str, int, int]:
    """Choose as `_window` does, in a text with a cell for each character."""
    if not more[1]:
        text = text[: max(len(text.rstrip()), fault[1])]
    total = len(text)
    start, stop = (min(at, total) for at in fault)
    if total <= width and not any(more):
        return inert(text), start, max(stop - start, 1)
    low, room = _room(start, stop, total, width)
    shown = text[low : low + room]
    cut = low > 0 or more[0], low + len(shown) < total or more[1]
    return _part(shown, len(shown), (start - low, stop - low), cut)


def _room(start: int, stop: int, total: int, width: int) -> tuple[int, int]:
    """Return the first cell to show and the number of cells, if not all of a line is shown."""
    room = width - 2 * len(_CUT)
    return 0 if stop <= room else max(0, min(start - room // 3, total - room)), room


def _window(
    pieces: list[_Piece], fault: tuple[int, int], width: int, more: tuple[bool, bool]
) -> tuple[str, int, int]:
    """Choose what of a line to show: all, or the surroundings of the fault."""
    while pieces and pieces[-1].shown.isspace() and pieces[-1].at >= fault[1] and not more[1]:
        pieces.pop()
    total = sum(piece.cells for piece in pieces)
    start, stop = _cells_of(pieces, fault)
    if total <= width and not any(more):
        return inert("".join(piece.shown for piece in pieces)), start, max(stop - start, 1)
    low, room = _room(start, stop, total, width)
    text, used, offset = "", 0, 0
    low_used = low
    for piece in pieces:
        if offset >= low and used + piece.cells <= room:
            low_used = offset if not text else low_used
            text, used = text + piece.shown, used + piece.cells
        elif text:
            break
        offset += piece.cells
    cut = low_used > 0 or more[0], low_used + used < total or more[1]
    return _part(text, used, (start - low_used, stop - low_used), cut)


def _part(
    text: str, width: int, fault: tuple[int, int], cut: tuple[bool, bool]
) -> tuple[str, int, int]:
    """Mark where a line is cut, and return the cells before the fault and those of it."""
    left, right = (_CUT if is_cut else "" for is_cut in cut)
    lead = min(max(fault[0], 0), width)
    length = max(min(fault[1], width) - lead, 1)
    return left + inert(text) + right, lead + len(left), length


def _cells_of(pieces: list[_Piece], fault: tuple[int, int]) -> tuple[int, int]:
    """The first cell of the fault and the one after its last.

    A piece reaches to the next one's start, so that a fault in a covered secret marks the cover.
    """
    start = stop = offset = 0
    found = False
    for index, piece in enumerate(pieces):
        reach = pieces[index + 1].at if index + 1 < len(pieces) else piece.at + 1
        if not found and reach > fault[0]:
            start, found = offset, True
        offset += piece.cells
        if piece.at < fault[1]:
            stop = offset
    return (start, max(stop, start)) if found else (offset, offset)
