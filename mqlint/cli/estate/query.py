"""`mqlint estate query`: SQL over the tables of a scan, by DuckDB or on Spark."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.command import CLEAN, FOUND, warn
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import AT_LEAST_ONE, option, options
from mqlint.cli.estate.command import (
    FOR_ESTATE,
    LostError,
    TableOptions,
    is_master_given,
    reading,
    require_spark,
    require_tables,
    spark_session,
    submitted,
)
from mqlint.cli.estate.rows import echo_rows, rows_option
from mqlint.dataclass import frozen

if TYPE_CHECKING:
    from mqlint.estate.query.limits import Limits


@frozen
class QueryOptions:
    """The options that say what answers a query, and what it may take."""

    engine: str | None = option(
        "--engine",
        "Default: duckdb; spark with --master or under spark-submit. Spark runs a statement "
        "with all your rights.",
        type=click.Choice(["duckdb", "spark"]),
    )
    limit: int = option(
        "--limit N",
        "Stop with exit status 2 after N rows (duckdb).",
        type=AT_LEAST_ONE,
        default=100_000,
        show_default=True,
    )
    memory: int = option(
        "--memory MIB",
        "Memory in MiB (duckdb).",
        type=click.IntRange(min=64),
        default=1024,
        show_default=True,
    )
    threads: int = option(
        "--threads N", "Threads (duckdb).", type=AT_LEAST_ONE, default=2, show_default=True
    )
    timeout: float = option(
        "--timeout SECONDS",
        "Stop the query after this time (duckdb).",
        type=click.FloatRange(min=0, min_open=True),
        default=60.0,
        show_default=True,
    )

    def on_spark(self, master: str | None) -> bool:
        """Whether Spark answers; UsageError for options that contradict each other."""
        has_master = is_master_given(master)
        if self.engine == "duckdb" and has_master:
            raise click.UsageError("--master is for --engine spark")
        return self.engine == "spark" or (self.engine is None and (has_master or submitted()))

    @property
    def limits(self) -> Limits:
        """What a query by DuckDB may take."""
        from mqlint.estate.query.limits import Limits

        return Limits(self.limit, self.memory, self.threads, self.timeout)


@click.command("query", short_help="Query the tables of a scan in SQL.")
@click.argument("question", metavar="SQL")
@options("out engine master limit memory threads timeout", tables=TableOptions, query=QueryOptions)
@rows_option
def command(question: str, tables: TableOptions, query: QueryOptions, form: str) -> int:
    """Query the tables of the last complete scan in DIR in SQL.

    DuckDB runs one SELECT statement, or WITH ... SELECT. It reads the tables of DIR and no other
    file, and writes nothing. `mqlint estate tables` lists the tables. A table whose name begins
    with `history_` has the rows of all scans that are kept there, as in history_findings. Exit
    with 1 if a scan with damaged files was left out of such a table.
    """
    on_spark = query.on_spark(tables.master)
    java = require_spark() if on_spark else None
    if not on_spark:
        require_tables(FOR_ESTATE)
    from mqlint.estate.history.answer import QueryError
    from mqlint.estate.history.store import latest

    try:
        with ExitStack() as stack:
            stack.enter_context(reading(tables.out))
            asked = (tables.out.path, latest(tables.out.pulled()), question)
            if on_spark:
                from mqlint.estate.spark.query import ask

                folder = tables.out.path  # whose reader may not be allowed to write there
                log = folder / "query.log" if os.access(folder, os.W_OK) else Path(os.devnull)
                result = ask(stack.enter_context(spark_session(tables.master, log, java)), *asked)
            else:
                from mqlint.estate.query.answering import answer

                result = stack.enter_context(answer(*asked, query.limits))
            echo_rows(form, result.columns, result.rows)
            for note in result.left_out:
                warn(note)
            return FOUND if result.left_out else CLEAN
    except LostError:
        raise Refusal("a part of the cluster was lost: run the query again") from None
    except QueryError as error:
        raise Refusal(*str(error).splitlines()) from None
