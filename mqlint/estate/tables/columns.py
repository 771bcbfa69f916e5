"""Common parts of all tables of a scan: types, labels, the stamp, and how a table is made.

A column's meaning is in its metadata, in the form in which Spark keeps the comment of a column.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Final

import pyarrow as pa

from mqlint.dataclass import frozen

Row = tuple[object, ...]
"""One row of a table, in the order of its columns."""

text, number, flag = pa.string(), pa.int32(), pa.bool_()
moment = pa.timestamp("us", "UTC")
texts = pa.list_(pa.field("element", text))

Column = tuple[pa.DataType, str]
"""The type of a column, and what it means."""

_METADATA = b"SPARK::metadata::json"


@frozen
class Labels:
    """The owner of a repository, and other keys of the repository in ESTATE."""

    team: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


@frozen
class Stamp:
    """Which scan, and when it began (UTC)."""

    scan: str
    scanned: datetime


LABELS: Final[Mapping[str, Column]] = {
    "team": (text, "the team of the repository, as set in ESTATE"),
    "labels": (pa.map_(text, text), "other keys of the repository in ESTATE"),
}
STAMP: Final[Mapping[str, Column]] = {
    "scan": (text, "the id of the scan, later ones after earlier ones"),
    "scanned": (moment, "when the scan began, UTC"),
}
"""Both are filled when a table is written."""


def table(**columns: Column) -> pa.Schema:
    """A table: the repository and its labels, its own columns, and of which scan it is."""
    repository = {"repository": (text, "the repository, blank for a folder outside a repository")}
    every = {**repository, **LABELS, **columns, **STAMP}
    return pa.schema(
        [
            pa.field(name, kind, metadata={_METADATA: json.dumps({"comment": meaning})})
            for name, (kind, meaning) in every.items()
        ]
    )


def meaning_of(column: pa.Field) -> str:
    """Return the meaning of a column of a table."""
    meaning: str = json.loads(column.metadata[_METADATA])["comment"]
    return meaning


def sql_type(kind: pa.DataType) -> str:
    """Return the type of a column as Spark's SQL writes it."""
    if pa.types.is_list(kind):
        return f"array<{sql_type(kind.value_type)}>"
    if pa.types.is_map(kind):
        return f"map<{sql_type(kind.key_type)},{sql_type(kind.item_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{','.join(f'{inner.name}:{sql_type(inner.type)}' for inner in kind)}>"
    return {number: "int", flag: "boolean"}.get(kind, str(kind).partition("[")[0])


def without_labels(schema: pa.Schema) -> pa.Schema:
    """Return the columns of a table that are known before it is written."""
    filled = LABELS.keys() | STAMP.keys()
    return pa.schema([column for column in schema if column.name not in filled])
