"""The tables of a scan, column by column; `docs/estate.md` says what each column means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
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
    TimestampType,
)

from mqlint.finding import Finding

Row = tuple[object, ...]
"""One row of a table, in the order of its columns."""

text, number = StringType(), IntegerType()


def struct(**columns: DataType) -> StructType:
    """Return the schema with these columns, in order."""
    return StructType([StructField(name, kind) for name, kind in columns.items()])


@dataclass(frozen=True, slots=True)
class Labels:
    """Whose a repository is, and what ESTATE says of it besides."""

    team: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which scan, and when it began (UTC)."""

    scan: str
    scanned: datetime


_LABELS: Final = {"team": text, "labels": MapType(text, text)}
"""What ESTATE says of a repository: columns that are filled when a table is written."""

_STAMP: Final = {"scan": text, "scanned": TimestampType()}
"""Of which scan a row is: the last columns of each table."""

FILES: Final = struct(
    repository=text,
    **_LABELS,
    path=text,
    status=text,
    language=text,
    encoding=text,
    reason=text,
    digest=text,
    commands=number,
    understood=number,
    feeds=ArrayType(struct(file=text, queue_manager=text)),
    **_STAMP,
)
"""One row a file: `status` is checked, not-recognised or unreadable, `digest` the SHA-256."""

QUEUE_MANAGERS: Final = struct(
    repository=text,
    **_LABELS,
    site=text,
    role=text,
    queue_manager=text,
    files=ArrayType(text),
    has_dump=BooleanType(),
    complete=BooleanType(),
    objects=number,
    **_STAMP,
)
"""One row a queue manager that a file names."""

OBJECTS: Final = struct(
    repository=text,
    **_LABELS,
    site=text,
    queue_manager=text,
    type=text,
    subtype=text,
    name=text,
    attributes=MapType(text, text),
    path=text,
    line=number,
    **_STAMP,
)
"""One row an object: the attributes that are written out, as they are after all commands."""

FINDINGS: Final = struct(
    repository=text,
    **_LABELS,
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
    **_STAMP,
)
"""One row a finding."""

COVERAGE: Final = struct(
    repository=text,
    **_LABELS,
    status=text,
    language=text,
    reason=text,
    files=number,
    commands=number,
    understood=number,
    **_STAMP,
)
"""One row for each status, language and reason that files of a repository have in common."""

TABLES: Final[Mapping[str, StructType]] = {
    "files": FILES,
    "queue_managers": QUEUE_MANAGERS,
    "objects": OBJECTS,
    "findings": FINDINGS,
    "coverage": COVERAGE,
}
"""Every table by its name."""


def without_labels(schema: StructType) -> StructType:
    """Return the columns of a table that are known before it is written."""
    filled = _LABELS.keys() | _STAMP.keys()
    return StructType([field for field in schema.fields if field.name not in filled])


def finding_row(finding: Finding, repository: str, said: Labels) -> Row:
    """Return the row of a finding of a repository in the table `findings`."""
    rule, place, subject = finding.rule, finding.location, finding.subject
    return (
        *(repository, said.team, list(said.labels.items())),
        *(rule.id, rule.name, rule.group, finding.severity.word, rule.confidence.word),
        *(finding.message, place.path, place.start.line, place.start.column),
        *(place.end.line, place.end.column, subject.site, subject.queue_manager),
        *(subject.object_type, subject.object_name, subject.attribute),
        *(finding.incident, finding.fingerprint),
    )
