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
            for batch in file.iter_batches(ROWS, columns=present):
                yield from (row | missing for row in batch.to_pylist())
        except (OSError, pa.ArrowException):
            shown = path.relative_to(out).as_posix()
            advice = f"delete {manifest.folder} and scan again"
            raise NoScanError(f"{shown} is damaged: {advice}") from None
