"""Files of object stores and of HDFS, as clients in Python list and read them: without Java.

Arrow's own client reads object stores. The package hdfs-native reads HDFS; it finds names of
NameNodes and Kerberos in the files of HADOOP_CONF_DIR, and tokens as Hadoop's own client does.
"""

from __future__ import annotations

import re
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import quote

import pyarrow as pa
from pyarrow.fs import FileInfo, FileSelector, FileSystem, FileType

from mqlint.computed import Computed
from mqlint.config.object_store import answer_of, store_address, with_patience
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.discover import JUNK
from mqlint.source.read import Unreadable, too_large

if TYPE_CHECKING:
    from hdfs_native import Client, FileStatus

FAILED: Final = (OSError, ValueError, pa.ArrowException, RuntimeError, ImportError)
"""What the failures of these clients are."""

_HDFS: Final = "hdfs:"
_PORT: Final = later(r"(.+):(\d{1,5})\Z")
_PATIENCE: Final = 5.0
"""Seconds in which a NameNode must accept a connection; its client itself waits for minutes."""

_ALONE: Final = {"dfs.client.failover.max.attempts": "1"}
"""A NameNode that is named by its port has no other to turn to."""

_KIND: Final = "mqlint reads no file system of this kind: hdfs, s3, gs and abfs are read"
_NO_PACKAGE: Final = "the Python package hdfs-native is missing: pip install 'mqlint[hdfs]'"
_RPC: Final = later(r"RPCError\(\"(?:[\w$]+\.)*([\w$]+)\"")
_WORDS: Final = {
    "AccessControlException": "no permission to read it",
    "StandbyException": "no NameNode is active",
    "SafeModeException": "the NameNode is in safe mode",
}
"""Words for exceptions of a NameNode; its own words have paths and users of the server."""

_LOST: Final = "a block of the file is missing or corrupt"
_CHANGED: Final = "it changed while it was read"


@frozen
class RemoteFile:
    """A file: its path in the store, its bytes, when it was changed (milliseconds since 1970)."""

    path: str
    size: int
    changed: int


@frozen
class Unlisted:
    """A folder that cannot be listed, and why; without a reason it was not tried."""

    path: str
    reason: str = ""


class Store(Protocol):
    """A file system elsewhere. One of FAILED is raised if it does not answer."""

    def file(self, path: str) -> RemoteFile | None:
        """Return a file, None for a folder; FileNotFoundError if it is neither."""

    def inside(self, path: str) -> Sequence[RemoteFile | str]:
        """Return the files in a folder, and the paths of the folders."""

    def below(self, path: str) -> Iterator[RemoteFile | Unlisted]:
        """Yield all files below a folder."""

    def bytes_of(self, path: str, limit: int) -> bytes:
        """Return the first `limit` bytes of a file, all if it has fewer."""


class ArrowStore:
    """An object store; all that is below a folder comes by one listing."""

    def __init__(self, system: FileSystem) -> None:
        self._system = system

    def file(self, path: str) -> RemoteFile | None:
        [info] = self._system.get_file_info([path])
        return _of_info(info) if info.type == FileType.File else None

    def inside(self, path: str) -> Sequence[RemoteFile | str]:
        every = self._infos(path, recursive=False)
        return [_of_info(info) if info.type == FileType.File else info.path for info in every]

    def below(self, path: str) -> Iterator[RemoteFile | Unlisted]:
        every = self._infos(path, recursive=True)
        return (_of_info(info) for info in every if info.type == FileType.File)

    def _infos(self, path: str, *, recursive: bool) -> list[FileInfo]:
        selector = FileSelector(path, recursive=recursive, allow_not_found=True)
        every: list[FileInfo] = self._system.get_file_info(selector)
        if not every:
            raise FileNotFoundError
        return every

    def bytes_of(self, path: str, limit: int) -> bytes:
        with self._system.open_input_stream(path) as stream:
            return bytes(stream.read(limit))


def _of_info(info: FileInfo) -> RemoteFile:
    return RemoteFile(info.path, info.size, (info.mtime_ns or 0) // 1_000_000)


class _HdfsStore:
    """HDFS; folders are listed one by one, so that a forbidden one costs itself alone."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def file(self, path: str) -> RemoteFile | None:
        status = self._client.get_file_info(path)
        return None if status.isdir else _of_status(status)

    def inside(self, path: str) -> Sequence[RemoteFile | str]:
        every = self._client.list_status(path, False)
        return [status.path if status.isdir else _of_status(status) for status in every]

    def below(self, path: str) -> Iterator[RemoteFile | Unlisted]:
        return searched(self, path)

    def bytes_of(self, path: str, limit: int) -> bytes:
        with self._client.read(path) as stream:
            return bytes(stream.read(limit))


def searched(store: Store, top: str, folders: int | None = None) -> Iterator[RemoteFile | Unlisted]:
    """Yield the files below a folder, folder by folder.

    After so many `folders`, if there was a file, those that are left are yielded without a reason.
    """
    pending = deque([top])
    count, is_empty = 0, True
    while pending and (folders is None or count < folders or is_empty):
        folder = pending.popleft()
        count += 1
        try:
            every = store.inside(folder)
        except FAILED as error:
            if folder == top or not isinstance(error, FileNotFoundError):  # not just deleted
                yield Unlisted(folder, reason_of(error))
            continue
        for found in every:
            if isinstance(found, RemoteFile):
                is_empty = False
                yield found
            elif found.rpartition("/")[2] not in JUNK:
                pending.append(found)
    yield from map(Unlisted, pending)


def _of_status(status: FileStatus) -> RemoteFile:
    return RemoteFile(status.path, status.length, status.modification_time)


def opened(uri: str) -> tuple[Store, str]:
    """Return the client of the store of a URI, and the path in it.

    Nothing in a URI is percent-encoded. One of FAILED if it cannot be opened.
    """
    start, _, path = (store_address(uri) or "").partition("://")
    if start:
        address = with_patience(f"{start}://{quote(path, safe='/@:')}")
        system, place = FileSystem.from_uri(address)
        return ArrowStore(system), place
    if not uri.lower().startswith(_HDFS):
        raise ValueError(_KIND)
    try:
        from hdfs_native import Client  # of an extra that few need
    except ImportError:
        raise ImportError(_NO_PACKAGE) from None
    host, path = host_and_path(uri)
    place = _PORT.match(host)
    if place is None:  # a name of HADOOP_CONF_DIR
        return _HdfsStore(Client(f"hdfs://{host or '/'}")), path
    with socket.create_connection((place[1].strip("[]"), int(place[2])), _PATIENCE):
        return _HdfsStore(Client(f"hdfs://{host}", _ALONE)), path


def host_and_path(uri: str) -> tuple[str, str]:
    """Return the host of a URI of HDFS, blank for the default one, and the path there."""
    rest = uri[len(_HDFS) :]
    host, _, path = rest[2:].partition("/") if rest.startswith("//") else ("", "", rest)
    return host, "/" + path.strip("/")


class Objects:
    """Reads files of stores; keeps the clients that it made."""

    def __init__(self) -> None:
        """Begin without a client."""
        self._stores = Computed[str, Store](lambda uri: opened(uri)[0])

    def read(self, uri: str, path: str, limit: int) -> bytes | Unreadable:
        """Return the bytes of a file of the store of a URI, or why there are none."""
        try:
            file = self._stores[uri].file(path)
        except FAILED as error:
            return Unreadable(reason_of(error))
        if file is None:
            return Unreadable(_CHANGED)
        return read_object(self._stores[uri], file, limit)


def read_object(store: Store, file: RemoteFile, limit: int) -> bytes | Unreadable:
    """Return the bytes of a file of at most `limit` bytes, or why there are none."""
    if file.size > limit:
        return too_large(limit)
    try:
        data = store.bytes_of(file.path, file.size + 1)  # one more tells that it grew
    except FAILED as error:
        return Unreadable(reason_of(error))
    return data if len(data) == file.size else Unreadable(_CHANGED)


def reason_of(error: Exception) -> str:
    """Return why a store does not answer, in few words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, socket.gaierror):
        return "the host does not exist"
    if isinstance(error, TimeoutError | ConnectionRefusedError):
        return "the host does not answer"
    text = str(error)
    name = _RPC.search(text)
    if name is not None:
        return _WORDS.get(name[1], f"HDFS cannot read it ({name[1]})")
    if isinstance(error, RuntimeError):
        kind = re.match(r"\w*", text)
        is_lost = text.startswith(("DataTransferError", "ChecksumError"))
        return _LOST if is_lost else f"HDFS cannot read it ({kind[0] if kind else ''})"
    return answer_of(error)
