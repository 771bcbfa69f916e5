"""Arrow's schemas and rows as Spark has them."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqlint.estate.io.private import privately
from mqlint.estate.tables.batches import Stage, batches
from mqlint.estate.tables.schema import Row


def spark_schema(schema: pa.Schema) -> StructType:
    """Return a schema as Spark has it."""
    return from_arrow_schema(schema)


def mapped(frame: DataFrame, stage: Stage) -> DataFrame:
    """Return the output of a stage for the rows of a DataFrame."""
    return frame.mapInArrow(privately(stage), spark_schema(stage.schema))


def dataframe(spark: SparkSession, rows: Iterable[Row], schema: pa.Schema) -> DataFrame:
    """Return a DataFrame of rows that are here."""
    table = pa.Table.from_batches(batches(rows, schema), schema)
    return spark.createDataFrame(table, spark_schema(schema))
