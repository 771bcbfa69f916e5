"""A file system of Hadoop's (hdfs, s3a and others), asked by the driver through Spark's Java.

Spark's own listing passes over empty files, before 4.3 over names that begin with `_` or `.` too,
and ends at the first folder that it may not list. This one passes over nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from py4j.java_gateway import JavaObject  # type: ignore[import-untyped]
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mqlint.config.globs import GlobError, compile_glob
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.discover import JUNK
from mqlint.source.read import Unreadable

FAILED: Final = (PySparkException, Py4JJavaError)
"""What Java's failures are in Python."""

GONE = "no such file or folder"

_FORBIDDEN = "no permission to read it"
_LOST = "a block of the file is missing or corrupt"
_CREDENTIALS = "no credentials are known for it, or none that it accepts"

_ASKED_AT_ONCE = 8
_CHUNK = 1 << 16
_LOGIN = "Login failed"
_WILD = "*?["
_ROOT = later(r"[A-Za-z][A-Za-z0-9+.-]*:(?://[^/]*)?")
_CAUSES = 10
_RETRY_WINDOW = "dfs.client.retry.window.base"
"""Milliseconds that hdfs waits before it asks again for a block that is missing, 3,000 by default:
too long for many files."""
_SAY_WHO_MAY = frozenset({"hdfs", "webhdfs", "swebhdfs", "viewfs"})
_WORDS = {
    "FileNotFoundException": GONE,
    "UnknownStoreException": "the bucket does not exist",
    "UnknownHostException": "the host does not exist",
    "ConnectException": "the host does not answer",
    "NoRouteToHostException": "the host does not answer",
    "SocketTimeoutException": "it did not answer in time",
    "ConnectTimeoutException": "it did not answer in time",
    "AccessControlException": _FORBIDDEN,
    "AccessDeniedException": _FORBIDDEN,
    "NoAuthWithAWSException": _CREDENTIALS,
    "NoAwsCredentialsException": _CREDENTIALS,
    "UnsupportedFileSystemException": "Spark knows no file system of this kind",
    "BlockMissingException": _LOST,
    "ChecksumException": _LOST,
    "ClassNotFoundException": "Spark lacks the package that reads this kind of file system",
    "NoClassDefFoundError": "Spark lacks the package that reads this kind of file system",
}
"""Words for exceptions of Java; their own words are not shown, as they may quote secrets."""


@frozen
class Seen:
    """A file: its address, its length in bytes, when it was changed (milliseconds since 1970)."""

    address: str
    length: int
    changed: int


@frozen
class Unlisted:
    """A folder that cannot be listed, and why."""

    address: str
    reason: str


class RemoteError(Exception):
    """A file system cannot be asked; the text says why, in few words."""


def files_at(spark: SparkSession, address: str) -> tuple[Remote, str, Iterator[Seen | Unlisted]]:
    """Return what a URI stands for: the file system, the address of its top, and the files.

    The address is that of a file, of a folder, or a pattern, as of paths; then its top is the
    folder before the first sign of a pattern, and it fits files. RemoteError when there is
    nothing, here or while files are asked for.
    """
    remote = Remote(spark, address)
    try:
        return remote, *remote.below(address)
    except RemoteError as error:
        at = min((at for at, char in enumerate(address) if char in _WILD), default=-1)
        if at < 0 or str(error) != GONE:
            raise
    fixed = address[:at].rpartition("/")[0]
    top, found = remote.below(f"{fixed}/" if _ROOT.fullmatch(fixed) else fixed)
    return remote, top, _fitting(top, address[len(fixed) + 1 :], found)


class Remote:
    """A file system that is asked through Spark's Java.

    `tells_who_may` is whether `refused` knows before a file is read that it may not be.
    """

    def __init__(self, spark: SparkSession, address: str) -> None:
        """Take that of a URI as Hadoop has it: nothing in it is percent-encoded. RemoteError."""
        self._jvm: JavaObject = spark._jvm
        with _Explained():
            self._conf = spark._jsparkSession.sessionState().newHadoopConf()
            self._system = self._path(address).getFileSystem(self._conf)
            self.tells_who_may = str(self._system.getUri().getScheme()) in _SAY_WHO_MAY

    def below(self, address: str) -> tuple[str, Iterator[Seen | Unlisted]]:
        """Return an address as the file system writes it, and the file there, or those below.

        RemoteError when there is nothing.
        """
        with _Explained():
            top = self._system.getFileStatus(self._path(address))
            whole = str(top.getPath().toString())
        return whole, self._walked(top.getPath()) if top.isDirectory() else iter([_seen(top)])

    def read(self, address: str) -> bytes | Unreadable:
        """Return the bytes of a file. They come by way of the driver: not for large or many."""
        try:
            with _Explained():
                stream = self._system.open(self._path(address))
                try:
                    return bytes(stream.readAllBytes())
                finally:
                    stream.close()
        except RemoteError as error:
            return Unreadable(str(error))

    def refused(self, addresses: Sequence[str]) -> dict[str, str]:
        """Return those that may not be read or are gone, as far as is known, and why."""
        read = self._jvm.org.apache.hadoop.fs.permission.FsAction.READ
        faults = _faults(addresses, lambda address: self._system.access(self._path(address), read))
        return {at: reason for at, reason in faults.items() if reason in (GONE, _FORBIDDEN)}

    def unreadable(self, addresses: Sequence[str]) -> dict[str, str]:
        """Return those that cannot be read, and why; each is read, and its bytes stay in Java."""
        conf = self._jvm.org.apache.hadoop.conf.Configuration(self._conf)
        conf.setInt(_RETRY_WINDOW, 100)
        system = self._jvm.org.apache.hadoop.fs.FileSystem.newInstance(self._system.getUri(), conf)
        sink = self._jvm.java.io.OutputStream.nullOutputStream()
        copy = self._jvm.org.apache.hadoop.io.IOUtils.copyBytes

        def read(address: str) -> None:
            stream = system.open(self._path(address))
            try:
                copy(stream, sink, _CHUNK, False)
            finally:
                stream.close()

        try:
            return _faults(addresses, read)
        finally:
            system.close()

    def _path(self, address: str) -> JavaObject:
        return self._jvm.org.apache.hadoop.fs.Path(address)

    def _walked(self, top: JavaObject) -> Iterator[Seen | Unlisted]:
        """All files of a folder, level by level."""
        folders = [top]
        with ThreadPoolExecutor(_ASKED_AT_ONCE) as pool:
            while folders:
                level, folders = folders, []
                for seen, inner in pool.map(self._inside, level):
                    yield from seen
                    folders += inner

    def _inside(self, folder: JavaObject) -> tuple[list[Seen | Unlisted], list[JavaObject]]:
        """The files of a folder, and its folders."""
        try:
            with _Explained():
                entries = [*self._system.listStatus(folder)]
        except RemoteError as error:
            return [Unlisted(str(folder.toString()), str(error))], []
        files: list[Seen | Unlisted] = []
        folders = []
        for entry in entries:
            if not entry.isDirectory():
                files.append(_seen(entry))
            elif entry.getPath().getName() not in JUNK:
                folders.append(entry.getPath())
        return files, folders


def _faults(addresses: Sequence[str], ask: Callable[[str], object]) -> dict[str, str]:
    """Return the addresses for which `ask` fails, and why."""

    def fault(address: str) -> str:
        try:
            with _Explained():
                ask(address)
        except RemoteError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(_ASKED_AT_ONCE) as pool:
        found = zip(addresses, pool.map(fault, addresses), strict=True)
        return {address: reason for address, reason in found if reason}


def _seen(status: JavaObject) -> Seen:
    return Seen(
        str(status.getPath().toString()), int(status.getLen()), int(status.getModificationTime())
    )


def _fitting(top: str, pattern: str, found: Iterable[Seen | Unlisted]) -> Iterator[Seen | Unlisted]:
    try:
        fits = compile_glob(pattern).matches
    except GlobError as error:
        raise RemoteError(str(error)) from None
    start = len(top.rstrip("/")) + 1
    return (seen for seen in found if isinstance(seen, Unlisted) or fits(seen.address[start:]))


class _Explained:
    """Turns what Java raises into RemoteError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FAILED):
            raise RemoteError(reason_of(error)) from None


def reason_of(error: BaseException) -> str:
    """Return why Java could not do something, in few words that quote nothing."""
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    if java is not None and _LOGIN in str(java.getMessage()):
        return _CREDENTIALS
    names = list(_causes(java))
    known = [_WORDS[name] for name in names if name in _WORDS]
    if known:
        return known[-1]  # what caused it all says more: that credentials lack, not who refuses
    return f"Spark cannot read it ({(names or [type(error).__name__])[0]})"


def _causes(java: JavaObject | None) -> Iterator[str]:
    """The names of the classes of an exception of Java, and of what caused it."""
    for _ in range(_CAUSES):
        if java is None:
            return
        yield str(java.getClass().getSimpleName())
        java = java.getCause()
