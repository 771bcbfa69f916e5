"""Questions to the tables of a scan, in Spark's SQL."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from mqlint.estate.history.answer import (
    HISTORY,
    LEFT_OUT,
    QueryError,
    QueryResult,
    distinct,
    tables_asked,
)
from mqlint.estate.history.store import Manifest
from mqlint.estate.spark.cluster import plain, spark_schema, uri
from mqlint.estate.tables.schema import TABLES, VIEWS

_PLAN = (";\n", "\n\nJVM stacktrace", "\nJVM stacktrace")


def ask(spark: SparkSession, out: Path, manifest: Manifest, question: str) -> QueryResult:
    """Ask the tables of a scan, and of all scans in `history_` and the name of a table.

    QueryError at once, or from the rows as they are asked for.
    """
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    for name in ("spark.sql.adaptive.enabled", "spark.sql.codegen.wholeStage"):
        spark.conf.set(name, "true")  # rows of tables are many
    try:
        for name in (*TABLES, *VIEWS):
            spark.catalog.dropTempView(name)
        asked = tables_asked(out, manifest, question)
        for name, parts in asked.files.items():
            _view(spark, name, parts)
        for name, (table, view) in VIEWS.items():
            if table in asked.files:
                spark.sql(view).createOrReplaceTempView(name)
        found = spark.sql(question)
    except PySparkException as error:
        left_out = "" if len(manifest.tables) == len(TABLES) else f"\n{LEFT_OUT}"
        raise QueryError(short(str(error)) + left_out) from error
    columns = distinct(found.columns)
    return QueryResult(columns, _rows(found.toDF(*columns)), asked.left_out)


def _view(spark: SparkSession, view: str, parts: Sequence[Path]) -> None:
    """A view of files of a table, without rows if there are none."""
    places = [uri(plain(part.absolute())) for part in parts]
    schema = spark_schema(TABLES[view.removeprefix(HISTORY)])
    found = (
        spark.read.schema(schema).parquet(*places) if places else spark.createDataFrame([], schema)
    )
    found.createOrReplaceTempView(view)


def short(message: str) -> str:
    """Return what Spark says about a mistake, without its plan and its stack."""
    for mark in _PLAN:
        message = message.partition(mark)[0]
    return message.strip()


def _rows(found: DataFrame) -> Iterator[Sequence[object]]:
    try:
        for row in found.toLocalIterator():
            yield [*row.asDict(recursive=True).values()]
    except PySparkException as error:
        raise QueryError(short(str(error))) from error
