"""Where a scan leaves its tables, and how a reader knows that they are whole.

A scan writes into `DIR/.scan-ID`. When all tables are there the folder is renamed to `DIR/scan-ID`,
then the manifest `DIR/scan.json` is replaced, in one step, by one that names it. Readers go by the
manifest only: a scan that dies changes nothing for them.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
import pyarrow.parquet as parquet
from pyspark.sql.pandas.types import to_arrow_schema

from mqlint.spark.batches import batches
from mqlint.spark.tables import TABLES, Row

MANIFEST = "scan.json"
_PENDING, _WHOLE = ".scan-", "scan-"
_ABANDONED = 24 * 3600
_ROWS = 8192


class NoScanError(Exception):
    """There is no whole scan in a folder; the text says why."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole scan: its id, when it was finished (UTC), its folder in DIR, rows by table."""

    scan: str
    finished: str
    folder: str
    tables: Mapping[str, int]


class Draft:
    """Tables that are being written; nobody reads them before `commit`."""

    def __init__(self, out: Path) -> None:
        """Make a fresh folder in `out`, which exists; OSError when it cannot be written to."""
        self.scan = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{token_hex(3)}"
        self.folder = out / f"{_PENDING}{self.scan}"
        self.folder.mkdir()
        self._out = out

    def path(self, table: str) -> Path:
        """Return the folder of a table."""
        return self.folder / table

    def write(self, table: str, rows: Iterable[Row]) -> None:
        """Write a table whose rows are here, a bounded number of them at a time."""
        schema = to_arrow_schema(TABLES[table])
        self.path(table).mkdir()
        with parquet.ParquetWriter(self.path(table) / "part-0.parquet", schema) as writer:
            for batch in batches(rows, TABLES[table], _ROWS):
                writer.write_batch(batch)

    def read(self, table: str) -> Iterator[pa.RecordBatch]:
        """Yield a table that has been written, batch by batch."""
        for file in _parts(self.path(table)):
            yield from parquet.ParquetFile(file).iter_batches()

    def commit(self) -> Manifest:
        """Make this the scan that readers find; the one before it is removed."""
        tables = {table: _rows_in(self.path(table)) for table in TABLES}
        whole = self._out / f"{_WHOLE}{self.scan}"
        self.folder.rename(whole)
        finished = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = Manifest(self.scan, finished, whole.name, tables)
        before = _folder_named(self._out)
        draft = self._out / f".{MANIFEST}.{self.scan}"
        draft.write_text(json.dumps(asdict(manifest), indent=1) + "\n", encoding="utf-8")
        draft.replace(self._out / MANIFEST)
        if before is not None and before != whole:
            shutil.rmtree(before, ignore_errors=True)
        return manifest

    def discard(self) -> None:
        """Remove what was written."""
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def drafting(out: Path) -> Iterator[Draft]:
    """Give a draft that is removed when it has not been committed; OSError as `Draft`."""
    out.mkdir(parents=True, exist_ok=True)
    remove_abandoned(out)
    draft = Draft(out)
    try:
        yield draft
    finally:
        draft.discard()


def remove_abandoned(out: Path, age: float = _ABANDONED) -> None:
    """Remove what scans left that were killed more than `age` seconds ago.

    Younger ones are let alone: another scan may be writing them.
    """
    whole = _folder_named(out)
    for folder in (*out.glob(f"{_PENDING}*"), *out.glob(f"{_WHOLE}*")):
        if folder == whole:
            continue
        with suppress(OSError):
            newest = max(one.stat().st_mtime for one in (folder, *folder.iterdir()))
            if newest < time.time() - age:
                shutil.rmtree(folder, ignore_errors=True)


def latest(out: Path) -> Manifest:
    """Return the whole scan in `out`; NoScanError when there is none."""
    try:
        found = json.loads((out / MANIFEST).read_text("utf-8"))
        manifest = Manifest(*(found[name] for name in Manifest.__slots__))
    except FileNotFoundError:
        raise NoScanError("no scan has been finished there") from None
    except OSError as error:
        raise NoScanError((error.strerror or str(error)).lower()) from None
    except (ValueError, KeyError, TypeError):
        raise NoScanError(f"its {MANIFEST} is not one that mqlint wrote") from None
    if os.path.basename(manifest.folder) != manifest.folder:  # noqa: PTH119 text, not a path
        raise NoScanError(f"its {MANIFEST} names a folder elsewhere")
    missing = [table for table in TABLES if not (out / manifest.folder / table).is_dir()]
    if missing:
        raise NoScanError(f"of its scan these tables are gone: {', '.join(missing)}")
    return manifest


def _folder_named(out: Path) -> Path | None:
    try:
        return out / latest(out).folder
    except NoScanError:
        return None


def _parts(table: Path) -> list[Path]:
    return sorted(table.glob("*.parquet"))


def _rows_in(table: Path) -> int:
    return sum(parquet.read_metadata(file).num_rows for file in _parts(table))
