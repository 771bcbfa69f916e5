"""Frames in this process: batches, in files if they are too many for memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from mqlint.estate.stages.frame import Frame
from mqlint.estate.stages.sorting import SPILL, Sorter, read_stream, write_stream
from mqlint.estate.tables.batches import ROWS, Stage, batches
from mqlint.estate.tables.schema import Row

Make = Callable[[], Iterator[pa.RecordBatch]]


class LocalEngine:
    """Runs every stage in this process, one batch after the other."""

    is_parallel = False

    def __init__(self, scratch: Path, spill: int = SPILL) -> None:
        """`scratch` is an empty folder for what does not fit into memory."""
        self.scratch = scratch
        self.spill = spill
        self.done = self._expected = 0

    def rows(self, rows: Sequence[Row], schema: pa.Schema) -> LocalFrame:
        return self.frame(lambda: rows, schema)

    def stored(self, folder: Path, schema: pa.Schema) -> LocalFrame:
        return LocalFrame(self, lambda: _stored(folder), schema)

    def expect(self, documents: int) -> None:
        """Know the total for `progress`; one process has nothing to cut."""
        self._expected = documents

    def progress(self) -> tuple[int, int]:
        return (self.done, self._expected) if self.done < self._expected else (0, 0)

    def frame(self, make: Callable[[], Iterable[Row]], schema: pa.Schema) -> LocalFrame:
        return LocalFrame(self, lambda: batches(make(), schema), schema)


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
        def make() -> Iterator[pa.RecordBatch]:
            sorter = Sorter(self._schema, order, self._engine.scratch, self._engine.spill)
            for batch in self.batches():
                sorter.add(batch)
            yield from sorter.batches()

        return self._next(make)

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
            write_stream(self._file, self._schema, self._make())
        yield from read_stream(self._file)

    def _next(self, make: Make, schema: pa.Schema | None = None) -> LocalFrame:
        return LocalFrame(self._engine, make, schema or self._schema)


def _stored(folder: Path) -> Iterator[pa.RecordBatch]:
    for file in sorted(folder.glob("*.parquet")):
        yield from parquet.ParquetFile(file).iter_batches(ROWS)
