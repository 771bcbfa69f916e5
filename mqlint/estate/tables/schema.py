"""The tables of a scan, as Arrow schemas; `mqlint/engine/tables.yaml` has their columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Final

import pyarrow as pa

from mqlint.dataclass import frozen
from mqlint.engine.projections import table_columns
from mqlint.finding import SCHEME, Finding

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


def _list_of(**fields: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", pa.struct(fields)))


_TYPES: Final[Mapping[str, pa.DataType]] = {
    "text": text,
    "number": number,
    "flag": flag,
    "moment": moment,
    "texts": texts,
    "pairs": pa.map_(text, text),
    "counts": pa.map_(text, number),
    "feeds": _list_of(file=text, queue_manager=text),
    "statements": _list_of(line=number, text=text, kind=text, reason=text),
}
"""Types by the words of that file."""


def _column(about: str) -> tuple[pa.DataType, str]:
    kind, _, meaning = about.partition("; ")
    return _TYPES[kind], meaning


TABLES: Final[Mapping[str, pa.Schema]] = {
    name: table(**{key: _column(about) for key, about in columns.items()})
    for name, columns in table_columns().items()
}
"""Every table by its name."""

FINDINGS: Final = TABLES["findings"]
JUDGEMENTS: Final = "judgements"
"""The table of verdicts."""

TREND: Final = "trend"
"""The table of numbers that each scan takes from the one before."""

AUDIT: Final = ("trend", "scans", "repositories", "rules", "exceptions", "inventory", "controls")
"""The tables for an auditor: what was scanned, by whom, under which rules and exceptions."""

REQUIRED: Final = ("files", "findings", "coverage")
"""The tables that every scan has, also of an earlier mqlint."""

ALWAYS: Final = (*REQUIRED, *AUDIT)
"""The tables that are always written; `--no-tables` leaves the others out."""

VIEWS: Final[Mapping[str, tuple[str, str]]] = {
    "rule_judgements": (
        JUDGEMENTS,
        "SELECT repository, team, site, queue_manager, verdict, explode(rule_ids) AS rule_id,"
        " missing_value, object_type, object_name, file_path, is_excepted, scan, scanned"
        " FROM judgements",
    ),
    "attributes": (
        "objects",
        "SELECT repository, team, site, queue_manager, type, subtype, name,"
        " item.key AS attribute, item.value AS value, path, line, scan, scanned"
        " FROM (SELECT *, explode(map_entries(attributes)) AS item FROM objects)",
    ),
    "grants": (
        "authorities",
        "SELECT repository, team, site, queue_manager, profile, object_type, entity, is_group,"
        " explode(authorities) AS authority, path, line, scan, scanned FROM authorities",
    ),
}
"""Views with a row for each element of a column: of which table, and how, in SQL of all engines."""


def finding_row(finding: Finding) -> Row:
    """Return the row of a finding in the table `findings`, less its labels.

    Its own fingerprint, whether it is known and since when are not known yet.
    """
    rule, place, subject = finding.rule, finding.location, finding.subject
    return (
        *(finding.repository, rule.id, rule.name, rule.group),
        *(finding.severity.word, rule.confidence.word),
        *(finding.message, place.path, place.start.line, place.start.column),
        *(place.end.line, place.end.column, subject.site, subject.queue_manager),
        *(subject.object_type, subject.object_name, subject.attribute),
        *(finding.incident, finding.fingerprint, None, SCHEME, None, None, None),
    )
