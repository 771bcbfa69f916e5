"""The tables of a scan, column by column; `docs/estate.md` says what each column means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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

Row = tuple[object, ...]
"""One row of a table, in the order of its columns."""

text, number = StringType(), IntegerType()


def struct(**columns: DataType) -> StructType:
    """Return the schema with these columns, in order."""
    return StructType([StructField(name, kind) for name, kind in columns.items()])


FILES: Final = struct(
    path=text,
    status=text,
    language=text,
    encoding=text,
    reason=text,
    digest=text,
    commands=number,
    understood=number,
    feeds=ArrayType(struct(file=text, queue_manager=text)),
)
"""One row a file: `status` is checked, not-recognised or unreadable, `digest` the SHA-256."""

QUEUE_MANAGERS: Final = struct(
    site=text,
    role=text,
    queue_manager=text,
    files=ArrayType(text),
    has_dump=BooleanType(),
    complete=BooleanType(),
    objects=number,
)
"""One row a queue manager that a file names."""

OBJECTS: Final = struct(
    site=text,
    queue_manager=text,
    type=text,
    subtype=text,
    name=text,
    attributes=MapType(text, text),
    path=text,
    line=number,
)
"""One row an object: the attributes that are written out, as they are after all commands."""

FINDINGS: Final = struct(
    rule=text,
    name=text,
    theme=text,
    severity=text,
    confidence=text,
    message=text,
    path=text,
    line=number,
    column=number,
    end_line=number,
    end_column=number,
    site=text,
    queue_manager=text,
    object_type=text,
    object_name=text,
    attribute=text,
    incident=text,
    fingerprint=text,
)
"""One row a finding."""

COVERAGE: Final = struct(
    status=text, language=text, reason=text, files=number, commands=number, understood=number
)
"""One row for each status, language and reason that files have in common."""

TABLES: Final[Mapping[str, StructType]] = {
    "files": FILES,
    "queue_managers": QUEUE_MANAGERS,
    "objects": OBJECTS,
    "findings": FINDINGS,
    "coverage": COVERAGE,
}
"""Every table by its name."""


def finding_row(finding: Finding) -> Row:
    """Return the row of a finding in the table `findings`."""
    rule, place, subject = finding.rule, finding.location, finding.subject
    return (
        *(rule.id, rule.name, rule.group, finding.severity.word, rule.confidence.word),
        *(finding.message, place.path, place.start.line, place.start.column),
        *(place.end.line, place.end.column, subject.site, subject.queue_manager),
        *(subject.object_type, subject.object_name, subject.attribute),
        *(finding.incident, finding.fingerprint),
    )
