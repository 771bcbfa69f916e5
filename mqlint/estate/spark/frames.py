"""Arrow's schemas and rows as Spark has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from secrets import token_hex
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqlint.estate.io.private import privately
from mqlint.estate.tables.batches import Stage, batches
from mqlint.estate.tables.schema import Row

_BETWEEN_CANCELS: Final = 0.5
"""Seconds: a job may begin after others were cancelled."""


def is_remote(spark: SparkSession) -> bool:
    """Whether a session is one of Spark Connect, whose driver is elsewhere."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def spark_schema(schema: pa.Schema) -> StructType:
    """Return a schema as Spark has it."""
    return from_arrow_schema(schema)


def mapped(frame: DataFrame, stage: Stage) -> DataFrame:
    """Return the output of a stage for the rows of a DataFrame."""
    return frame.mapInArrow(privately(stage), spark_schema(stage.schema))


def arrow_table(frame: DataFrame) -> pa.Table:
    """Return all rows of a DataFrame here; Ctrl-C and SIGTERM cancel the jobs that make them.

    By itself pyspark waits for the end of these jobs, which may take hours.
    """
    session, tag = frame.sparkSession, f"mqlint-{token_hex(8)}"
    cancel: Callable[[str], object]
    if is_remote(session):
        mark, cancel = session.addTag, session.interruptTag
    else:  # the tags of such a session hold for one thread
        mark, cancel = session.sparkContext.addJobTag, session.sparkContext.cancelJobsWithTag

    def collect() -> pa.Table:
        mark(tag)
        return frame.toArrow()

    with ThreadPoolExecutor(1) as pool:
        rows = pool.submit(collect)
        try:
            return rows.result()
        except KeyboardInterrupt:
            while not rows.done():
                with suppress(Exception):  # Spark may be gone
                    cancel(tag)
                wait([rows], _BETWEEN_CANCELS)
            raise


def dataframe(spark: SparkSession, rows: Iterable[Row], schema: pa.Schema) -> DataFrame:
    """Return a DataFrame of rows that are here."""
    table = pa.Table.from_batches(batches(rows, schema), schema)
    return spark.createDataFrame(table, spark_schema(schema))
