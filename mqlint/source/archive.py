"""The files in a tar or zip archive, read in place: nothing is unpacked to disk.

An archive may be hostile. A name that leads out of it, a link, a device, a file larger than the
limit, a second file of one name: each is unread. What is unpacked in all, what is read at
once and how many names there are is bounded.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import posixpath
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.read import Unreadable, too_large, why_unread

TOTAL = 4 << 30
"""The most that is unpacked of one archive, in bytes."""

NAMES = 1_000_000
"""The most files of one archive."""

_AT_ONCE = 64 << 20
"""The most that a reader of archives may ask for at once: no header is as large."""

_DIRECTORY = 32 << 20
"""The largest list of files of a zip: what Python keeps of it takes ten times as much."""

_DICTIONARY = 256 << 20
"""The most memory that unpacking xz may ask for: `xz -9` asks for a quarter, a bomb for 4 GiB."""

_NAME = later(r"(?i)\.(?:tar|tar\.gz|tgz|tar\.bz2|tbz2?|tar\.xz|txz|tar\.lzma|tlz|zip)\Z")

_FORMATS = {
    "zip": ("zip",),
    "gzip": ("gz",),
    "bzip2": ("bz2", "tbz"),
    "xz": ("xz",),
    "lzma": ("lzma", "tlz"),
}
"""Formats by the ends of names; any other archive is a plain tar file."""


@frozen
class Member:
    """A file in an archive, its name with forward slashes, and its bytes or why there are none."""

    name: str
    data: bytes | Unreadable


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _TooMuch(ValueError):
    """A bound is reached; the text says which."""


def is_archive(name: str) -> bool:
    return _NAME.search(name) is not None


def stem(name: str) -> str:
    """Return the name of an archive without its ending."""
    return _NAME.sub("", name)


def members(path: Path, *, limit: int, total: int = TOTAL) -> Iterator[Member]:
    """Yield the files of an archive, in its order; never raises.

    A file of more than `limit` bytes is not read. Where the archive as a whole cannot be read, or
    no further, the last one is a member without a name.
    """
    try:
        with path.open("rb") as file:
            yield from members_of(file, path.name, limit=limit, total=total)
    except OSError as error:
        yield Member("", Unreadable(why_unread(error)))


def members_of(file: IO[bytes], name: str, *, limit: int, total: int = TOTAL) -> Iterator[Member]:
    """Yield the files of an archive that is open, as `members`; its name tells its kind."""
    seen: set[str] = set()
    try:
        for member in _members(file, name, limit, total):
            if member.name in seen:
                yield Member(member.name, Unreadable("its name is repeated in the archive"))
                continue
            if len(seen) >= NAMES:
                raise _TooMuch(f"it has more than {NAMES:,} files: the rest was not read")
            seen.add(member.name)
            yield member
    except Exception as error:  # on bytes that are no archive, tarfile and zipfile raise anything
        yield Member("", Unreadable(_fault(error, name)))


def _fault(error: Exception, name: str) -> str:
    """Why an archive cannot be read, or no further."""
    if isinstance(error, _TooMuch):
        return str(error)
    if isinstance(error, OSError) and error.errno is not None:
        return why_unread(error)
    if isinstance(error, EOFError) or "end of data" in str(error):
        return "the archive is incomplete"
    if isinstance(error, lzma.LZMAError) and "limit" in str(error):
        return f"unpacking it takes more than {_DICTIONARY:,} bytes of memory"
    return f"the archive is damaged or is not in the format {_format_of(name)}"


def _format_of(name: str) -> str:
    ending = name.lower()
    return next((word for word, last in _FORMATS.items() if ending.endswith(last)), "tar")


def _members(file: IO[bytes], name: str, limit: int, total: int) -> Iterator[Member]:
    kind = _format_of(name)
    if kind == "zip":
        yield from _zipped(file, limit, total)
    elif kind in ("gzip", "bzip2"):
        with gzip.open(file) if kind == "gzip" else bz2.open(file) as stream:
            yield from _taped(stream, limit, total)
    elif kind == "tar":
        yield from _taped(file, limit, total)
    else:
        yield from _taped(_Unpacked(file), limit, total)


def _taped(stream: _Readable, limit: int, total: int) -> Iterator[Member]:
    reader = _Forward(stream, total)
    with tarfile.TarFile(fileobj=reader, mode="r", errorlevel=0) as tape:
        while (info := tape.next()) is not None:
            tape.members = []  # type: ignore[attr-defined]  # a list of all it has seen, which nobody asks for
            if info.isdir():
                continue
            name = _inside(info.name)
            if name is None:
                yield Member(info.name, _LEADS_OUT)
            elif info.issym() or info.islnk():
                yield Member(name, _LINK)
            elif not info.isreg() or info.issparse():
                yield Member(name, Unreadable("it is not a regular file"))
            elif info.size > limit:
                yield Member(name, too_large(limit))
            else:
                inner = tape.extractfile(info)
                yield Member(name, inner.read() if inner is not None else b"")
        if reader.has_more(tape.offset):  # tarfile ends at a header that it does not understand
            yield Member("", _REST)


def _zipped(file: IO[bytes], limit: int, total: int) -> Iterator[Member]:
    left = total
    with zipfile.ZipFile(_Bounded(file)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            name = _inside(info.filename)
            if name is None:
                yield Member(info.filename, _LEADS_OUT)
            elif stat.S_ISLNK(info.external_attr >> 16):
                yield Member(name, _LINK)
            elif info.flag_bits & 1:
                yield Member(name, Unreadable("it is encrypted"))
            elif info.file_size > limit:
                yield Member(name, too_large(limit))
            else:
                data = _unzipped(archive, info, min(limit, left))
                if isinstance(data, Unreadable):
                    yield Member(name, data)
                    continue
                if len(data) > left:
                    raise _TooMuch(_more_than(total))
                left -= len(data)
                yield Member(name, data if len(data) <= limit else too_large(limit))


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes | Unreadable:
    """The bytes of a file, one more than `limit` of a longer one, whatever its header says.

    A damaged file costs itself alone: the directory says where the others begin.
    """
    try:
        with archive.open(info) as inner:
            return inner.read(limit + 1)
    except NotImplementedError:
        return Unreadable("its compression method is not supported")
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk, not the file
            raise
        return Unreadable("it is damaged in the archive")


_REST = Unreadable("it is damaged, or continues after its end: the rest was not read")
_LEADS_OUT = Unreadable("its name is outside the archive")
_LINK = Unreadable("it is a link, which is not followed in an archive")


def _more_than(total: int) -> str:
    return f"it unpacks to more than {total:,} bytes: the rest was not read"


def _inside(name: str) -> str | None:
    """The name as a path below the archive, None for one that leads elsewhere."""
    text = name.replace("\\", "/")
    path = posixpath.normpath(text)
    if (
        text.startswith("/")
        or path == ".."
        or path.startswith("../")
        or re.match("[A-Za-z]:", text)
    ):
        return None
    return path if "\0" not in path else None


class _Unpacked:
    """What a file of xz or lzma holds, its streams one after the other.

    `lzma.open` would take as much memory as a header asks for.
    """

    _CHUNK = 1 << 16

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._begin(b"")

    def _begin(self, rest: bytes) -> None:
        self._reader = lzma.LZMADecompressor(memlimit=_DICTIONARY)
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        """Return `size` bytes, fewer at the end; LZMAError and EOFError as `lzma.open`."""
        pieces: list[bytes] = []
        while size > 0 and (not self._reader.eof or self._another()):
            given, self._rest = self._rest, b""
            if not given and self._reader.needs_input:
                given = self._file.read(self._CHUNK)
                if not given:
                    raise EOFError
            pieces.append(self._reader.decompress(given, size))
            size -= len(pieces[-1])
        return b"".join(pieces)

    def _another(self) -> bool:
        """Begin the next stream, if there is one: streams may be padded with zeros."""
        rest = self._reader.unused_data.lstrip(b"\0")
        while not rest:
            chunk = self._file.read(self._CHUNK)
            if not chunk:
                return False
            rest = chunk.lstrip(b"\0")
        self._begin(rest)
        return True


class _Bounded(io.RawIOBase):
    """A file that can be sought in and gives no more at once than any header needs."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size if 0 <= size <= _DIRECTORY else _DIRECTORY + 1)
        if len(data) > _DIRECTORY:
            raise _TooMuch(f"its list of files has more than {_DIRECTORY:,} bytes")
        return data

    def seek(self, at: int, whence: int = 0) -> int:
        return self._file.seek(at, whence)

    def tell(self) -> int:
        return self._file.tell()


class _Forward(io.RawIOBase):
    """A stream read once from its beginning to its end; what is skipped is read too.

    The last few bytes are kept: a reader of tapes looks back by one.
    """

    _TAIL = 1024

    def __init__(self, stream: _Readable, total: int) -> None:
        self._stream = stream
        self._total = total
        self._at = self._end = 0
        self._last = b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > _AT_ONCE:
            raise _TooMuch(f"it has a header of more than {_AT_ONCE:,} bytes")
        back = self._end - self._at
        repeated = self._last[len(self._last) - back :][:size] if back else b""
        fresh = self._next(size - len(repeated))
        self._at += len(repeated) + len(fresh)
        return repeated + fresh

    def seek(self, at: int, whence: int = 0) -> int:
        if whence != 0 or at < self._end - len(self._last):
            raise ValueError("a stream is read forward")
        while self._end < at and self._next(min(at - self._end, 1 << 20)):
            pass
        self._at = at
        return at

    def has_more(self, at: int) -> bool:
        """Whether anything but zeros follows, which fill a tape."""
        self.seek(at)
        while data := self.read(1 << 20):
            if data.count(0) < len(data):
                return True
        return False

    def _next(self, size: int) -> bytes:
        if size <= 0:
            return b""
        data = self._stream.read(size)
        self._end += len(data)
        if self._end > self._total:
            raise _TooMuch(_more_than(self._total))
        self._last = (self._last + data)[-self._TAIL :]
        return data
