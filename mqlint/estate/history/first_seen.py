"""When findings were first seen: by the scan before, or now."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import NoScanError, latest
from mqlint.finding import SCHEME

Seen = dict[tuple[str, str], datetime]
"""By repository and fingerprint."""

_COLUMNS = ("repository", "fingerprint", "first_seen", "scanned")


def first_seen(out: Path) -> Seen:
    """Return when the findings of the current scan in `out` were first seen; nothing without one.

    A scan that made fingerprints in another way tells nothing, nor does a damaged table.
    """
    found: Seen = {}
    with suppress(NoScanError):
        manifest = latest(out)
        if manifest.fingerprints != SCHEME:
            return found
        for row in table_rows(out, manifest, "findings", _COLUMNS):
            seen = row["first_seen"] or row["scanned"]
            if seen is not None:
                found[row["repository"], row["fingerprint"]] = seen
    return found
