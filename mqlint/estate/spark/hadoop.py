"""Files of the file systems that Spark reads (hdfs, s3a and others), as rows of LISTED.

The driver lists them, and reads the few that say how a repository is judged. Documents come by
Spark's own reader of binary files, as Python on the executors knows nothing of these file systems.
Of files that are as the scan before knew them no bytes are read; archives are read by each scan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from mqlint.config.project import CONFIG_NAMES
from mqlint.dataclass import NamedTuple, frozen
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.io.config_files import IndexedFiles, files_to_send
from mqlint.estate.io.content import LIMIT
from mqlint.estate.io.sources import (
    LISTED,
    ListedFile,
    Source,
    below,
    config_row,
    document_rows,
    fault,
    stamp_at,
)
from mqlint.estate.spark.frames import arrow_table, dataframe, mapped
from mqlint.estate.spark.remote import (
    FAILED,
    Remote,
    RemoteError,
    Seen,
    Unlisted,
    files_at,
    reason_of,
)
from mqlint.estate.stages.documents import DocumentRecord
from mqlint.estate.tables.batches import records, row_stage, schema_of
from mqlint.source.archive import is_archive
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable
from mqlint.source.sniff import is_text

ARCHIVE = 2 * LIMIT
"""The largest archive that is read, in bytes: Java and Python hold it whole."""

_UNREAD = "Spark could not read it: its log says why"
_CHANGED = "it changed while it was read"
_EMPTY = "no file was found in it"
_GIT = "it is a repository of git: mqlint reads those on paths only, not at a URI"
_SKIPPED = "Spark before 4.3 skips files with such names"
_READS_ALL: Final = (4, 3)
"""The version of Spark that can be told to skip no names."""


class _Request(NamedTuple):
    """A file whose bytes Spark is to read."""

    address: str
    path: str
    stamp: str
    archive: bool
    size: int


class _RequestedFile(NamedTuple):
    """A file that Spark has read; `content` is None where it could not.

    `size` is that of the listing, in bytes.
    """

    path: str
    stamp: str
    archive: bool
    size: int
    content: bytes | None


class _Unchanged(NamedTuple):
    """A file whose bytes are not needed again."""

    path: str
    stamp: str


def listed(spark: SparkSession, source: Source, known: DataFrame | None, keep: Path) -> DataFrame:
    """Return what a source holds, as rows of LISTED; `known` are those of the scan before.

    `keep` is the folder of what scans keep. The frame is persisted.
    """
    try:
        return _Listing(spark, source, keep).frame(known)
    except RemoteError as error:
        return dataframe(spark, [fault(source.repository, "", str(error))], LISTED)


@frozen
class _File:
    """A file: its path in reports of the repository, blank for an archive that is all of it."""

    seen: Seen
    path: str
    archive: bool

    @property
    def limit(self) -> int:
        return ARCHIVE if self.archive else LIMIT

    @property
    def is_hidden(self) -> bool:
        """Whether Spark may skip it for its name, as it does in a folder of tables."""
        name = self.seen.address.rpartition("/")[2]
        return name.startswith(".") or (name.startswith("_") and "=" not in name)

    def stamp(self, how: str) -> str:
        """What changes when it does, or the way it is read; blank if a change might not show."""
        return stamp_at(self.seen.length, self.seen.changed, how)


class _Listing:
    """One source on its way to rows: those that are ready, and those that Spark reads for it."""

    def __init__(self, spark: SparkSession, source: Source, keep: Path) -> None:
        self._spark = spark
        self._source = source
        self._keep = keep
        self._ready: list[ListedFile] = []
        version = tuple(int(word) for word in re.findall(r"\d+", spark.version)[:2])
        self._skips_names = version < _READS_ALL

    def frame(self, known: DataFrame | None) -> DataFrame:
        remote, top, found = files_at(self._spark, self._source.at)
        files = [*self._files(top, found)]
        if any(file.path.endswith("HEAD") for file in files) and _is_git(files):
            raise RemoteError(_GIT)
        if not files and not self._ready:
            raise RemoteError(_EMPTY)
        how = self._settings(remote, files)
        unchanged = self._unchanged_since(known)
        stamped = ((file, file.stamp(how)) for file in files)
        wanted = [
            (file, stamp) for file, stamp in stamped if self._is_wanted(file, stamp, unchanged)
        ]
        return self._asked(remote, wanted)

    def _files(self, top: str, found: Iterable[Seen | Unlisted]) -> Iterator[_File]:
        """The files of the source; what cannot be listed is a row."""
        start = len(top.rstrip("/")) + 1
        for seen in found:
            inside = seen.address[start:]
            if isinstance(seen, Unlisted):
                self._fault(display_path(inside, Path("/")) if inside else "", seen.reason)
                continue
            path = display_path(inside or seen.address.rpartition("/")[2], Path("/"))
            archive = is_archive(path) and (self._source.archives or not inside)
            yield _File(seen, path if inside or not archive else "", archive)

    def _settings(self, remote: Remote, files: Sequence[_File]) -> str:
        """Add the rows of settings; return what tells two ways of reading documents apart."""
        own = [file for file in files if file.path and file.seen.length <= LIMIT]
        addresses = {file.path: file.seen.address for file in own}
        texts = []

        def fetch(wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes | Unreadable]]:
            return ((path, remote.read(address)) for path, address in wanted.items())

        for sent in files_to_send(IndexedFiles(addresses, fetch), self._source.named):
            self._ready.append(config_row(self._source.repository, sent))
            if sent.path in CONFIG_NAMES:
                data = sent.data if isinstance(sent.data, bytes) else b""
                texts.append(f"{sent.path} {sha256(data).hexdigest()}")
        settings = json.dumps([digest_of_code(), self._source.reading, *sorted(texts)])
        return sha256(settings.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _unchanged_since(self, known: DataFrame | None) -> Collection[tuple[str, str]]:
        """Paths and stamps of files whose bytes are not needed, if they are as they were."""
        if known is None:
            return ()
        own = known.where(F.col("repository") == self._source.repository)
        found = arrow_table(mapped(own, _unchanged(self._keep)))
        return {*records(found.to_batches(), _Unchanged)}

    def _is_wanted(self, file: _File, stamp: str, unchanged: Collection[tuple[str, str]]) -> bool:
        """Whether its bytes are; adds the row of one whose bytes are not."""
        whole = below(self._source.repository, file.path)
        known = not file.archive and ((whole, stamp) in unchanged or not is_text(file.path, b""))
        if file.seen.length > file.limit:
            self._fault(file.path, f"larger than the limit of {file.limit:,} bytes")
        elif known or not file.seen.length:  # Spark's reader passes over empty files
            self._ready += document_rows(
                self._source, file.path, stamp, None if known else b"", False
            )
        elif file.is_hidden and self._skips_names:
            self._fault(file.path, _SKIPPED)
        else:
            return True
        return False

    def _asked(self, remote: Remote, wanted: list[tuple[_File, str]]) -> DataFrame:
        """All rows, with those of files that Spark's reader reads.

        They are read now: a file that it cannot read ends the work of Spark. Then each is tried.
        """
        if remote.tells_who_may:
            wanted = self._without_faults(wanted, remote.refused)
        try:
            return self._read(wanted)
        except FAILED:
            wanted = self._without_faults(wanted, remote.unreadable)
        try:
            return self._read(wanted)
        except FAILED as error:
            raise RemoteError(reason_of(error)) from None

    def _without_faults(
        self,
        wanted: list[tuple[_File, str]],
        faults_of: Callable[[Sequence[str]], Mapping[str, str]],
    ) -> list[tuple[_File, str]]:
        faults = faults_of([file.seen.address for file, _ in wanted])
        for file, _ in wanted:
            if file.seen.address in faults:
                self._fault(file.path, faults[file.seen.address])
        return [pair for pair in wanted if pair[0].seen.address not in faults]

    def _read(self, wanted: list[tuple[_File, str]]) -> DataFrame:
        """All rows, stored on the disks of the executors; one of FAILED if one cannot be read."""
        ready = dataframe(self._spark, self._ready, LISTED)
        contents = self._contents(wanted)
        frame = ready if contents is None else contents.union(ready)
        persisted = frame.persist(StorageLevel.DISK_ONLY)
        try:
            persisted.count()
        except FAILED:
            persisted.unpersist()
            raise
        return persisted

    def _contents(self, wanted: list[tuple[_File, str]]) -> DataFrame | None:
        if not wanted:
            return None
        files = [
            _Request(file.seen.address, file.path, stamp, file.archive, file.seen.length)
            for file, stamp in wanted
        ]
        reader = self._spark.read.format("binaryFile").options(
            recursiveFileLookup="true",
            ignoreMissingFiles="true",
            ignoreCorruptFiles="true",
            ignoredPathSegmentRegex="",
        )
        found = reader.load([_plain(file.address) for file in files]).where(
            F.col("length") <= ARCHIVE
        )
        contents = found.select(F.col("path").alias("address"), "content")
        asked = dataframe(self._spark, files, schema_of(_Request)).join(contents, "address", "left")
        parts = self._spark.sparkContext.defaultParallelism
        return mapped(asked.coalesce(parts), _unpacked(self._source))

    def _fault(self, path: str, reason: str) -> None:
        self._ready.append(fault(self._source.repository, path, reason))


def _is_git(files: Iterable[_File]) -> bool:
    """Whether these are what a bare mirror holds."""
    names = {file.path.partition("/")[0] for file in files}
    return {"HEAD", "objects"} <= names


@row_stage(ListedFile, schema_of(_Unchanged))
def _unchanged(given: Iterable[ListedFile], keep: Path) -> Iterator[_Unchanged]:
    """The known records of unchanged files of which everything that may be asked is cached."""
    cache = ScanCache(keep)
    for row in given:
        if row.stamp and _is_enough(DocumentRecord.unpacked(row.detail), cache):
            yield _Unchanged(row.path, row.stamp)


def _is_enough(document: DocumentRecord, cache: ScanCache) -> bool:
    """Whether nobody will ask for the bytes of a document that is as it was."""
    if document.facts:
        return cache.has("facts", document.facts)
    return document.reads != ""


@row_stage(_RequestedFile, LISTED)
def _unpacked(given: Iterable[_RequestedFile], source: Source) -> Iterator[ListedFile]:
    """Files with their bytes, where Spark could read them, to rows of LISTED."""
    for row in given:
        if row.content is None:
            yield fault(source.repository, row.path, _UNREAD)
        elif len(row.content) != row.size:
            yield fault(source.repository, row.path, _CHANGED)
        else:
            yield from document_rows(source, row.path, row.stamp, row.content, row.archive)


def _plain(address: str) -> str:
    """Spark takes an address for a pattern: signs of patterns are written as themselves."""
    return "".join(f"\\{sign}" if sign in "*?[]{}\\" else sign for sign in address)
