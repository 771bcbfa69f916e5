"""Rows as a table of a terminal, whose columns share the width; long values wrap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.patterns import later
from mqlint.report.terminal import cells, visible

_WORD = later(r"(?:(?<!\s)\s++)?\S++\s*+")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table of at most `width` cells; of a row that wraps, several lines."""
    texts = [[visible(text) for text in row] for row in (columns, *rows)]
    natural = [max(map(cells, column)) + 2 for column in zip(*texts, strict=True)]
    widths = _fitted(natural, width - len(natural) + 1)
    for number, row in enumerate(texts):
        wrapped = [list(_wrapped(text, room - 2)) for text, room in zip(row, widths, strict=True)]
        height = max(map(len, wrapped), default=0)
        for lines in wrapped:  # headings are at the foot of their row, values at its head
            end = len(lines) if number else 0
            lines[end:end] = [""] * (height - len(lines))
        for line in zip(*wrapped, strict=True):
            padded = [_padded(f" {text} ", room) for text, room in zip(line, widths, strict=True)]
            yield ("│" if number else "┃").join(padded).rstrip()
        if number == 0:
            yield "╇".join("━" * room for room in widths)


def _fitted(natural: Sequence[int], width: int) -> list[int]:
    """The widths of columns: the widest are cut first, and alike."""
    widths = [min(room, width) for room in natural]
    while (excess := sum(widths) - width) > 0 and max(widths, default=0) > 0:
        widest = max(widths)
        most = widest - max((other for other in widths if other < widest), default=0)
        columns = [column for column, room in enumerate(widths) if room == widest]
        for number, column in enumerate(columns):
            cut = min(most, round(excess / (len(columns) - number)))
            widths[column] -= cut
            excess -= cut
    return widths


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The lines of a value; a word that is wider than a line is divided."""
    line, used = "", 0
    for word in _WORD.findall(text) or [""]:
        length = cells(word.rstrip())
        if used + length > width and line and length <= width:
            yield line.rstrip()
            line, used = "", 0
        elif length > width:
            if line:
                yield line.rstrip()
            *folded, word = _divided(word, max(width, 1))
            yield from folded
            line, used = "", 0
        line, used = line + word, used + cells(word)
    yield line.rstrip()


def _divided(word: str, width: int) -> Iterator[str]:
    piece, used = "", 0
    for character in word:
        room = cells(character)
        if used + room > width:
            yield piece
            piece, used = "", 0
        piece, used = piece + character, used + room
    yield piece


def _padded(text: str, width: int) -> str:
    text = next(_divided(text, max(width, 0)), "") if cells(text) > width else text
    return text + " " * (width - cells(text))
