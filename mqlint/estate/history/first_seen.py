"""When findings were first seen, by the scan before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import NoScanError, latest
from mqlint.estate.tables.batches import Values
from mqlint.finding import SCHEME

_COLUMNS = ("repository", "fingerprint", "shared_fingerprint", "first_seen", "scanned")


def first_seen(out: Path) -> Iterator[Values]:
    """Yield when each finding of the current scan in `out` was first seen; nothing without one.

    A scan that made fingerprints in another way tells nothing, nor does a damaged table.
    """
    with suppress(NoScanError):
        manifest = latest(out)
        if manifest.fingerprints != SCHEME:
            return
        for row in table_rows(out, manifest, "findings", _COLUMNS):
            seen = row["first_seen"] or row["scanned"]
            if seen is not None:
                shared = row["shared_fingerprint"] or row["fingerprint"]
                yield row | {"first_seen": seen, "shared": shared}
