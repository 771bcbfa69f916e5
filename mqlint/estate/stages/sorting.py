"""Rows in order: sorted in memory, or in files that are merged if they are too many."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

SPILL: Final = 8 << 20
"""So many bytes are sorted in memory; more go to files first."""

_ROWS: Final = 256
_BYTES: Final = 512 << 10
"""Rows and bytes of a batch at most: a merge holds one of each file. A row may have more bytes."""

_FILES: Final = 16
"""Files that are merged at once, if their rows are not large."""

_HEADS: Final = 64 << 20
"""Bytes of the rows that a merge holds, one of each file; two files are merged in any case."""


class Sorter:
    """Takes batches in, and gives their rows in order, as often as they are asked for."""

    def __init__(
        self, schema: pa.Schema, order: Sequence[str], folder: Path, spill: int = SPILL
    ) -> None:
        """Beyond `spill` bytes rows are in a new folder in `folder`, as long as this is in use.

        No column of `order` has nulls.
        """
        self._schema = schema
        self._order = order
        self._parent = folder
        self._spill = spill
        self._held: list[pa.RecordBatch] = []
        self._size = 0
        self._widest = 1
        self._work: Path | None = None
        self._levels: list[list[Path]] = []
        """Sorted files; one of a level has the rows of several of the level before."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in rows."""
        self._held.append(batch)
        self._size += batch.nbytes
        self._widest = max(self._widest, batch.nbytes // (len(batch) or 1))
        if self._size > self._spill:
            self._write(0, self._in_order(self._held))
            self._held, self._size = [], 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows in order."""
        self._held = list(self._in_order(self._held))
        files = [read_stream(file) for level in self._levels for file in level]
        return self._merged([*files, iter(self._held)]) if files else iter(self._held)

    def _write(self, level: int, batches: Iterable[pa.RecordBatch]) -> None:
        """Write a sorted file; as soon as a level is full, its files become one of the next."""
        if self._work is None:
            self._work = Path(tempfile.mkdtemp(prefix=".scan-work-", dir=self._parent))
            weakref.finalize(self, shutil.rmtree, self._work, ignore_errors=True)
        if level == len(self._levels):
            self._levels.append([])
        files = self._levels[level]
        files.append(self._work / f"{level}-{len(files)}")
        write_stream(files[-1], self._schema, batches)
        if len(files) >= max(2, min(_FILES, _HEADS // self._widest)):
            self._write(level + 1, self._merged(map(read_stream, files)))
            while files:
                files.pop().unlink()

    def _merged(self, sources: Iterable[Iterator[pa.RecordBatch]]) -> Iterator[pa.RecordBatch]:
        """The rows of sorted sources, in order.

        Of one batch of each, those up to the least of the last rows come before all that follow.
        """
        heads = [head for source in sources if (head := _Head(source, self._order)).load()]
        while heads:
            bound = min(head.keys[-1] for head in heads)
            taken = [head.take(bound) for head in heads if head.keys[head.at] <= bound]
            yield from self._in_order(taken) if len(taken) > 1 else taken
            heads = [head for head in heads if head.load()]

    def _in_order(self, batches: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows that fit into memory, sorted, in batches of bounded size."""
        table = pa.Table.from_batches(batches, self._schema)
        rows = max(1, min(_ROWS, _BYTES * len(table) // (table.nbytes or 1)))
        keys = [(name, "ascending") for name in self._order]
        return iter(table.sort_by(keys).to_batches(max_chunksize=rows))


class _Head:
    """The batch of a sorted source that is read now, and its first row that is not taken yet."""

    def __init__(self, source: Iterator[pa.RecordBatch], order: Sequence[str]) -> None:
        self._source = source
        self._order = order
        self.keys: list[tuple[Any, ...]] = []
        self.at = 0

    def load(self) -> bool:
        """Go to the next batch, if all rows of this one are taken; False if there is none."""
        while self.at == len(self.keys):
            batch = next(self._source, None)
            if batch is None:
                return False
            self._batch, self.at = batch, 0
            columns = (batch.column(name).to_pylist() for name in self._order)
            self.keys = list(zip(*columns, strict=True))
        return True

    def take(self, bound: tuple[Any, ...]) -> pa.RecordBatch:
        """Take the rows up to a key."""
        begin, self.at = self.at, bisect_right(self.keys, bound, self.at)
        return self._batch.slice(begin, self.at - begin)


# Arrow's own threads take up to six times the processor time: batches are small, and each core has
# a process where Spark runs.
def stream_writer(sink: pa.NativeFile, schema: pa.Schema) -> pa.RecordBatchStreamWriter:
    """Return what writes batches, compressed, one after the other."""
    options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    return pa.ipc.new_stream(sink, schema, options=options)


def stream_reader(source: pa.NativeFile | bytes, *columns: int) -> pa.RecordBatchStreamReader:
    """Return what reads them again, only some columns if they are named by their places."""
    options = pa.ipc.IpcReadOptions(included_fields=[*columns] or None, use_threads=False)
    return pa.ipc.open_stream(source, options=options)


def write_stream(file: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    with (
        pa.OSFile(str(file), "wb") as sink,
        stream_writer(sink, schema) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)


def read_stream(file: Path) -> Iterator[pa.RecordBatch]:
    """Yield what `write_stream` wrote."""
    with pa.OSFile(str(file), "rb") as source, stream_reader(source) as stream:
        yield from stream
