"""Rows in order: sorted in memory, or in files that are merged if they are too many."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

SPILL: Final = 8 << 20
"""So many bytes are sorted in memory; more go to files first."""

_ROWS: Final = 64
_BYTES: Final = 512 << 10
"""Rows and bytes of a batch at most: a merge holds one of each file. A row may have more bytes."""

_FILES: Final = 16
"""Files that are merged at once, if their rows are not large."""

_HEADS: Final = 64 << 20
"""Bytes of the rows that a merge holds, one of each file; two files are merged in any case."""

_LZ4: Final = pa.ipc.IpcWriteOptions(compression="lz4")


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
            self._write(0, self._sorted())
            self._held, self._size = [], 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows in order."""
        self._held = self._sorted()
        files = [read_stream(file) for level in self._levels for file in level]
        return self._merged([*files, iter(self._held)]) if files else iter(self._held)

    def _sorted(self) -> list[pa.RecordBatch]:
        table = pa.Table.from_batches(self._held, self._schema)
        rows = max(1, min(_ROWS, _BYTES * len(table) // (self._size or 1)))
        keys = [(name, "ascending") for name in self._order]
        return list(table.sort_by(keys).to_batches(max_chunksize=rows))

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
        """The rows of sorted sources, in order."""
        found: list[pa.RecordBatch] = []
        rows, size = 0, 0.0
        for piece, number, length in _pieces(sources, self._order):
            found.append(piece)
            rows, size = rows + number, size + length
            if rows >= _ROWS or size >= _BYTES:
                yield from pa.Table.from_batches(found).combine_chunks().to_batches()
                found, rows, size = [], 0, 0.0
        if found:
            yield from pa.Table.from_batches(found).combine_chunks().to_batches()


class _Head:
    """The batch of a sorted source that is read now, and its first row that is not taken yet.

    `width` is the mean size of its rows in bytes.
    """

    def __init__(self, source: Iterator[pa.RecordBatch], order: Sequence[str]) -> None:
        self._source = source
        self._order = order
        self.keys: list[tuple[Any, ...]] = []
        self.at = 0
        self.width = 0.0

    def load(self) -> bool:
        """Go to the next batch, if all rows of this one are taken; False if there is none."""
        while self.at == len(self.keys):
            batch = next(self._source, None)
            if batch is None:
                return False
            self.batch, self.at = batch, 0
            columns = (batch.column(name).to_pylist() for name in self._order)
            self.keys = list(zip(*columns, strict=True))
            self.width = batch.nbytes / (len(batch) or 1)
        return True

    def __lt__(self, other: _Head) -> bool:
        return self.keys[self.at] < other.keys[other.at]


def _pieces(
    sources: Iterable[Iterator[pa.RecordBatch]], order: Sequence[str]
) -> Iterator[tuple[pa.RecordBatch, int, float]]:
    """Neighbouring rows of one source, in the order of all; how many, and about how many bytes."""
    heads = [head for source in sources if (head := _Head(source, order)).load()]
    heapify(heads)
    while heads:
        head, end = heads[0], len(heads[0].keys)
        if len(heads) > 1:
            other = min(heads[1:3])
            end = bisect_right(head.keys, other.keys[other.at], head.at)
        number = end - head.at
        yield head.batch.slice(head.at, number), number, number * head.width
        head.at = end
        if head.load():
            heapreplace(heads, head)
        else:
            heappop(heads)


def write_stream(file: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write batches to a file of this process."""
    with (
        pa.OSFile(str(file), "wb") as sink,
        pa.ipc.new_stream(sink, schema, options=_LZ4) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)


def read_stream(file: Path) -> Iterator[pa.RecordBatch]:
    """Yield what `write_stream` wrote."""
    with pa.OSFile(str(file), "rb") as source, pa.ipc.open_stream(source) as stream:
        yield from stream
