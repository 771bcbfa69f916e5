"""Rows to Arrow batches and back: the form in which stages hand data to each other.

Rows of a stage are named tuples, from whose annotations the Arrow schema is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, get_type_hints

import pyarrow as pa

from mqlint.dataclass import NamedTuple, frozen
from mqlint.estate.tables.schema import Row, flag, number, text

Batches = Iterator[pa.RecordBatch]
InputBatches = Iterable[pa.RecordBatch]
Values = dict[str, Any]
"""A row by the names of its columns; a column has the type that its schema says."""

Record = TypeVar("Record", bound=tuple[Any, ...])
"""A named tuple: one row of a stage."""
P = ParamSpec("P")


@frozen
class Stage:
    """A step of a scan, which may run anywhere: a function of batches, and the schema it gives."""

    schema: pa.Schema
    run: Callable[[InputBatches], Batches]


def batch_stage(
    schema: pa.Schema,
) -> Callable[[Callable[Concatenate[InputBatches, P], Batches]], Callable[P, Stage]]:
    """Make of a function of batches and parameters one that takes the parameters, for a Stage."""

    def decorate(function: Callable[Concatenate[InputBatches, P], Batches]) -> Callable[P, Stage]:
        @wraps(function)
        def stage(*args: P.args, **kwargs: P.kwargs) -> Stage:
            return Stage(schema, lambda given: function(given, *args, **kwargs))

        return stage

    return decorate


def row_stage(
    kind: type[Record], schema: pa.Schema
) -> Callable[[Callable[Concatenate[Iterator[Record], P], Iterable[Row]]], Callable[P, Stage]]:
    """Do as `batch_stage` for a function of rows: it takes named tuples of a kind."""

    def decorate(
        function: Callable[Concatenate[Iterator[Record], P], Iterable[Row]],
    ) -> Callable[P, Stage]:
        @batch_stage(schema)
        @wraps(function)
        def stage(given: InputBatches, /, *args: P.args, **kwargs: P.kwargs) -> Batches:
            return batches(function(records(given, kind), *args, **kwargs), schema)

        return stage

    return decorate


_TYPES: Final = {str: text, int: number, bool: flag, bytes: pa.binary()}


@cache
def schema_of(record: type[NamedTuple]) -> pa.Schema:
    hints = get_type_hints(record)
    return pa.schema([pa.field(name, _arrow_type(hints[name])) for name in record._fields])


def _arrow_type(hint: Any) -> pa.DataType:  # noqa: ANN401 an annotation
    """The Arrow type of an annotation, which may also allow None."""
    allowed = (hint, *getattr(hint, "__args__", ()))
    return next(_TYPES[kind] for kind in allowed if kind in _TYPES)


def records(given: InputBatches, kind: type[Record]) -> Iterator[Record]:
    """Yield the rows of batches as named tuples of a kind, one at a time."""
    record: Any = kind
    for batch in given:
        columns = (batch.column(name).to_pylist() for name in record._fields)
        yield from map(record._make, zip(*columns, strict=True))


ROWS = 512
"""Rows of a batch at most."""

BYTES = 8 << 20
"""Bytes that the rows of a batch hold, less those of its last row: whole dumps are among them, and
all findings of a document as one text."""


_SIZED: Final = (str, bytes)


def rows(batches: InputBatches) -> Iterator[Values]:
    """Yield the rows of Arrow batches, one at a time."""
    for batch in batches:
        yield from batch.to_pylist()


def batches(found: Iterable[Row], schema: pa.Schema, size: int = ROWS) -> Batches:
    """Gather rows into Arrow batches of at most `size` rows."""
    for some in _gathered(found, size):
        columns = zip(*some, strict=True)
        arrays = [
            _column(values, field.type) for values, field in zip(columns, schema, strict=True)
        ]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _gathered(found: Iterable[Row], size: int) -> Iterator[list[Row]]:
    some: list[Row] = []
    held = 0
    for row in found:
        some.append(row)
        for cell in row:
            if isinstance(cell, _SIZED):
                held += len(cell)
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
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_encodable(item) for item in value)
    return value
