"""What a scan caches for the next one, named by a digest of all its inputs, in packs.

A process that finds an entry under its key may use it, and otherwise makes it. So the processes of
a scan, two scans, and one that died need no agreement. A pack is a ZIP file, not compressed, of the
entries that one process made. It is written beside its place and renamed, so that it exists whole
or not at all, and is never changed. The folder may be deleted when no scan runs.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Final, Literal, get_args
from zipfile import ZipFile, ZipInfo
from zlib import crc32

from mqlint.config.cache import is_ours, open_own
from mqlint.number import whole_number
from mqlint.patterns import later

Kind = Literal["facts", "judged", "claims", "archives"]
"""The content of an entry: a reading, the result for a queue manager, what it claims towards
others, the members of an archive."""

FORGOTTEN = 30 * 24 * 3600
"""What no scan has used for so many seconds may be removed; after half as long again it is."""

_ERA = FORGOTTEN // 2

_HELD: Final = 8 << 20
"""Bytes of entries that a process holds before it writes a pack."""

_SMALL: Final = 256 << 10
_MANY: Final = 64
"""So many packs of fewer than so many bytes are written again as few."""

_ENDING: Final = ".pack"
_WRITTEN = later(r"[0-9a-f]{24}\.pack|\.[0-9a-f]{24}|part-[0-9a-f]{24}\.parquet|\.named")
"""Names of packs, of those that are being written, and of the files of an index."""

_NAME: Final = 32
_HEAD: Final = 30 + _NAME
"""The length of the names of entries, and of what is before the bytes of one in a ZIP file."""

_Stamp = tuple[str, int, int, int]
"""A pack: its path, and what changes if it does."""

_Place = tuple[str, int, int, int]
"""The place of an entry: the path of its pack, its first byte, their number, their sum."""

_Index = dict[str, _Place]
"""Places of entries by their names."""

_LOADED: dict[str, tuple[set[_Stamp], _Index]] = {}
"""What this process has read of the packs in folders."""

_FOLDERS: Final = 32


class ScanCache:
    """A folder of such packs, on a path that all processes of a scan see.

    Packs are in a folder for each era, half the time after which entries are forgotten. An entry
    that is used is copied to the present era, so that eras are forgotten as a whole.

    It sees the packs that were there when it first looked, and what it wrote itself: `flush` writes
    what it holds, for others.
    """

    def __init__(self, folder: Path, now: float | None = None) -> None:
        """The folder is made when something is put into it; `now` are seconds since 1970."""
        self.folder = folder
        self._era = int((time.time() if now is None else now) // _ERA)
        self._held: defaultdict[Kind, dict[str, bytes]] = defaultdict(dict)
        self._size = 0
        self._seen: dict[tuple[Kind, int], _Index] = {}

    def has(self, kind: Kind, key: str) -> bool:
        """Say whether there is a whole entry, and mark it as used; OSError as of `get`."""
        return self.get(kind, key) is not None

    def get(self, kind: Kind, key: str) -> bytes | None:
        """Return what was put under a key, None if it is not there, not ours or not whole.

        An entry of an earlier era is put again: OSError when that cannot be done.
        """
        name = _name(key)
        if name in self._held[kind]:
            return self._held[kind][name]
        for _ in range(2):
            entries = [(era, self._index(kind, era).get(name)) for era in (0, 1, 2, -1)]
            found = [(era, entry) for era, entry in entries if entry is not None]
            for era, place in found:
                data = _read(place)
                if data is not None:
                    if era > 0:
                        self._hold(kind, name, data)
                    return data
            if not found:
                break
            self._seen.clear()  # another scan may have written it to another pack
        return None

    def put(self, kind: Kind, key: str, data: bytes) -> None:
        """Keep `data` under a key; OSError when a pack cannot be written."""
        self._hold(kind, _name(key), data)

    def flush(self) -> None:
        """Write what is held; OSError when that cannot be done: what is not written is held on."""
        for kind in [*self._held]:
            if self._held[kind]:
                _write(self._folder(kind, 0), self._held[kind])
                self._seen.pop((kind, 0), None)
            del self._held[kind]
        self._size = 0

    def forget(self) -> None:
        """Remove what has not been used for long, and make few packs of many small ones.

        Files that no scan wrote remain. A disk that is full or read-only changes nothing.
        """
        for kind in get_args(Kind):
            for folder in entries_of(self.folder / kind):
                era = whole_number(folder.name)
                is_old = era is not None and era < self._era - 2
                if is_old:
                    remove_written(folder)
            with suppress(OSError):
                self._join(kind)

    def _join(self, kind: Kind) -> None:
        small = [stamp for stamp in _packs(self._folder(kind, 0)) if stamp[2] < _SMALL]
        if len(small) < _MANY:
            return
        for path, *_ in small:
            for name, place in _places(path):
                data = _read(place)
                if data is not None:
                    self._hold(kind, name, data)
        self.flush()
        for path, *_ in small:
            Path(path).unlink(missing_ok=True)

    def _hold(self, kind: Kind, name: str, data: bytes) -> None:
        self._held[kind][name] = data
        self._size += len(data) + _NAME
        if self._size > _HELD:
            self.flush()

    def _folder(self, kind: Kind, era: int) -> Path:
        """The folder of packs of an era before the present one by so many."""
        return self.folder / kind / str(self._era - era)

    def _index(self, kind: Kind, era: int) -> _Index:
        if (kind, era) not in self._seen:
            self._seen[kind, era] = _index_of(self._folder(kind, era))
        return self._seen[kind, era]


def _name(key: str) -> str:
    return blake2b(key.encode(), digest_size=_NAME // 2).hexdigest()


def _index_of(folder: Path) -> _Index:
    """The entries of all packs in a folder; of packs that this process knows nothing is read."""
    packs = {*_packs(folder)}
    known, index = _LOADED.pop(str(folder), (set(), {}))
    if not packs:
        return {}
    if not known <= packs:
        known, index = set(), {}
    for stamp in sorted(packs - known):
        index.update(_places(stamp[0]))
    if len(_LOADED) >= _FOLDERS:
        _LOADED.clear()
    _LOADED[str(folder)] = packs, index
    return index


def _packs(folder: Path) -> Iterator[_Stamp]:
    for entry in entries_of(folder):
        if entry.name.endswith(_ENDING) and _WRITTEN.fullmatch(entry.name) is not None:
            with suppress(OSError):
                state = entry.stat(follow_symlinks=False)
                if is_ours(state):
                    yield entry.path, state.st_ino, state.st_size, state.st_mtime_ns


def _places(path: str) -> Iterator[tuple[str, _Place]]:
    """Yield names and places of the entries of a pack; none of one that is not ours or damaged."""
    file = open_own(Path(path))
    if file is None:
        return
    with file, suppress(Exception), ZipFile(file) as pack:  # a damaged one raises many kinds
        for entry in pack.infolist():
            first = entry.header_offset + _HEAD
            if first + entry.file_size <= pack.start_dir:
                yield entry.filename, (path, first, entry.file_size, entry.CRC)


def _read(place: _Place) -> bytes | None:
    """The bytes of an entry, None if they are not there or not whole."""
    path, start, length, whole = place
    file = open_own(Path(path))
    if file is None:
        return None
    with file, suppress(OSError):
        file.seek(start)
        data = file.read(length)
        return data if len(data) == length and crc32(data) == whole else None
    return None


def _write(folder: Path, entries: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{token_hex(12)}"
    try:
        with open(draft, "xb", opener=_for_owner) as file, ZipFile(file, "w") as pack:
            for name, data in entries.items():
                pack.writestr(ZipInfo(name), data)
        draft.replace(folder / f"{draft.name[1:]}{_ENDING}")
    finally:
        draft.unlink(missing_ok=True)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def remove_written(folder: os.DirEntry[str]) -> None:
    """Remove what scans wrote into a folder, and the folder if that was all; nothing by a link."""
    with suppress(OSError):
        if folder.is_dir(follow_symlinks=False):
            for entry in [*entries_of(Path(folder.path))]:
                if _WRITTEN.fullmatch(entry.name) is not None:
                    Path(entry.path).unlink()
            Path(folder.path).rmdir()


def entries_of(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield what is in a folder; nothing of one that cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        yield from entries
