"""Rows of the tables of one scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.estate.history.store import Manifest, NoScanError, parts_of
from mqlint.estate.tables.batches import ROWS, Values
from mqlint.estate.tables.columns import STAMP
from mqlint.estate.tables.schema import TABLES
from mqlint.finding import Severity

_GRADES = frozenset(severity.word for severity in Severity)


def table_rows(
    out: Path, manifest: Manifest, table: str, columns: Sequence[str] = ()
) -> Iterator[Values]:
    """Yield rows of a table in no fixed order; all columns if none is named.

    Columns that the scan did not write yet are None; a table that it left out has no rows.
    NoScanError if a file of the table is missing or damaged.
    """
    wanted = dict.fromkeys(columns or TABLES[table].names)
    for path in parts_of(out, manifest, table):
        try:
            file = parquet.ParquetFile(path)
            there = set(file.schema_arrow.names)
            if not there.issuperset(STAMP):
                raise pa.ArrowInvalid
            present = [name for name in wanted if name in there]
            missing = {name: None for name in wanted if name not in there}
            types = pa.schema([TABLES[table].field(name) for name in present])
            for batch in file.iter_batches(ROWS, columns=present):
                rows = pa.Table.from_batches([batch]).select(present).cast(types).to_pylist()
                if not _GRADES.issuperset(row["severity"] for row in rows if "severity" in row):
                    raise pa.ArrowInvalid
                yield from (row | missing for row in rows)
        except (OSError, OverflowError, pa.ArrowException):
            shown = path.relative_to(out).as_posix()
            advice = f"delete {manifest.folder} and scan again"
            raise NoScanError(f"{shown} is damaged: {advice}") from None
