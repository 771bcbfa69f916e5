"""Rows to Arrow batches and back: the form in which Spark and Python hand data to each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from mqlint.estate.tables.schema import Row

Batches = Iterator[pa.RecordBatch]
Given = Iterable[pa.RecordBatch]
Values = dict[str, Any]
"""A row by the names of its columns; a column has the type that its schema says."""


def arrow_schema(schema: StructType) -> pa.Schema:
    """Return a schema as Arrow writes it, times in UTC."""
    return to_arrow_schema(schema, timezone="UTC")


ROWS = 512
"""Rows of a batch at most."""

BYTES = 8 << 20
"""Bytes that the rows of a batch hold, less those of its last row: whole dumps are among them."""


def rows(batches: Given) -> Iterator[Values]:
    """Yield the rows of Arrow batches, one at a time."""
    for batch in batches:
        yield from batch.to_pylist()


def batches(found: Iterable[Row], schema: StructType, size: int = ROWS) -> Batches:
    """Gather rows into Arrow batches of at most `size` rows."""
    arrow = arrow_schema(schema)
    for some in _gathered(found, size):
        columns = zip(*some, strict=True)
        arrays = [_column(values, field.type) for values, field in zip(columns, arrow, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=arrow)


def _gathered(found: Iterable[Row], size: int) -> Iterator[list[Row]]:
    some: list[Row] = []
    held = 0
    for row in found:
        some.append(row)
        held += sum(len(cell) for cell in row if type(cell) is bytes)
        if len(some) >= size or held >= BYTES:
            yield some
            some, held = [], 0
    if some:
        yield some


def _column(values: tuple[object, ...], kind: pa.DataType) -> pa.Array:
    """Arrow's text is UTF-8: half a surrogate pair, which has no place in it, becomes `?`."""
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array([_encodable(value) for value in values], kind)


def _encodable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_encodable(one) for one in value)
    return value
