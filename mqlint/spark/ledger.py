"""What the last scan knew of each document, so that the next reads only what has changed.

A scan writes a folder of its own, and then replaces, in one step, the file that names it. A folder
that is not named is nobody's; one that cannot be read counts as none.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
from pyspark.sql.pandas.types import to_arrow_schema

from mqlint.spark.flows import Engine, Frame
from mqlint.spark.sources import LISTED

_FOLDER, _NAMED = "known", "known.txt"


def recall(engine: Engine, keep: Path) -> Frame | None:
    """Return what the last scan knew, as rows of LISTED; None where there is none."""
    folder = _named(keep)
    if folder is None or not _is_whole(folder):
        return None
    return engine.stored(folder, LISTED)


def remember(known: Frame, keep: Path, scan: str) -> None:
    """Keep what a scan knows in place of what there is; OSError when it cannot be written."""
    before = _named(keep)
    folder = keep / _FOLDER / scan
    folder.parent.mkdir(parents=True, exist_ok=True)
    known.write(folder)
    draft = keep / f".{_NAMED}.{scan}"
    draft.write_text(scan, "utf-8")
    draft.replace(keep / _NAMED)
    if before is not None and before != folder:
        shutil.rmtree(before, ignore_errors=True)


def _named(keep: Path) -> Path | None:
    try:
        name = (keep / _NAMED).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    is_name = name and os.path.basename(name) == name and not name.startswith(".")  # noqa: PTH119
    return keep / _FOLDER / name if is_name else None


def _is_whole(folder: Path) -> bool:
    """Whether every file of a folder can be read and has the columns of this program."""
    wanted = to_arrow_schema(LISTED)
    files = sorted(folder.glob("*.parquet"))
    try:
        return bool(files) and all(
            parquet.read_schema(file).remove_metadata().names == wanted.names for file in files
        )
    except (OSError, pa.ArrowInvalid):
        return False
