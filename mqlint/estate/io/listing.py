"""Listing what a source has: the files of a folder, a commit, an archive or an object store."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.io.config_files import (
    FolderFiles,
    RepositoryFiles,
    archive_files,
    commit_files,
    files_to_send,
)
from mqlint.estate.io.content import LIMIT, Place
from mqlint.estate.io.sources import (
    LISTED,
    ListedFile,
    Source,
    below,
    config_row,
    fault,
    fixed_part,
    is_bare,
    is_unused,
    member_path,
    row_of,
    stamp_of,
)
from mqlint.estate.tables.batches import row_stage
from mqlint.source.archive import is_archive, members
from mqlint.source.commit import AtCommit
from mqlint.source.discover import LEADS_OUT, discover, submodules_unread
from mqlint.source.display import display_path
from mqlint.source.git import GitError, commit_of
from mqlint.source.read import Unreadable, read, why_unread

_EMPTY = "no file was found in it"
_NO_FILE = "Git has no file in it"
_GONE = "no such file or folder"
_BUCKETS = 8


@row_stage(ListedFile, LISTED)
def list_sources(given: Iterable[ListedFile], keep: Path, *, split: bool) -> Iterator[ListedFile]:
    """Sources to their files; `keep` is the folder of what scans keep.

    With `split`, a source of many folders gives sources that are parts of it as well.
    """
    cache = ScanCache(keep)
    for row in given:
        yield from _listed(Source.unpacked(row.detail), cache, split=split)
    cache.flush()


def _listed(source: Source, cache: ScanCache, *, split: bool) -> Iterator[ListedFile]:
    count = 0
    try:
        for row in _Listing(source, cache, split=split).rows():
            count += row.kind != "note"
            yield row
    except GitError as error:
        yield fault(source.repository, "", str(error))
    except OSError as error:
        yield fault(source.repository, "", why_unread(error))
    else:
        if not (count or source.part):
            at = Path(source.at)
            yield _note(source, _NO_FILE) if is_unused(at) else fault(source.repository, "", _EMPTY)


def _note(source: Source, text: str, folder: str = "") -> ListedFile:
    whole = below(source.repository, folder)
    return ListedFile("note", source.repository, whole, whole, detail=text)


class _Listing:
    """One source, and how it is listed."""

    def __init__(self, source: Source, cache: ScanCache, *, split: bool) -> None:
        self._source = source
        self._folders = source.folders if split and not source.part else None
        self._at = Path(source.at)
        self._cache = cache
        without = (source.without, str(cache.folder))
        self._without = tuple(f"{folder}{os.sep}" for folder in without if folder)

    def rows(self) -> Iterator[ListedFile]:
        return self._lister()()

    def _lister(self) -> Callable[[], Iterator[ListedFile]]:
        source, at = self._source, self._at
        if source.kind == "project":
            return partial(self._files, source.part or source.at, Path(source.root))
        if source.kind == "uri":
            from mqlint.estate.io.objects import object_rows  # here, as few estates have one

            return partial(object_rows, source, self._folders)
        if at.is_dir():
            with os.scandir(at):  # OSError where it may not be looked into
                pass
            if source.kind == "repository" and (source.ref is not None or is_bare(at)):
                return self._committed
            return partial(self._files, source.part or source.at, at)
        if at.is_file():
            if is_archive(at.name):
                return partial(self._members, at, "")
            return partial(self._files, source.at, at.parent)
        if source.kind == "dumps" and any(sign in source.at for sign in "*?["):
            return partial(self._files, source.at, fixed_part(source.at))
        reason = _GONE
        if at.exists() and isinstance(found := read(at), Unreadable):  # a pipe, say: not opened
            reason = found.reason.partition(" (")[0]  # the rest is advice for `mqlint check`
        return lambda: iter((fault(source.repository, "", reason),))

    def _files(self, target: str, root: Path) -> Iterator[ListedFile]:
        source = self._source
        discovered = discover([target], root, exclude=source.exclude, folders=self._folders)
        found = self._shown(discovered.files, root)
        if source.kind != "project" and not source.part:
            yield from self._settings(FolderFiles(root, found, whole=self._at == root))
        for path, file in found.items():
            if source.kind == "dumps" and file != self._at and is_archive(file.name):
                yield from self._members(file, path)
            else:
                yield self._file(path, stamp_of(file), Place("file", str(file)))
        yield from map(self._link, self._shown(discovered.leading_out, root))
        for folder, text in discovered.notes.items():
            yield _note(self._source, text, "" if folder == root else display_path(folder, root))
        for folder in discovered.left:
            yield row_of(replace(source, part=str(folder)))

    def _shown(self, files: Iterable[Path], root: Path) -> dict[str, Path]:
        """Files by their paths from `root`, without what scans write."""
        return {
            display_path(file, root): file
            for file in files
            if not f"{file}{os.sep}".startswith(self._without)
        }

    def _committed(self) -> Iterator[ListedFile]:
        at = self._at
        if self._source.ref is None and is_unused(at):
            return
        commit = commit_of(at, self._source.ref or "HEAD")
        tree = AtCommit(at, commit, "")
        found = {file.path: file.oid for file in tree.files(at)}
        yield from self._settings(commit_files(at, found))
        for path, oid in found.items():
            bucket = f"{self._source.repository}#{zlib.crc32(path.encode()) % _BUCKETS}"
            yield self._file(path, f"git {oid}", Place("git", str(at), oid), bucket)
        yield from map(self._link, tree.leading_out())
        if tree.submodules:
            yield _note(self._source, submodules_unread(tree.submodules))

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
