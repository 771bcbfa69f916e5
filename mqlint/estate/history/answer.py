"""Answers to questions, whichever engine gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from mqlint.dataclass import frozen
from mqlint.estate.history.store import Manifest, NoScanError, parts_of, scans
from mqlint.estate.tables.schema import TABLES, VIEWS

HISTORY: Final = "history_"
"""The prefix of the names of tables with the rows of all stored scans."""

LEFT_OUT: Final = "The scan was made with --no-tables or by an earlier mqlint: it has few tables."


class QueryError(Exception):
    """A question that is refused, wrong, or takes too much; the text says why."""


@frozen
class QueryResult:
    """The names of the columns, each once, and the rows, which come as they are asked for.

    `left_out` says of stored scans with damaged files why their rows are not in the answer.
    """

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]
    left_out: Sequence[str] = ()


@frozen
class TablesAsked:
    """The Parquet files of the tables that a question names, and `left_out` as in its answer."""

    files: Mapping[str, Sequence[Path]]
    left_out: Sequence[str]


def tables_asked(out: Path, manifest: Manifest, question: str) -> TablesAsked:
    """Return the tables of a scan in `out`, and those of all scans, that a question names.

    NoScanError if a file of the scan is missing or was changed; other scans are left out then.
    """
    words = set(re.findall(r"\w+", question.casefold()))
    words.update(table for name, (table, _) in VIEWS.items() if name in words)
    files = {name: parts_of(out, manifest, name) for name in manifest.tables if name in words}
    left_out: list[str] = []
    for name in TABLES:
        if HISTORY + name in words:
            parts, reasons = _of_all_scans(out, name)
            if parts or not reasons:
                files[HISTORY + name] = parts
                left_out += reasons
            else:
                raise NoScanError(reasons[0])
    return TablesAsked(files, left_out)


def _of_all_scans(out: Path, table: str) -> tuple[list[Path], list[str]]:
    """The files of a table of all scans that have it, and why some of them are left out."""
    parts: list[Path] = []
    left_out = []
    for scan in scans(out):
        try:
            parts += parts_of(out, scan, table) if table in scan.tables else ()
        except NoScanError as error:
            left_out.append(f"scan {scan.scan} is left out: {error}")
    return parts, left_out


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names of columns, with numbers added to equal ones."""
    found: list[str] = []
    for name in names:
        candidate, number = name, 2
        while candidate in found:
            candidate, number = f"{name}_{number}", number + 1
        found.append(candidate)
    return found
