"""Rows that the last scan leaves for the next, so that this does only what is new.

A scan writes a folder of its own, and then replaces, in one step, the file that names it, with
digests of its files. A folder that is not named is not used, and one that was changed counts as
none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.config.cache import read_own
from mqlint.dataclass import frozen
from mqlint.estate.io.cache import entries_of, remove_written
from mqlint.estate.io.sources import LISTED
from mqlint.estate.tables.writer import remove_unreported

_STALE = 24 * 3600


@frozen
class Index:
    """Rows of one schema in a folder of the cache, which has a folder `name` of these."""

    cache: Path
    name: str
    schema: pa.Schema

    def folder(self) -> Path | None:
        """Return the folder of the last scan; None if there is none."""
        named = (read_own(self._named) or b"").decode("utf-8", "replace")
        name, *digests = named.splitlines() or [""]
        is_base = os.path.basename(name) == name and not name.startswith(".")  # noqa: PTH119
        is_name = name and is_base and name.isprintable()
        folder = self.draft(name)
        return folder if is_name and self._is_whole(folder, digests) else None

    def draft(self, scan: str) -> Path:
        """Return the folder to which the tasks of a scan write."""
        return self.cache / self.name / scan

    def replace(self, scan: str, parts: Collection[str]) -> None:
        """Use the files that tasks have left, by their names, instead of the present ones.

        OSError when that cannot be written.
        """
        folder = self.draft(scan)
        folder.mkdir(parents=True, exist_ok=True)
        remove_unreported(folder, {Path(name).name for name in parts})
        draft = folder / ".named"
        draft.write_text("\n".join((scan, *map(_digest, _files(folder)))), "utf-8")
        draft.replace(self._named)
        _forget(folder)

    @property
    def _named(self) -> Path:
        return self.cache / f"{self.name}.txt"

    def _is_whole(self, folder: Path, digests: list[str]) -> bool:
        """Whether a folder has the files of these digests, with the columns of this program."""
        try:
            files = _files(folder)
            return (
                bool(files)
                and [*map(_digest, files)] == digests
                and all(
                    parquet.read_schema(file).remove_metadata().names == self.schema.names
                    for file in files
                )
            )
        except (OSError, pa.ArrowInvalid):
            return False


def index_of_files(cache: Path) -> Index:
    """Return what the last scan knew of each document."""
    return Index(cache, "known", LISTED)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return f"{file_digest(stream, 'sha256').hexdigest()} {file.name}"


def _forget(current: Path) -> None:
    """Remove what no scan can still be reading: one asks again for what a machine has lost."""
    for folder in entries_of(current.parent):
        with suppress(OSError):
            is_stale = folder.stat(follow_symlinks=False).st_mtime < time.time() - _STALE
            if is_stale and folder.name != current.name:
                remove_written(folder)
