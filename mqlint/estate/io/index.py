"""What the last scan knew of each document, so that the next reads only what has changed.

A scan writes a folder of its own, and then replaces, in one step, the file that names it. A folder
that is not named is not used, and one that cannot be read counts as none.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Collection
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.config.cache import read_own
from mqlint.estate.io.sources import LISTED
from mqlint.estate.tables.writer import TaskFiles, remove_unreported, task_files

_FOLDER, _NAMED = "known", "known.txt"
_STALE = 24 * 3600


def index_folder(cache: Path) -> Path | None:
    """Return the folder of what the last scan knew, rows of LISTED; None if there is none."""
    folder = _named(cache)
    return folder if folder is not None and _is_whole(folder) else None


def index_writer(cache: Path) -> AbstractContextManager[TaskFiles]:
    """Give what a task writes rows of LISTED with, under the id of its scan."""
    return task_files(cache / _FOLDER)


def replace_index(parts: Collection[str], cache: Path, scan: str) -> None:
    """Use the files that tasks have left, by their names, instead of the present ones.

    OSError when that cannot be written.
    """
    folder = cache / _FOLDER / scan
    folder.mkdir(parents=True, exist_ok=True)
    remove_unreported(folder, {Path(name).name for name in parts})
    draft = cache / f".{_NAMED}.{scan}"
    draft.write_text(scan, "utf-8")
    draft.replace(cache / _NAMED)
    _forget(folder)


def _forget(current: Path) -> None:
    """Remove what no scan can still be reading: one asks again for what a machine has lost."""
    for folder in current.parent.iterdir():
        with suppress(OSError):
            if folder != current and folder.stat().st_mtime < time.time() - _STALE:
                shutil.rmtree(folder, ignore_errors=True)


def _named(cache: Path) -> Path | None:
    name = (read_own(cache / _NAMED) or b"").decode("utf-8", "replace")
    is_name = name and os.path.basename(name) == name and not name.startswith(".")  # noqa: PTH119
    return cache / _FOLDER / name if is_name else None


def _is_whole(folder: Path) -> bool:
    """Whether every file of a folder can be read and has the columns of this program."""
    try:
        files = sorted(folder.glob("*.parquet"))
        return bool(files) and all(
            parquet.read_schema(file).remove_metadata().names == LISTED.names for file in files
        )
    except (OSError, pa.ArrowInvalid):
        return False
