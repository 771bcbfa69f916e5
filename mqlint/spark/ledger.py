"""What the last scan knew of each document, so that the next reads only what has changed.

A scan writes a folder of its own, and then replaces, in one step, the file that names it. A folder
that is not named is nobody's; one that cannot be read counts as none.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.spark.batches import arrow_schema
from mqlint.spark.flows import Engine, Frame
from mqlint.spark.sources import LISTED

_FOLDER, _NAMED = "known", "known.txt"
_STALE = 24 * 3600


def recall(engine: Engine, keep: Path) -> Frame | None:
    """Return what the last scan knew, as rows of LISTED; None where there is none."""
    folder = _named(keep)
    if folder is None or not _is_whole(folder):
        return None
    return engine.stored(folder, LISTED)


def remember(known: Frame, keep: Path, scan: str) -> None:
    """Keep what a scan knows in place of what there is; OSError when it cannot be written."""
    folder = keep / _FOLDER / scan
    folder.parent.mkdir(parents=True, exist_ok=True)
    known.write(folder)
    draft = keep / f".{_NAMED}.{scan}"
    draft.write_text(scan, "utf-8")
    draft.replace(keep / _NAMED)
    _forget(folder)


def _forget(current: Path) -> None:
    """Remove what no scan can still be reading: one asks again for what a machine has lost."""
    for folder in current.parent.iterdir():
        with suppress(OSError):
            if folder != current and folder.stat().st_mtime < time.time() - _STALE:
                shutil.rmtree(folder, ignore_errors=True)


def _named(keep: Path) -> Path | None:
    try:
        name = (keep / _NAMED).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    is_name = name and os.path.basename(name) == name and not name.startswith(".")  # noqa: PTH119
    return keep / _FOLDER / name if is_name else None


def _is_whole(folder: Path) -> bool:
    """Whether every file of a folder can be read and has the columns of this program."""
    wanted = arrow_schema(LISTED)
    files = sorted(folder.glob("*.parquet"))
    try:
        return bool(files) and all(
            parquet.read_schema(file).remove_metadata().names == wanted.names for file in files
        )
    except (OSError, pa.ArrowInvalid):
        return False
