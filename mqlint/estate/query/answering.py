"""Questions to the tables of a scan by DuckDB, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import duckdb

from mqlint.estate.history.answer import (
    LEFT_OUT,
    QueryError,
    QueryResult,
    distinct,
    tables_asked,
)
from mqlint.estate.history.store import Manifest
from mqlint.estate.query.limits import Deadline, Limits, limited_memory
from mqlint.estate.query.statement import PLAIN, Settings, require_select, short
from mqlint.estate.tables.schema import TABLES, VIEWS

_ROWS: Final = 1000
_MACROS: Final = (
    "CREATE MACRO explode(items) AS unnest(items)",
    "CREATE MACRO collect_list(item) AS list(item) FILTER (item IS NOT NULL)",
    "CREATE MACRO collect_set(item) AS list(DISTINCT item) FILTER (item IS NOT NULL)",
)
"""Functions of Spark that views and the documented questions use, so that both engines answer."""


@contextmanager
def answer(out: Path, manifest: Manifest, question: str, limits: Limits) -> Iterator[QueryResult]:
    """Ask the tables of a scan in `out`, and of all its scans in `history_` and a table's name.

    QueryError, at once or from the rows as they are asked for: the question is not one SELECT of
    these tables, it is wrong, or it takes more than `limits`.
    """
    asked = tables_asked(out, manifest, question)
    files = {name: [str(file.resolve()) for file in parts] for name, parts in asked.files.items()}
    views = {name: view for name, (table, view) in VIEWS.items() if table in files}
    try:
        require_select(question, {*manifest.tables, *views, *files})
    except QueryError as error:
        is_left_out = len(manifest.tables) < len(TABLES) and "does not exist" in str(error)
        hint = f"\n{LEFT_OUT}" if is_left_out else ""
        raise QueryError(f"{error}{hint}") from None
    with ExitStack() as stack:
        connection = stack.enter_context(_connected(files, views, limits))
        deadline = Deadline(limits.seconds, connection.interrupt)
        stack.enter_context(limited_memory(limits.memory))
        stack.enter_context(deadline.watching())
        stack.callback(connection.interrupt)  # rows that nobody asked for are not worked out
        with _explained(deadline, limits):
            connection.execute(question)
        columns = distinct([column[0] for column in connection.description or ()])
        yield QueryResult(columns, _rows(connection, deadline, limits), asked.left_out)


@contextmanager
def _connected(
    files: Mapping[str, Sequence[str]], views: Mapping[str, str], limits: Limits
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB in memory that can read these files, nothing else, and write none."""
    settings: Settings = {
        **PLAIN,
        "threads": limits.threads,
        "memory_limit": f"{limits.memory}MiB",
        "temp_directory": "",
    }
    with duckdb.connect(":memory:", config=settings) as connection:
        every = sorted({file for parts in files.values() for file in parts})
        connection.execute(f"SET allowed_paths = {_texts(every)}")
        for name, parts in files.items():
            source = f"read_parquet({_texts(parts)}, union_by_name => true)"
            try:
                connection.execute(f"CREATE VIEW {name} AS SELECT * FROM {source}")  # noqa: S608 ours
            except duckdb.Error:
                raise QueryError(
                    f"a file of the table {name} is damaged: delete its scan"
                ) from None
        for macro in _MACROS:
            connection.execute(macro)
        for name, view in views.items():
            connection.execute(f"CREATE VIEW {name} AS {view}")
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _texts(texts: Sequence[str]) -> str:
    """A list of texts in SQL. Files of a scan are found by name: `*`, `?` and `[` are literal."""
    quoted = (text.replace("'", "''") for text in texts)
    return "[" + ", ".join(f"'{text}'" for text in quoted) + "]"


@contextmanager
def _explained(deadline: Deadline, limits: Limits) -> Iterator[None]:
    try:
        yield
    except (duckdb.Error, MemoryError) as error:
        if deadline.is_over:
            reason = f"the query was stopped after {limits.seconds:g} s: --timeout allows more"
        elif isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            reason = f"the query needs more than {limits.memory:,} MiB: --memory allows more"
        elif isinstance(error, duckdb.PermissionException):
            reason = "a query reads the tables of a scan and no other file"
        else:
            reason = short(str(error))
        raise QueryError(reason) from None


def _rows(
    connection: duckdb.DuckDBPyConnection, deadline: Deadline, limits: Limits
) -> Iterator[Sequence[object]]:
    number = 0
    while True:
        with _explained(deadline, limits):
            some = connection.fetchmany(_ROWS)
        if not some:
            return
        room = limits.rows - number
        yield from some[:room]
        if len(some) > room:
            raise QueryError(f"stopped after {limits.rows:,} rows: --limit allows more")
        number += len(some)
