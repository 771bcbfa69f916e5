"""Files that a scan caches for the next one, named by a digest of all their inputs.

A process that finds a file under its key may use it, and otherwise makes it. So the processes of a
scan, two scans, and one that died need no agreement. A file is written beside its place and
renamed, so that it exists whole or not at all. The folder may be deleted when no scan runs.
"""

from __future__ import annotations

import os
import shutil
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
"""What no scan has used for so many seconds may be removed; after half as long again it is."""

_ERA = FORGOTTEN // 2


class ScanCache:
    """A folder of such files, on a path that all processes of a scan see.

    Files are in a folder for each era, half the time after which they are forgotten. One that is
    used moves to the present era, so that eras are forgotten as a whole.
    """

    def __init__(self, folder: Path, now: float | None = None) -> None:
        """The folder is made when something is put into it; `now` are seconds since 1970."""
        self.folder = folder
        self._era = int((time.time() if now is None else now) // _ERA)

    def path(self, kind: Kind, key: str, era: int = 0) -> Path:
        """Return the path of the file of a key, in an era before the present one by so many."""
        return self.folder / kind / str(self._era - era) / key[:2] / key[2:]

    def has(self, kind: Kind, key: str) -> bool:
        """Say whether there is a file of this user's own, and mark it as used."""
        path = self.path(kind, key)
        if _is_own(path):
            return True
        for era in (1, 2, -1):  # another machine may be in the next one
            with suppress(OSError):
                if _is_own(before := self.path(kind, key, era)):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    before.replace(path)
                    return True
        return _is_own(path)  # another process may have moved it

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

    def forget(self) -> None:
        """Remove what has not been used for long, and what died scans left unfinished."""
        for kind in get_args(Kind):
            for folder in _entries(self.folder / kind):
                if not folder.name.isdecimal() or int(folder.name) < self._era - 2:
                    shutil.rmtree(folder.path, ignore_errors=True)


def _is_own(path: Path) -> bool:
    try:
        state = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(state.st_mode) and is_ours(state)


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        yield from entries
