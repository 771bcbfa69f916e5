"""Rows of a query for people, for programs and for spreadsheets."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import islice
from numbers import Number
from typing import Final

import click

from mqlint.cli.common.output import echo, terminal_width
from mqlint.report.json import Json, dump, json_array
from mqlint.report.sheet import lines
from mqlint.report.table import table
from mqlint.report.terminal import counted

Cells = Sequence[object]

SHOWN = 1000
"""Rows that a table shows: it must hold them all to know how wide its columns are."""


def as_json(columns: Sequence[str], rows: Iterable[Cells]) -> Iterator[str]:
    """Yield an array of objects, one a line."""
    yield from json_array(_objects(columns, rows))
    yield "\n"


def as_json_lines(columns: Sequence[str], rows: Iterable[Cells]) -> Iterator[str]:
    yield from (f"{dump(row)}\n" for row in _objects(columns, rows))


def _objects(columns: Sequence[str], rows: Iterable[Cells]) -> Iterator[dict[str, Json]]:
    for row in rows:
        yield {name: _plain(value) for name, value in zip(columns, row, strict=True)}


def as_csv(columns: Sequence[str], rows: Iterable[Cells]) -> Iterator[str]:
    """Yield lines of CSV (RFC 4180), safe to open in a spreadsheet."""
    yield from lines(columns, (map(_cell, cells) for cells in rows))


def as_table(columns: Sequence[str], rows: Iterable[Cells], width: int) -> Iterator[str]:
    """Yield a table of at most `width` cells a line; the first rows only of very many."""
    rest = iter(rows)
    shown = [[_text(value) for value in cells] for cells in islice(rest, SHOWN)]
    yield from (f"{line}\n" for line in table(columns, shown, width))
    number = len(shown)
    if next(rest, None) is not None:
        yield f"the first {counted(number, 'row')} of more; --format csv or json gives all\n"
    else:
        yield f"{counted(number, 'row')}\n"


FORMATS: Final[Mapping[str, Callable[[Sequence[str], Iterable[Cells], int], Iterator[str]]]] = {
    "table": as_table,
    "json": lambda columns, rows, width: as_json(columns, rows),
    "jsonl": lambda columns, rows, width: as_json_lines(columns, rows),
    "csv": lambda columns, rows, width: as_csv(columns, rows),
}
"""What writes each format, given columns, rows and the width of the terminal."""

rows_option = click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
    help="csv is safe to open in a spreadsheet.",
)
"""`--format` of commands that answer with rows."""


def echo_rows(form: str, columns: Sequence[str], rows: Iterable[Cells]) -> None:
    for piece in FORMATS[form](columns, rows, terminal_width()):
        echo(piece)


def _cell(value: object) -> object:
    is_number = isinstance(value, Number) and not isinstance(value, bool)
    return value if is_number else _text(value)


def _text(value: object) -> str:
    if value is None:
        return ""
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _plain(value: object) -> Json:
    """What JSON has a form for."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if value is None or isinstance(value, str | int):
        return value
    return str(value)
