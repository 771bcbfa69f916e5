"""Frames in this process: batches, in files if they are too many for memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from mqlint.estate.io.sources import Source
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import Stage, batches
from mqlint.estate.tables.schema import Row

SPILL = 16 << 20
"""So many bytes are sorted in memory; more go to files first."""

_BUCKETS = 32
_DEPTH = 4
_CUT = 8 << 20
_ROWS = 64
_TABLE_ROWS = 8192
LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")
"""How batches are written to files of this process."""

Make = Callable[[], Iterator[pa.RecordBatch]]


class LocalEngine:
    """Runs every stage in this process, one batch after the other."""

    def __init__(self, scratch: Path, spill: int = SPILL) -> None:
        """`scratch` is an empty folder for what does not fit into memory."""
        self.scratch = scratch
        self.spill = spill
        self.done = self._expected = 0

    def rows(self, rows: Sequence[Row], schema: pa.Schema) -> LocalFrame:
        return self.frame(lambda: batches(rows, schema), schema)

    def stored(self, folder: Path, schema: pa.Schema) -> LocalFrame:
        return self.frame(lambda: _stored(folder), schema)

    def expect(self, documents: int) -> None:
        """Know the total for `progress`; one process has nothing to cut."""
        self._expected = documents

    def progress(self) -> tuple[int, int]:
        return (self.done, self._expected) if self.done < self._expected else (0, 0)

    def uri(self, source: Source, known: Frame | None, keep: Path) -> None:
        """Return None: there is no Spark."""

    def frame(self, make: Make, schema: pa.Schema) -> LocalFrame:
        """Return the frame of what `make` gives."""
        return LocalFrame(self, make, schema)


class LocalFrame:
    """Batches that are made when they are asked for."""

    def __init__(self, engine: LocalEngine, make: Make, schema: pa.Schema) -> None:
        """`make` gives the batches again each time."""
        self._engine = engine
        self._make = make
        self._schema = schema
        self._file: Path | None = None

    def through(self, stage: Stage, *, progress: bool = False) -> LocalFrame:
        def make() -> Iterator[pa.RecordBatch]:
            for batch in stage.run(self.batches()):
                self._engine.done += batch.num_rows if progress else 0
                yield batch

        return self._next(make, stage.schema)

    def shuffled(self, by: Sequence[str], order: Sequence[str]) -> LocalFrame:
        return self._next(lambda: self._sorted(self.batches(), by, order))

    def union(self, other: Frame) -> LocalFrame:
        return self._next(lambda: chain(self.batches(), other.batches()))

    def where(self, column: str, *values: str) -> LocalFrame:
        wanted = pa.array(values, pa.string())

        def make() -> Iterator[pa.RecordBatch]:
            for batch in self.batches():
                found = batch.filter(pc.is_in(batch.column(column), wanted))
                if found.num_rows:
                    yield found

        return self._next(make)

    def persist(self) -> LocalFrame:
        frame = self._next(self._make)
        frame._file = self._engine.scratch / token_hex(8)
        return frame

    def drop(self) -> None:
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def batches(self) -> Iterator[pa.RecordBatch]:
        if self._file is None:
            yield from self._make()
            return
        if not self._file.exists():
            with pa.OSFile(str(self._file), "wb") as sink:
                _write(sink, self._schema, self._make())
        with pa.OSFile(str(self._file), "rb") as source, pa.ipc.open_stream(source) as stream:
            yield from stream

    def _next(self, make: Make, schema: pa.Schema | None = None) -> LocalFrame:
        return LocalFrame(self._engine, make, schema or self._schema)

    def _sorted(
        self,
        given: Iterator[pa.RecordBatch],
        by: Sequence[str],
        order: Sequence[str],
        depth: int = 0,
    ) -> Iterator[pa.RecordBatch]:
        """Batches in order, by way of files of which each fits into memory."""
        held: list[pa.RecordBatch] = []
        size = 0
        for batch in given:
            held.append(batch)
            size += batch.nbytes
            can_be_cut = depth == 0 or (len(held) > 1 and depth < _DEPTH)
            if size > self._engine.spill and can_be_cut:
                yield from self._spilt(chain(held, given), by, order, depth)
                return
        yield from _in_order(held, self._schema, order)

    def _spilt(
        self,
        given: Iterable[pa.RecordBatch],
        by: Sequence[str],
        order: Sequence[str],
        depth: int,
    ) -> Iterator[pa.RecordBatch]:
        folder = self._engine.scratch / token_hex(8)
        folder.mkdir()
        files = [folder / str(number) for number in range(_BUCKETS)]
        with ExitStack() as stack:
            sinks = [stack.enter_context(pa.OSFile(str(file), "wb")) for file in files]
            writers = [
                stack.enter_context(pa.ipc.new_stream(sink, self._schema, options=LZ4))
                for sink in sinks
            ]
            for batch in _combined(given):
                for bucket, rows in enumerate(_bucketed(batch, by, depth)):
                    if rows:
                        writers[bucket].write_batch(batch.take(pa.array(rows)))
        for file in files:
            with pa.OSFile(str(file), "rb") as source, pa.ipc.open_stream(source) as stream:
                yield from self._sorted(iter(stream), by, order, depth + 1)
            file.unlink()
        folder.rmdir()


def _combined(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in fewer batches: each will be cut into many."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in given:
        held.append(batch)
        size += batch.nbytes
        if size >= _CUT:
            yield from pa.Table.from_batches(held).combine_chunks().to_batches()
            held, size = [], 0
    if held:
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()


def _bucketed(batch: pa.RecordBatch, by: Sequence[str], depth: int) -> list[list[int]]:
    """The rows that go to each file: those of equal `by` to one, by other bits at each depth."""
    buckets: list[list[int]] = [[] for _ in range(_BUCKETS)]
    columns = [batch.column(name).to_pylist() for name in by]
    for row, key in enumerate(zip(*columns, strict=True)):
        buckets[zlib.crc32(repr(key).encode()) // _BUCKETS**depth % _BUCKETS].append(row)
    return buckets


def _in_order(
    held: list[pa.RecordBatch], schema: pa.Schema, order: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    table = pa.Table.from_batches(held, schema)
    held.clear()
    keys = [(name, "ascending") for name in order]
    yield from table.sort_by(keys).to_batches(max_chunksize=_ROWS)


def _write(sink: pa.OSFile, schema: pa.Schema, given: Iterable[pa.RecordBatch]) -> None:
    with pa.ipc.new_stream(sink, schema, options=LZ4) as writer:
        for batch in given:
            writer.write_batch(batch)


def _stored(folder: Path) -> Iterator[pa.RecordBatch]:
    for file in sorted(folder.glob("*.parquet")):
        yield from parquet.ParquetFile(file).iter_batches(_TABLE_ROWS)
