"""The one reader of CSV files that users write: a register of queue managers, a list of teams."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat

from mqlint.config.errors import ConfigError, choices

_EXPLAINED = {
    "field larger than": "a value is too long, or a quotation mark is not closed",
    "unexpected end of data": "a quotation mark is not closed",
    "expected after": "a quotation mark is in the middle of a value: double it",
}
"""What the words of Python's reader mean."""

_DELIMITERS = ",;\t"
_SHOWN = 8


def read_csv(
    text: str, path: str, columns: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield each row with the number of its first line; values that a row lacks are blank.

    A row has the `columns` and those that are `optional`, by these names. In the header capitals do
    not matter, nor do blanks, hyphens and underscores between words. Blank rows are left out.

    Values are separated by what separates the header: commas, semicolons (as spreadsheets write
    them in countries with a decimal comma) or tabs. A first line `sep=;` is skipped, as
    spreadsheets do. `path` is only for messages. Raises ConfigError, and nothing else, for any
    text: one of `columns` is missing or there twice, or the text is not CSV.
    """
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    begin, line = 0, 1
    for text_line in iter(lines.readline, ""):
        if text_line.strip() and not text_line.casefold().startswith("sep="):
            break
        begin, line = lines.tell(), line + 1
    lines.seek(begin)
    header = lines.readline()
    lines.seek(begin)
    delimiter = max(_DELIMITERS, key=header.count)
    rows = csv.reader(lines, strict=True, delimiter=delimiter)
    before = line - 1
    try:
        names = next(rows, [])
        wanted = _places(names, columns, optional, path, line)
        line = before + rows.line_num + 1
        for row in rows:
            if any(map(str.strip, row)):
                cells = [*chain(row, repeat("", len(names)))]
                yield line, {name: cells[at] if at >= 0 else "" for name, at in wanted.items()}
            line = before + rows.line_num + 1
    except csv.Error as error:
        found = (meaning for sign, meaning in _EXPLAINED.items() if sign in str(error))
        raise ConfigError(path, line, 1, next(found, "a row is not valid CSV")) from None


def _places(
    names: Sequence[str], columns: Sequence[str], optional: Sequence[str], path: str, line: int
) -> dict[str, int]:
    """The place of each column in a header, -1 for an optional one that it does not have."""
    plain = [_plain(name) for name in names]
    places: dict[str, int] = {}
    for name in (*columns, *optional):
        number = plain.count(_plain(name))
        if number > 1:
            raise ConfigError(path, line, 1, f"the column {name!r} is there {number} times")
        if not number and name in columns:
            # Of a text of another kind, which may hold a password, the error quotes nothing.
            is_header = not {_plain(each) for each in (*columns, *optional)}.isdisjoint(plain)
            known = [repr(other.strip()[:40]) for other in names if other.strip()]
            given = f": the header has {choices(known[:_SHOWN])}" if is_header else ""
            raise ConfigError(path, line, 1, f"the column {name!r} is missing{given}")
        places[name] = plain.index(_plain(name)) if number else -1
    return places


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char not in " \u00a0_-")
