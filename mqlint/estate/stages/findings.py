"""The findings of a scan in order of place, in files if they are too many for memory."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final, overload

import pyarrow as pa
import pyarrow.compute as pc

from mqlint.estate.stages.collect import IN_PLACE, KNOWN, NEW, SETTLED, Rules
from mqlint.estate.stages.sorting import SPILL, Sorter
from mqlint.estate.tables.batches import Values, rows
from mqlint.finding import Excuse, Finding

_COLUMNS: Final = (*IN_PLACE, "repository", "fingerprint", "judge", "excuse", "payload")
_SCHEMA: Final = pa.schema([SETTLED.field(name) for name in _COLUMNS])
"""Of a finding what it is sorted by, and what its payload does not have."""


class StoredFindings(Sequence[Finding]):
    """Findings that are read when they are asked for, each time again."""

    def __init__(self, folder: Path, rules: Rules, spill: int = SPILL) -> None:
        """Beyond `spill` bytes they are in files in `folder`, until nobody asks for them."""
        self._rules = rules
        self._sorter = Sorter(_SCHEMA, IN_PLACE, folder, spill)
        self._number = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in rows of SETTLED."""
        self._sorter.add(batch.select(_COLUMNS))
        self._number += batch.num_rows

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Finding]:
        """Yield them in order of place."""
        return map(self._finding, rows(self._sorter.batches()))

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Finding]: ...
    def __getitem__(self, at: int | slice) -> Finding | Sequence[Finding]:
        """Return one of them, or some; those before are read too."""
        if isinstance(at, slice):
            return list(islice(self, *at.indices(self._number)))
        return next(islice(self, range(self._number)[at], None))

    def _finding(self, row: Values) -> Finding:
        finding = self._rules.unpacked(row["payload"], row["judge"])
        own, shared, excuse = row["fingerprint"], row["shared"], row["excuse"]
        return replace(
            finding,
            repository=row["repository"],
            fingerprint=own,
            first="" if shared == own else shared,
            ignored=None if excuse is None else Excuse(*json.loads(excuse)),
        )


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
