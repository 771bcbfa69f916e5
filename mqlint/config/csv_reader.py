"""The one reader of CSV files that users write: a register of queue managers, a list of teams."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat

from mqlint.config.errors import ConfigError

_EXPLAINED = {
    "field larger than": "a value is too long, or a quotation mark is not closed",
    "unexpected end of data": "a quotation mark is not closed",
    "expected after": "a quotation mark is in the middle of a value: double it",
    "line contains NUL": "a NUL character is not allowed",
}
"""What the words of Python's reader mean."""


def read_csv(
    text: str, path: str, columns: Sequence[str]
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield each row with the number of its first line; values that a row lacks are blank.

    Values are separated by commas, or by semicolons if the first line has no comma, as spreadsheets
    write them in countries with a decimal comma. `path` is only for messages. Raises ConfigError,
    and nothing else, for any text: one of `columns` is missing, or the text is not CSV.
    """
    text = text.removeprefix("\ufeff")
    delimiter = "," if "," in text.partition("\n")[0] else ";"
    rows = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    line = 1
    try:
        names = next(rows, [])
        for name in columns:
            if name not in names:
                raise ConfigError(path, 1, 1, f"the column {name!r} is missing")
        line = rows.line_num + 1
        for row in rows:
            if row:
                yield line, dict(zip(names, chain(row, repeat("")), strict=False))
            line = rows.line_num + 1
    except csv.Error as error:
        found = (meaning for sign, meaning in _EXPLAINED.items() if sign in str(error))
        raise ConfigError(path, line, 1, next(found, "a row is not valid CSV")) from None
