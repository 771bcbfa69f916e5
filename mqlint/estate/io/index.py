"""Rows that the last scan leaves for the next, so that this does only what is new.

A scan writes a folder of its own, and then replaces, in one step, the file that names it, with
digests of the program and of its files. A folder that is not named is not used, and one that was
changed, or that another program wrote, counts as none: all is done again then.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path

from mqlint.config.cache import read_own
from mqlint.dataclass import frozen
from mqlint.estate.io.cache import entries_of, remove_written
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.tables.writer import remove_unreported

_STALE = 24 * 3600
_LEAST = 3
"""Lines of the file that names a folder: the program, the folder, a file or more."""


@frozen
class Index:
    """Rows in a folder of the cache, which has a folder `name` of these."""

    cache: Path
    name: str

    def folder(self) -> Path | None:
        """Return the folder of the last scan; None if there is none."""
        named = (read_own(self._named) or b"").decode("utf-8", "replace").splitlines()
        if len(named) < _LEAST or named[0] != digest_of_code():
            return None
        name, digests = named[1], named[2:]
        is_base = os.path.basename(name) == name and not name.startswith(".")  # noqa: PTH119
        folder = self.draft(name)
        with suppress(OSError):
            if name.isprintable() and is_base and [*map(_digest, _files(folder))] == digests:
                return folder
        return None

    def draft(self, scan: str) -> Path:
        """Return the folder to which the tasks of a scan write."""
        return self.cache / self.name / scan

    def replace(self, scan: str, parts: Collection[str]) -> None:
        """Use the files that tasks have left, by their names, instead of the present ones.

        OSError when that cannot be written.
        """
        folder = self.draft(scan)
        folder.mkdir(parents=True, exist_ok=True)
        remove_unreported(folder, parts)
        draft = folder / ".named"
        lines = (digest_of_code(), scan, *map(_digest, _files(folder)))
        draft.write_text("\n".join(lines), "utf-8")
        draft.replace(self._named)
        _forget(folder)

    @property
    def _named(self) -> Path:
        return self.cache / f"{self.name}.txt"


def index_of_files(cache: Path) -> Index:
    """Return what the last scan knew of each document."""
    return Index(cache, "known")


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
