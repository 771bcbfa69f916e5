"""Rows of the tables of one scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as parquet

from mqlint.estate.history.store import Manifest
from mqlint.estate.tables.batches import Values
from mqlint.estate.tables.schema import TABLES


def table_rows(
    out: Path, manifest: Manifest, table: str, columns: Sequence[str] = ()
) -> Iterator[Values]:
    """Yield rows of a table in no fixed order; all columns if none is named.

    Columns that the scan did not write yet are None; a table that it left out has no rows.
    """
    wanted = columns or TABLES[table].names
    for path in sorted((out / manifest.folder / table).glob("*.parquet")):
        file = parquet.ParquetFile(path)
        there = set(file.schema_arrow.names)
        missing = dict.fromkeys(name for name in wanted if name not in there)
        for batch in file.iter_batches(columns=[name for name in wanted if name in there]):
            yield from (row | missing for row in batch.to_pylist())
