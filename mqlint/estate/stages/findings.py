"""The findings of a scan in order of place, in files if they are too many for memory."""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Final, overload

import pyarrow as pa
import pyarrow.compute as pc

from mqlint.dataclass import NamedTuple
from mqlint.estate.stages.collect import IN_PLACE, KNOWN, NEW, Rules
from mqlint.estate.stages.local import LZ4, SPILL
from mqlint.estate.tables.batches import records, schema_of
from mqlint.finding import Excuse, Finding

_ROWS = 64


class _Stored(NamedTuple):
    """A finding: what it is sorted by, and what its payload does not have."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    shared: str
    message: str
    repository: str
    fingerprint: str
    judge: str
    excuse: str | None
    payload: str


_SCHEMA: Final = schema_of(_Stored)
_KEYS: Final = [(name, "ascending") for name in IN_PLACE]
_place = attrgetter(*IN_PLACE)


class StoredFindings(Sequence[Finding]):
    """Findings that are read when they are asked for, each time again."""

    def __init__(self, folder: Path, rules: Rules, spill: int = SPILL) -> None:
        """Beyond `spill` bytes they are in a new folder in `folder`, until nobody asks for them."""
        self._folder = folder
        self._rules = rules
        self._spill_at = spill
        self._held: list[pa.RecordBatch] = []
        self._number = self._size = 0
        self._runs: list[Path] = []
        self._work: Path | None = None

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in rows of SETTLED."""
        found = batch.select(_SCHEMA.names)
        self._held.append(pa.RecordBatch.from_arrays(found.columns, schema=_SCHEMA))
        self._number += found.num_rows
        self._size += found.nbytes
        if self._size > self._spill_at:
            self._spill()

    def _spill(self) -> None:
        if self._work is None:
            self._work = Path(tempfile.mkdtemp(prefix=".scan-work-", dir=self._folder))
            weakref.finalize(self, shutil.rmtree, self._work, ignore_errors=True)
        run = self._work / str(len(self._runs))
        with (
            pa.OSFile(str(run), "wb") as sink,
            pa.ipc.new_stream(sink, _SCHEMA, options=LZ4) as writer,
        ):
            for batch in self._sorted():
                writer.write_batch(batch)
        self._runs.append(run)
        self._held, self._size = [], 0

    def _sorted(self) -> list[pa.RecordBatch]:
        found = pa.Table.from_batches(self._held, _SCHEMA).sort_by(_KEYS)
        return list(found.to_batches(_ROWS))

    def __len__(self) -> int:
        """Return how many there are."""
        return self._number

    def __iter__(self) -> Iterator[Finding]:
        """Yield them in order of place."""
        runs = [*map(_read, self._runs), records(self._sorted(), _Stored)]
        return map(self._finding, merge(*runs, key=_place))

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Finding]: ...
    def __getitem__(self, at: int | slice) -> Finding | Sequence[Finding]:
        """Return one of them, or some; those before are read too."""
        if isinstance(at, slice):
            return list(islice(self, *at.indices(self._number)))
        return next(islice(self, range(self._number)[at], None))

    def _finding(self, row: _Stored) -> Finding:
        finding = self._rules.unpacked(row.payload, row.judge)
        first = "" if row.shared == row.fingerprint else row.shared
        ignored = None if row.excuse is None else Excuse(*json.loads(row.excuse))
        return replace(
            finding,
            repository=row.repository,
            fingerprint=row.fingerprint,
            first=first,
            ignored=ignored,
        )


def _read(run: Path) -> Iterator[_Stored]:
    with pa.OSFile(str(run), "rb") as source, pa.ipc.open_stream(source) as stream:
        yield from records(stream, _Stored)


class FoundFindings:
    """All findings of a scan: those that count, and those that exceptions cover."""

    def __init__(self, folder: Path, rules: Rules, spill: int) -> None:
        """All are as of `StoredFindings`."""
        self._empty = partial(StoredFindings, folder, rules, spill)
        self.new, self.ignored = self._empty(), self._empty()
        self.known: dict[str, StoredFindings] = defaultdict(self._empty)
        """By the repository whose baseline covers them."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in rows of SETTLED."""
        for state in batch.column("state").unique().to_pylist():
            found = batch.filter(pc.equal(batch.column("state"), state))
            if state == NEW:
                self.new.add(found)
            elif state != KNOWN:
                self.ignored.add(found)
            else:
                for name in found.column("baseline").unique().to_pylist():
                    self.known[name].add(found.filter(pc.equal(found.column("baseline"), name)))

    def excepted(self) -> Iterator[Finding]:
        """Yield the findings that comments, waivers and baselines cover."""
        return chain(self.ignored, *self.known.values())
