"""When findings were first seen: by the scan before, or now."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pyarrow.parquet as parquet

from mqlint.estate.history.store import NoScanError, latest
from mqlint.finding import SCHEME

Seen = dict[tuple[str, str], datetime]
"""By repository and fingerprint."""

_COLUMNS = ("repository", "fingerprint", "first_seen", "scanned")


def first_seen(out: Path) -> Seen:
    """Return when the findings of the current scan in `out` were first seen; nothing without one.

    A scan that made fingerprints in another way tells nothing.
    """
    found: Seen = {}
    try:
        manifest = latest(out)
    except NoScanError:
        return found
    if manifest.fingerprints != SCHEME:
        return found
    for part in sorted((out / manifest.folder / "findings").glob("*.parquet")):
        file = parquet.ParquetFile(part)
        columns = [name for name in _COLUMNS if name in file.schema_arrow.names]
        for batch in file.iter_batches(columns=columns):
            for row in batch.to_pylist():
                seen = row.get("first_seen") or row["scanned"]
                if seen is not None:
                    found[row["repository"], row["fingerprint"]] = seen
    return found
