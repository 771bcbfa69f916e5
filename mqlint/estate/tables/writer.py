"""Tables are written where their rows are made: each task leaves Parquet files of its own.

So the rows of tables, which are most of the output of a scan, do not pass between Python and Java.
A task returns the names of its files. A task that Spark runs again, or that dies, leaves files that
are in no result; these are removed before the tables are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
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

    def __init__(self, folder: Path, sink: Sink | None = None) -> None:
        """A table's files are in `folder/TABLE`; nothing is made before there are rows.

        Those of a `sink` are tables of a scan, which get its columns.
        """
        self._folder = folder
        self._sink = sink
        self._name = f"part-{token_hex(12)}.parquet"
        self._files: dict[str, _File] = {}

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Write some rows, whose columns are always the same for a table."""
        if not batch.num_rows:
            return
        file = self._files.get(table)
        if file is None:
            schema = batch.schema if self._sink is None else TABLES[table]
            path = self._folder / table / self._name
            file = self._files[table] = _File(path, schema, self._sink)
        file.add(batch)

    def add_rows(self, table: str, rows: Iterable[Row]) -> None:
        """Write rows of a table of a scan, which have the columns of `without_labels`."""
        for batch in batches(rows, without_labels(TABLES[table])):
            self.add(table, batch)

    def finish(self) -> Iterator[tuple[str, int]]:
        """Close the files and yield the name of each below the folder, and its rows."""
        while self._files:
            table, file = self._files.popitem()
            yield f"{table}/{self._name}", file.close()

    def close(self) -> None:
        """Remove the files that are not finished."""
        while self._files:
            _, file = self._files.popitem()
            file.discard()


class _File:
    def __init__(self, path: Path, schema: pa.Schema, sink: Sink | None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._schema = schema
        self._sink = sink
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
        rows = pa.Table.from_batches(self._waiting)
        if self._sink is not None:
            rows = self._sink.completed(rows.combine_chunks(), self._schema)
        self._writer.write_table(rows)
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

    def writing(self) -> closing[TaskFiles]:
        """Return the files of a task as a context; those that are not finished are removed."""
        return closing(TaskFiles(self.folder, self))

    def completed(self, rows: pa.Table, schema: pa.Schema) -> pa.Table:
        """Return rows with the columns that are filled when a table is written."""
        added = self._added(rows)
        columns = [added[name] if name in added else rows.column(name) for name in schema.names]
        return pa.Table.from_arrays(columns, schema=schema)

    def _added(self, rows: pa.Table) -> dict[str, pa.Array]:
        repositories = rows.column("repository")
        distinct = repositories.unique()
        nothing, stamp = Labels(), self.stamp
        labels = [self.labels.get(name, nothing) for name in distinct.to_pylist()]
        at, alike = pc.index_in(repositories, distinct), pa.array([0] * len(rows))
        return {
            "team": self._teams(rows, [label.team for label in labels], at),
            "labels": _column("labels", [list(label.labels.items()) for label in labels]).take(at),
            "scan": _column("scan", [stamp.scan]).take(alike),
            "scanned": _column("scanned", [stamp.scanned]).take(alike),
        }

    def _teams(self, rows: pa.Table, own: list[str | None], at: pa.ChunkedArray) -> pa.Array:
        """The team of each row: that of its file if a pattern matches, or of its repository."""
        if not self.teams.patterns:
            return _column("team", own).take(at)
        repositories = rows.column("repository").to_pylist()
        paths = _paths(rows)
        of_repository = [own[place] for place in at.to_pylist()]
        found = zip(repositories, paths, of_repository, strict=True)
        return _column("team", [self.teams.team_of(*row) for row in found])


def _paths(rows: pa.Table) -> list[str | None]:
    """The file of each row: its `path`, or the first of its `files`."""
    for name in ("path", "file_path"):
        if name in rows.schema.names:
            return list(rows.column(name).to_pylist())
    if "files" in rows.schema.names and pa.types.is_list(rows.schema.field("files").type):
        return [next(iter(files or ()), None) for files in rows.column("files").to_pylist()]
    return [None] * len(rows)


def _column(name: str, values: Sequence[object]) -> pa.Array:
    return pa.array(values, TABLES["coverage"].field(name).type)
