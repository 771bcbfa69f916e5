"""Rows of the tables of one scan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.dataclass import names_of
from mqlint.estate.history.store import Manifest, NoScanError, latest, parts_of
from mqlint.estate.tables.batches import ROWS, Values
from mqlint.estate.tables.schema import STAMP, TABLES
from mqlint.finding import SCHEME, Checked, Coverage, FileCoverage, Severity, Unjudged

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


def files_of(out: Path, manifest: Manifest, *, statements: bool = True) -> Iterator[FileCoverage]:
    """Yield what became of each file, in no order; with the `statements` that were not judged.

    NoScanError as of `table_rows`.
    """
    names = [name for name in names_of(FileCoverage) if statements or name != "unjudged"]
    for row in table_rows(out, manifest, "files", names):
        unjudged = tuple(Unjudged(**statement) for statement in row.get("unjudged") or ())
        yield FileCoverage(**row | {"counts": dict(row["counts"] or ()), "unjudged": unjudged})


def coverage_of(out: Path, manifest: Manifest, *, statements: bool = False) -> Coverage:
    """Return what a scan read: rows of files not checked, or in part, and numbers of the others."""
    sizes: Counter[str] = Counter()
    listed: list[FileCoverage] = []
    for file in files_of(out, manifest, statements=statements):
        if file.status != "checked" or file.reason or file.counts:
            listed.append(file)
        else:
            sizes.update(files=1, commands=file.commands, understood=file.understood)
    return Coverage(tuple(sorted(listed, key=attrgetter("path"))), Checked(**sizes))


_COLUMNS = ("repository", "fingerprint", "shared_fingerprint", "first_seen", "scanned")


def first_seen(out: Path) -> Iterator[Values]:
    """Yield when each finding of the current scan in `out` was first seen; nothing without one.

    A scan that made fingerprints in another way tells nothing, nor does a damaged table.
    """
    with suppress(NoScanError):
        manifest = latest(out)
        if manifest.fingerprints != SCHEME:
            return
        for row in table_rows(out, manifest, "findings", _COLUMNS):
            seen = row["first_seen"] or row["scanned"]
            if seen is not None:
                shared = row["shared_fingerprint"] or row["fingerprint"]
                yield row | {"first_seen": seen, "shared": shared}
