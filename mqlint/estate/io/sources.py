"""The sources of an estate: each is listed on an executor that sees its files."""

from __future__ import annotations

import io
import json
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from mqlint.config.object_store import store_address
from mqlint.dataclass import NamedTuple, frozen, names_of
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.io.config_files import (
    ConfigFile,
    FolderFiles,
    RepositoryFiles,
    archive_files,
    commit_files,
    files_to_send,
)
from mqlint.estate.io.content import LIMIT, Place
from mqlint.estate.tables.batches import row_stage, schema_of
from mqlint.source.archive import Member, is_archive, members, members_of
from mqlint.source.commit import AtCommit
from mqlint.source.discover import LEADS_OUT, discover
from mqlint.source.display import display_path
from mqlint.source.git import GitError, commit_of
from mqlint.source.read import Unreadable, read, why_unread


class SourceRow(NamedTuple):
    """A source, as JSON."""

    source: str


class ListedFile(NamedTuple):
    """One file of a source, or why there is none; `kind` says what it is.

    `file`: a document, in `data` when it is here already. `config`: a file that says how a
    repository is judged, in `data`, which is null where it cannot be had. `fault`: what could not
    be listed or read, `detail` is the reason. `link`: a link that is not followed, `detail` is the
    reason. `known`: what the scan before knew of a file, as JSON
    in `detail`. `count`: how many documents there are, in `detail`.

    Equal stamps of one path mean equal bytes. Rows of one bucket are read in one place.
    """

    kind: str
    repository: str = ""
    path: str = ""
    bucket: str = ""
    stamp: str = ""
    place: str = ""
    data: bytes | None = None
    detail: str = ""


SOURCES: Final = schema_of(SourceRow)
LISTED: Final = schema_of(ListedFile)

SourceKind = Literal["project", "repository", "dumps", "uri"]

_GONE = "no such file or folder"
_NEEDS_SPARK = "only Spark reads a path of this kind"
_EMPTY = "no file was found in it"
_BUCKETS = 8
_COARSE, _FINE = 2.0, 0.1


@frozen
class Source:
    """Something to be listed.

    A `project` is the folder `at` in the project at `root`, as `mqlint check` takes it, less the
    patterns `exclude`; a `repository` is a checkout, a bare mirror or an archive; `dumps` are a
    folder, an archive, a file or a pattern; a `uri` is for Spark to list. `ref` is what
    is read of a git repository. Nothing below the folder `without`, and of what scans keep,
    is found. `named` are files of waivers and baselines that ESTATE names.

    Of a `uri`, `archives` says that those in it are opened, and `reading` is what decides, besides
    its own files, how its documents are read: if it differs they are read again.
    """

    repository: str
    kind: SourceKind
    at: str
    root: str = ""
    ref: str | None = None
    exclude: tuple[str, ...] = ()
    without: str = ""
    named: tuple[str, ...] = ()
    archives: bool = False
    reading: str = ""


def row_of(source: Source) -> SourceRow:
    """Return a source as a row of SOURCES; paths may have bytes that are no text."""
    values = {name: getattr(source, name) for name in names_of(Source)}
    return SourceRow(json.dumps(values))


@row_stage(SourceRow, LISTED)
def list_sources(given: Iterable[SourceRow], keep: Path) -> Iterator[ListedFile]:
    """Sources to their files; `keep` is the folder of what scans keep."""
    cache = ScanCache(keep)
    return (file for row in given for file in _listed(row.source, cache))


def _listed(packed: str, cache: ScanCache) -> Iterator[ListedFile]:
    values = json.loads(packed)
    lists = {name: tuple(values[name]) for name in ("exclude", "named")}
    source = Source(**{**values, **lists})
    count = 0
    try:
        for row in _Listing(source, cache).rows():
            count += 1
            yield row
    except GitError as error:
        yield fault(source.repository, "", str(error))
    except OSError as error:
        yield fault(source.repository, "", why_unread(error))
    else:
        if not count:
            yield fault(source.repository, "", _EMPTY)


class _Listing:
    """One source, and how it is listed."""

    def __init__(self, source: Source, cache: ScanCache) -> None:
        self._source = source
        self._at = Path(source.at)
        self._cache = cache
        self._without = [folder for folder in (source.without, cache.folder) if folder]

    def rows(self) -> Iterator[ListedFile]:
        return self._lister()()

    def _lister(self) -> Callable[[], Iterator[ListedFile]]:
        source, at = self._source, self._at
        if source.kind == "project":
            return partial(self._files, source.at, Path(source.root))
        if at.is_dir():
            with os.scandir(at):  # OSError where it may not be looked into
                pass
            if source.kind == "repository" and (source.ref is not None or is_bare(at)):
                return self._committed
            return partial(self._files, source.at, at)
        if at.is_file():
            if is_archive(at.name):
                return partial(self._members, at, "")
            return partial(self._files, source.at, at.parent)
        if source.kind == "dumps" and any(sign in source.at for sign in "*?["):
            return partial(self._files, source.at, fixed_part(source.at))
        if source.kind == "uri" and store_address(source.at) is not None:
            from mqlint.estate.io.objects import object_rows  # here, as few estates have one

            return partial(object_rows, source)
        if source.kind == "uri":
            return lambda: iter((fault(source.repository, "", _NEEDS_SPARK),))
        reason = _GONE
        if at.exists() and isinstance(found := read(at), Unreadable):  # a pipe, say: not opened
            reason = found.reason.partition(" (")[0]  # the rest is advice for `mqlint check`
        return lambda: iter((fault(source.repository, "", reason),))

    def _files(self, target: str, root: Path) -> Iterator[ListedFile]:
        source = self._source
        discovered = discover([target], root, exclude=source.exclude)
        found = self._shown(discovered.files, root)
        if source.kind != "project":
            yield from self._settings(FolderFiles(root, found, whole=self._at == root))
        for path, file in found.items():
            if source.kind == "dumps" and file != self._at and is_archive(file.name):
                yield from self._members(file, path)
            else:
                yield self._file(path, stamp_of(file), Place("file", str(file)))
        yield from map(self._link, self._shown(discovered.leading_out, root))

    def _shown(self, files: Iterable[Path], root: Path) -> dict[str, Path]:
        """Files by their paths from `root`, without what scans write."""
        return {
            display_path(file, root): file
            for file in files
            if not any(file.is_relative_to(box) for box in self._without)
        }

    def _committed(self) -> Iterator[ListedFile]:
        at = self._at
        commit = commit_of(at, self._source.ref or "HEAD")
        tree = AtCommit(at, commit, "")
        found = {file.path: file.oid for file in tree.files(at)}
        yield from self._settings(commit_files(at, found))
        for path, oid in found.items():
            bucket = f"{self._source.repository}#{zlib.crc32(path.encode()) % _BUCKETS}"
            yield self._file(path, f"git {oid}", Place("git", str(at), oid), bucket)
        yield from map(self._link, tree.leading_out())

    def _members(self, archive: Path, prefix: str) -> Iterator[ListedFile]:
        """The files of an archive; one that is as it was when it was last read is not read."""
        names: dict[str, str] = {}
        for name, digest, reason, data in self._members_of(archive):
            path = member_path(prefix, name)
            if reason:
                yield fault(self._source.repository, path, reason)
                continue
            names[path] = name
            place = Place("archive", str(archive), name)
            yield self._file(path, f"sha {digest}", place, data=data)
        if not prefix:
            yield from self._settings(archive_files(partial(members, archive, limit=LIMIT), names))

    def _members_of(self, archive: Path) -> Iterator[tuple[str, str, str, bytes | None]]:
        """Name, digest, and why there are no bytes, of each member; its bytes where it was read.

        Other code would ask for the bytes of each member, so it reads them all at once here.
        """
        stamp = stamp_of(archive)
        identity = f"{archive}\0{stamp}\0{digest_of_code()}"
        key = sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
        known = self._cache.get("archives", key) if stamp else None
        if known is not None:
            for name, digest, reason in json.loads(known):
                yield name, digest, reason, None
            return
        listing: list[tuple[str, str, str]] = []
        for member in members(archive, limit=LIMIT):
            data = member.data if isinstance(member.data, bytes) else None
            digest = sha256(data).hexdigest() if data is not None else ""
            reason = member.data.reason if isinstance(member.data, Unreadable) else ""
            listing.append((member.name, digest, reason))
            yield *listing[-1], data
        if stamp:
            self._cache.put("archives", key, json.dumps(listing).encode())

    def _settings(self, files: RepositoryFiles) -> Iterator[ListedFile]:
        """What says how the repository is judged."""
        for file in files_to_send(files, self._source.named):
            yield config_row(self._source.repository, file)

    def _link(self, path: str) -> ListedFile:
        repository = self._source.repository
        whole = below(repository, path)
        return ListedFile("link", repository, whole, whole, detail=LEADS_OUT)

    def _file(
        self, path: str, stamp: str, place: Place, bucket: str = "", data: bytes | None = None
    ) -> ListedFile:
        repository = self._source.repository
        whole = below(repository, path)
        place_and_data = place.packed(), data
        return ListedFile("file", repository, whole, bucket or whole, stamp, *place_and_data)


def config_row(repository: str, sent: ConfigFile) -> ListedFile:
    """Return the row of a file that says how its repository is judged, or is missed."""
    if sent.missing:
        return fault(repository, sent.path, sent.missing)
    whole = below(repository, sent.path)
    return ListedFile("config", repository, whole, whole, data=sent.data)


def fault(repository: str, path: str, reason: str) -> ListedFile:
    """Return the row of something that cannot be listed or read: all of a repository, or a file."""
    whole = below(repository, path)
    return ListedFile("fault", repository, whole, whole, detail=reason)


def below(repository: str, path: str) -> str:
    """Return a path of a repository as the estate shows it: after the repository's name."""
    return "/".join(filter(None, (repository, path))) or "."


def member_path(archive: str, name: str) -> str:
    """Return the path of a member of an archive; a blank name stands for all of the archive."""
    return "/".join(filter(None, (archive, display_path(name, Path("/")) if name else "")))


def document_rows(
    source: Source, path: str, stamp: str, data: bytes | None, archive: bool
) -> Iterator[ListedFile]:
    """Yield the row of a file whose bytes were fetched, or those of the files of an archive."""
    if not archive or data is None:
        whole = below(source.repository, path)
        yield ListedFile("file", source.repository, whole, whole, stamp, data=data)
        return
    name = path or source.at.rpartition("/")[2]

    def unpacked() -> Iterator[Member]:
        return members_of(io.BytesIO(data), name, limit=LIMIT)

    names: dict[str, str] = {}
    for member in unpacked():
        shown = member_path(path, member.name)
        if isinstance(member.data, Unreadable):
            yield fault(source.repository, shown, member.data.reason)
            continue
        names[shown] = member.name
        digest = f"sha {sha256(member.data).hexdigest()}"
        yield from document_rows(source, shown, digest, member.data, archive=False)
    if not path:
        for sent in files_to_send(archive_files(unpacked, names), source.named):
            yield config_row(source.repository, sent)


def is_bare(folder: Path) -> bool:
    """Say whether a folder is a repository of git without a checkout."""
    inside = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return inside and (folder / "refs").is_dir() and not (folder / ".git").exists()


def fixed_part(pattern: str) -> Path:
    """Return the folder of a pattern below which the files are that it fits."""
    at = min(at for at, char in enumerate(pattern) if char in "*?[")
    return Path(pattern[:at].rpartition("/")[0] or "/")


def stamp_of(file: Path) -> str:
    """Return what changes when a file does; blank if a change might not show.

    A file changed a moment ago could be changed again within one tick of the clock of its file
    system, which is a second or two where the time has no small digits.
    """
    try:
        state = file.stat()
    except (OSError, ValueError):
        return ""
    latest = max(state.st_mtime_ns, state.st_ctime_ns)
    tick = _FINE if state.st_ctime_ns % 1_000_000 else _COARSE
    if time.time() - latest / 1e9 < tick:
        return ""
    return f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
