"""Tables are written where their rows are made: each task leaves Parquet files of its own.

So the rows of tables, which are most of the output of a scan, do not pass between Python and Java.
A task returns the names of its files. A task that Spark runs again, or that dies, leaves files that
are in no result; these are removed before the tables are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from mqlint.config.estate.teams import Teams
from mqlint.dataclass import frozen
from mqlint.estate.tables.batches import batches
from mqlint.estate.tables.schema import TABLES, Labels, Row, Stamp, without_labels

_ROWS = 8192
_BYTES = 16 << 20


class LostPartError(OSError):
    """A file that a task left is not there: who runs tasks does not see the folder of the scan."""

    def __init__(self) -> None:
        """Say it as errors of files do."""
        super().__init__(
            0, "files that executors write there are not visible here: use a shared path"
        )


class TaskFiles:
    """The files of one task, below one folder: `add` rows to tables, then `finish`."""

    def __init__(self, folder: Path) -> None:
        """A table's files are in `folder/TABLE`; nothing is made before there are rows."""
        self._folder = folder
        self._name = f"part-{token_hex(12)}.parquet"
        self._files: dict[str, _File] = {}

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Write some rows, whose columns are always the same for a table."""
        file = self._files.get(table)
        if file is None:
            file = self._files[table] = _File(self._folder / table / self._name, batch.schema)
        file.add(batch)

    def finish(self) -> Iterator[tuple[str, int]]:
        """Close the files and yield the name of each below the folder, and its rows."""
        while self._files:
            table, file = self._files.popitem()
            yield f"{table}/{self._name}", file.close()

    def discard(self) -> None:
        """Remove the files that are not finished."""
        while self._files:
            _, file = self._files.popitem()
            file.discard()


@contextmanager
def task_files(folder: Path) -> Iterator[TaskFiles]:
    """Give parts; those that are not finished are removed."""
    parts = TaskFiles(folder)
    try:
        yield parts
    finally:
        parts.discard()


class _File:
    def __init__(self, path: Path, schema: pa.Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._writer = parquet.ParquetWriter(path, schema)
        self._waiting: list[pa.RecordBatch] = []
        self._held = self._bytes = self._rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self._waiting.append(batch)
        self._held += batch.num_rows
        self._bytes += batch.nbytes
        if self._held >= _ROWS or self._bytes >= _BYTES:
            self._flush()

    def close(self) -> int:
        if self._waiting:
            self._flush()
        self._writer.close()
        return self._rows

    def discard(self) -> None:
        with suppress(OSError, pa.ArrowException):
            self._writer.close()
        self._path.unlink(missing_ok=True)

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_batches(self._waiting))
        self._rows += self._held
        self._waiting.clear()
        self._held = self._bytes = 0


def remove_unreported(table: Path, reported: Collection[str]) -> None:
    """Remove the files in the folder of a table whose names are not reported.

    LostPartError when a reported one is missing.
    """
    found = {file.name for file in table.glob("part-*")}
    for name in found.difference(reported):
        (table / name).unlink(missing_ok=True)
    if not found.issuperset(reported):
        raise LostPartError


@frozen
class Sink:
    """The tables that a scan writes, their folder, and the columns that each row gets.

    All executors see the folder. `labels` go by the name of the repository.
    """

    folder: Path
    tables: tuple[str, ...]
    stamp: Stamp
    labels: Mapping[str, Labels]
    teams: Teams = Teams()

    @contextmanager
    def writing(self) -> Iterator[TableWriter]:
        """Give a writer; files that are not finished are removed."""
        with task_files(self.folder) as parts:
            yield TableWriter(self, parts)


class TableWriter:
    """Writes rows that have the columns of `without_labels`; the others are added."""

    def __init__(self, sink: Sink, parts: TaskFiles) -> None:
        """`sink` has the columns that are added."""
        self._sink = sink
        self._parts = parts

    @property
    def wanted(self) -> Sequence[str]:
        """The names of the tables that are written."""
        return self._sink.tables

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Write a batch."""
        if not batch.num_rows:
            return
        added, schema = self._added(batch), TABLES[table]
        columns = [added[name] if name in added else batch.column(name) for name in schema.names]
        self._parts.add(table, pa.RecordBatch.from_arrays(columns, schema=schema))

    def add_rows(self, table: str, rows: Iterable[Row]) -> None:
        """Write rows."""
        for batch in batches(rows, without_labels(TABLES[table])):
            self.add(table, batch)

    def finish(self) -> Iterator[tuple[str, int]]:
        return self._parts.finish()

    def _added(self, batch: pa.RecordBatch) -> dict[str, pa.Array]:
        """The columns that are filled when a table is written."""
        repositories = batch.column("repository")
        distinct = repositories.unique()
        nothing, stamp = Labels(), self._sink.stamp
        labels = [self._sink.labels.get(name, nothing) for name in distinct.to_pylist()]
        at, alike = pc.index_in(repositories, distinct), pa.array([0] * len(batch))
        return {
            "team": self._teams(batch, [label.team for label in labels], at),
            "labels": _column("labels", [list(label.labels.items()) for label in labels]).take(at),
            "scan": _column("scan", [stamp.scan]).take(alike),
            "scanned": _column("scanned", [stamp.scanned]).take(alike),
        }

    def _teams(self, batch: pa.RecordBatch, own: list[str | None], at: pa.Array) -> pa.Array:
        """The team of each row: that of its file if a pattern matches, or of its repository."""
        if not self._sink.teams.patterns:
            return _column("team", own).take(at)
        repositories = batch.column("repository").to_pylist()
        paths = _paths(batch)
        of_repository = [own[place] for place in at.to_pylist()]
        rows = zip(repositories, paths, of_repository, strict=True)
        return _column("team", [self._sink.teams.team_of(*row) for row in rows])


def _paths(batch: pa.RecordBatch) -> list[str | None]:
    """The file of each row: its `path`, or the first of its `files`."""
    for name in ("path", "file_path"):
        if name in batch.schema.names:
            return list(batch.column(name).to_pylist())
    if "files" in batch.schema.names and pa.types.is_list(batch.schema.field("files").type):
        return [next(iter(files or ()), None) for files in batch.column("files").to_pylist()]
    return [None] * len(batch)


def _column(name: str, values: Sequence[object]) -> pa.Array:
    """Values of a column that all tables have."""
    return pa.array(values, TABLES["coverage"].field(name).type)
