"""Files that a scan caches for the next one, named by a digest of all their inputs.

A process that finds a file under its key may use it, and otherwise makes it. So the processes of a
scan, two scans, and one that died need no agreement. A file is written beside its place and
renamed, so that it exists whole or not at all. The folder may be deleted when no scan runs.
"""

from __future__ import annotations

import os
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

from mqlint.config.cache import is_ours, read_own

Kind = Literal["facts", "judged", "claims", "archives"]
"""The content of a file: a reading, the result for a queue manager, what it claims towards others,
the members of an archive."""

FORGOTTEN = 30 * 24 * 3600
"""What no scan has used for so many seconds is removed."""

_TOUCHED = 24 * 3600


class ScanCache:
    """A folder of such files, on a path that all processes of a scan see."""

    def __init__(self, folder: Path) -> None:
        """The folder is made when something is put into it."""
        self.folder = folder

    def path(self, kind: Kind, key: str) -> Path:
        """Return the path of the file of a key."""
        return self.folder / kind / key[:2] / key[2:]

    def has(self, kind: Kind, key: str) -> bool:
        """Say whether there is a file of this user's own, and mark it as used."""
        path = self.path(kind, key)
        try:
            state = path.lstat()
            if not stat.S_ISREG(state.st_mode) or not is_ours(state):
                return False
            if state.st_mtime < time.time() - _TOUCHED:
                os.utime(path)
        except OSError:
            return False
        return True

    def get(self, kind: Kind, key: str) -> bytes | None:
        """Return what was put under a key, None if it is not there, not ours or not whole."""
        data = read_own(self.path(kind, key)) if self.has(kind, key) else None
        if data is None:
            return None
        body, check = data[:-4], data[-4:]
        return body if zlib.crc32(body).to_bytes(4, "big") == check else None

    def put(self, kind: Kind, key: str, data: bytes) -> None:
        """Keep `data` under a key; OSError when it cannot be written."""
        path = self.path(kind, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        other = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
        try:
            with other.open("xb") as file:
                file.write(data)
                file.write(zlib.crc32(data).to_bytes(4, "big"))
            other.replace(path)
        finally:
            other.unlink(missing_ok=True)

    def forget(self, age: float = FORGOTTEN) -> None:
        """Remove what has not been used for `age` seconds, and what died scans left unfinished."""
        before = time.time() - age
        for file in self._files():
            with suppress(OSError):
                if file.stat().st_mtime < before:
                    os.unlink(file)  # noqa: PTH108 an entry of a folder, not a path

    def _files(self) -> Iterator[os.DirEntry[str]]:
        for kind in get_args(Kind):
            for folder in _entries(self.folder / kind):
                yield from _entries(folder.path)


def _entries(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        yield from entries
