"""The tables of a scan, column by column, and how they are written and asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
)

from mqlint.finding import Finding

TABLES = ("files", "queue_managers", "objects", "findings", "coverage")


def struct(**columns: DataType) -> StructType:
    """Return the schema with these columns, in order."""
    return StructType([StructField(name, kind) for name, kind in columns.items()])


text_column, number_column = StringType(), IntegerType()

FILES = struct(
    path=text_column,
    status=text_column,
    language=text_column,
    encoding=text_column,
    reason=text_column,
    digest=text_column,
    commands=number_column,
    understood=number_column,
)
"""One row a file: `status` is checked, not-recognised or unreadable, `digest` the SHA-256."""

QUEUE_MANAGERS = struct(
    site=text_column,
    role=text_column,
    queue_manager=text_column,
    files=ArrayType(text_column),
    has_dump=BooleanType(),
    complete=BooleanType(),
    objects=number_column,
)
"""One row a queue manager that a file names."""

OBJECTS = struct(
    site=text_column,
    queue_manager=text_column,
    type=text_column,
    subtype=text_column,
    name=text_column,
    attributes=MapType(text_column, text_column),
    path=text_column,
    line=number_column,
)
"""One row an object: the attributes that are written out, as they are after all commands."""

FINDINGS = struct(
    rule=text_column,
    name=text_column,
    theme=text_column,
    severity=text_column,
    confidence=text_column,
    message=text_column,
    path=text_column,
    line=number_column,
    column=number_column,
    end_line=number_column,
    end_column=number_column,
    site=text_column,
    queue_manager=text_column,
    object_type=text_column,
    object_name=text_column,
    attribute=text_column,
    incident=text_column,
    fingerprint=text_column,
)
"""One row a finding."""


def finding_row(finding: Finding) -> tuple[object, ...]:
    """Return the row of a finding in the table `findings`."""
    rule, place, subject = finding.rule, finding.location, finding.subject
    return (
        *(rule.id, rule.name, rule.group, finding.severity.word, rule.confidence.word),
        *(finding.message, place.path, place.start.line, place.start.column),
        *(place.end.line, place.end.column, subject.site, subject.queue_manager),
        *(subject.object_type, subject.object_name, subject.attribute),
        *(finding.incident, finding.fingerprint),
    )


def unpacked(packed: DataFrame, schema: StructType) -> DataFrame:
    """Return the rows that a column `payload` of JSON arrays holds."""

    def stage(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        names = schema.names
        arrow = to_arrow_schema(schema)
        for batch in given:
            rows = [json.loads(text) for text in batch.column("payload").to_pylist()]
            values = [dict(zip(names, row, strict=True)) for row in rows]
            for value in values:
                if "attributes" in value:
                    value["attributes"] = list(value["attributes"].items())
            yield pa.RecordBatch.from_pylist(values, schema=arrow)

    return packed.mapInArrow(stage, schema)


def write(table: DataFrame, out: Path, name: str) -> None:
    """Write one table as Parquet, in place of an earlier one."""
    table.write.mode("overwrite").parquet(str(out / name))


def open_tables(spark: SparkSession, out: Path) -> list[str]:
    """Make the tables of `out` known by name to SQL, and return their names."""
    found = [name for name in TABLES if (out / name).is_dir()]
    for name in found:
        spark.read.parquet(str(out / name)).createOrReplaceTempView(name)
    return found


def rows_of(table: DataFrame) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table as plain tuples, one at a time."""
    for row in table.toLocalIterator():
        yield tuple(row)
