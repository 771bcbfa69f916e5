"""Two scans compared: which findings are new, which are fixed, which remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as parquet

from mqlint.estate.history.store import scan_at

Group = tuple[str | None, ...]


def differences(before: Path, after: Path, by: Sequence[str]) -> Iterator[Sequence[object]]:
    """Yield a row for each group of findings: its values of `by`, and new, fixed, remaining.

    `before` and `after` are what `scan_at` takes, `by` columns of the table `findings`.
    A finding is the same as another by its fingerprint. One that remains is counted where it is
    now, as its severity may have changed. Groups come in order. NoScanError as of `scan_at`.
    """
    old, now = _findings(before, by), _findings(after, by)
    new = Counter(group for key, group in now.items() if key not in old)
    fixed = Counter(group for key, group in old.items() if key not in now)
    remaining = Counter(group for key, group in now.items() if key in old)
    groups = {*new, *fixed, *remaining}
    for group in sorted(groups, key=lambda values: [text or "" for text in values]):
        yield *group, new[group], fixed[group], remaining[group]


def _findings(out: Path, by: Sequence[str]) -> dict[str, Group]:
    """The group of each finding of a scan, by its fingerprint."""
    found: dict[str, Group] = {}
    folder, manifest = scan_at(out)
    for file in sorted((folder / manifest.folder / "findings").glob("*.parquet")):
        for batch in parquet.ParquetFile(file).iter_batches(columns=["fingerprint", *by]):
            columns = [batch.column(name).to_pylist() for name in ("fingerprint", *by)]
            found.update((row[0], row[1:]) for row in zip(*columns, strict=True))
    return found
