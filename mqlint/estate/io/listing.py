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

from mqlint.config.project import CONFIG_NAMES, config_in
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.io.config_files import FolderFiles, commit_files
from mqlint.estate.io.content import LIMIT, Place
from mqlint.estate.io.sources import (
    LISTED,
    SOURCES,
    ArchiveEntry,
    ListedFile,
    Source,
    archive_rows,
    below,
    config_rows,
    entry_of,
    fixed_part,
    is_bare,
    is_unused,
    row_of,
    stamp_of,
)
from mqlint.estate.tables.batches import row_stage
from mqlint.source.archive import Member, is_archive, members
from mqlint.source.commit import AtCommit
from mqlint.source.discover import LEADS_OUT, discover, submodules_unread
from mqlint.source.display import display_path
from mqlint.source.git import GitError, commit_of
from mqlint.source.read import Unreadable, read, why_unread

_EMPTY = "no file was found in it"
_NO_FILE = "Git has no file in it"
_GONE = "no such file or folder"
_LINK = "it is a link to a place outside ESTATE, which only a file of repositories can name"
_BUCKETS = 8
_INNER = 1_000
"""Folders of a repository whose own settings are applied."""
_FEW = 3
"""Paths that a note shows."""


@row_stage(ListedFile, LISTED)
def list_sources(given: Iterable[ListedFile], keep: Path, *, split: bool) -> Iterator[ListedFile]:
    """Sources to their files; `keep` is the folder of what scans keep.

    With `split`, a source of many folders gives sources that are parts of it as well.
    """
    cache = ScanCache(keep)
    for row in given:
        yield from _listed(SOURCES.unpacked(row.detail), cache, split=split)
    cache.flush()


def _listed(source: Source, cache: ScanCache, *, split: bool) -> Iterator[ListedFile]:
    count = 0
    inner = _InnerSettings(source)
    try:
        for row in _Listing(source, cache, split=split).rows():
            count += row.kind != "note"
            inner.add(row)
            yield row
        yield from inner.rows()
    except GitError as error:
        yield source.row("fault", "", str(error))
    except OSError as error:
        yield source.row("fault", "", why_unread(error))
    else:
        if not (count or source.part):
            is_new = is_unused(Path(source.at))
            yield source.row("note", "", _NO_FILE) if is_new else source.row("fault", "", _EMPTY)


class _InnerSettings:
    """The settings of folders in a source: those on a disk are applied, a note names the others.

    As in `mqlint check`, those of each folder above a file count, also if git or `exclude` omits
    them.
    """

    def __init__(self, source: Source) -> None:
        at = Path(source.at)
        is_folder = source.kind == "project" or (source.kind == "repository" and at.is_dir())
        self._source = source
        self._is_on_disk = is_folder and source.ref is None and not is_bare(at)
        self._listed: dict[str, str] = {}
        self._folders: set[str] = set()

    def add(self, row: ListedFile) -> None:
        """Add a file, or a part of the source that is listed by itself."""
        folder, _, name = row.own_path.rpartition("/")
        if row.kind == "file" and folder and name in CONFIG_NAMES:
            self._listed.setdefault(folder, row.own_path)
        if row.kind not in ("file", "fault", "link", "source") or not self._is_on_disk:
            return
        if row.kind == "source":
            folder = self._shown(SOURCES.unpacked(row.detail).part).rpartition("/")[0]
        while folder and folder not in self._folders:
            self._folders.add(folder)
            folder = folder.rpartition("/")[0]

    def rows(self) -> Iterator[ListedFile]:
        """Yield the rows of settings, and of what they name."""
        top, part = self._source.top, self._shown(self._source.part)
        own = [at for at in self._folders if f"{at}/".startswith(part and f"{part}/")]
        found = {folder for folder in own if config_in(top / folder) is not None}
        applied: set[str] = set()
        for folder in sorted(found)[:_INNER]:
            for row in self._rows_inside(folder):
                applied.update([folder] if row.kind == "config" else ())
                yield row
        without = sorted((found | self._listed.keys()) - applied)
        if without:
            paths = [self._listed.get(at, f"{at}/{CONFIG_NAMES[0]}") for at in without]
            yield self._source.row("note", "", _settings_without_effect(paths))

    def _rows_inside(self, folder: str) -> Iterator[ListedFile]:
        inside = self._source.inside(below(self._source.repository, folder))
        return config_rows(inside, FolderFiles(Path(inside.at), {}, whole=True))

    def _shown(self, part: str) -> str:
        return display_path(Path(part), self._source.top) if part else ""


def _settings_without_effect(paths: list[str]) -> str:
    more = f" and {len(paths) - _FEW:,} more" if len(paths) > _FEW else ""
    shown = ", ".join(paths[:_FEW])
    return f"a scan does not apply {shown}{more}: it applies the settings of folders on a disk"


class _Listing:
    def __init__(self, source: Source, cache: ScanCache, *, split: bool) -> None:
        self._source = source
        self._folders = source.folders if split and not source.part else None
        self._at = Path(source.at)
        self._cache = cache
        without = (*source.without, str(cache.folder))
        self._without = tuple(f"{folder}{os.sep}" for folder in without)

    def rows(self) -> Iterator[ListedFile]:
        source, at = self._source, self._at
        if source.kind == "project":
            return self._files(source.part or source.at, Path(source.root))
        if source.kind == "link":
            return iter([source.row("fault", "", _LINK)])
        if source.kind == "uri":
            from mqlint.estate.io.objects import object_rows  # here, as few estates have one

            return object_rows(source, self._folders)
        if at.is_dir():
            with os.scandir(at):  # OSError where it may not be looked into
                pass
            if source.kind == "repository" and (source.ref is not None or is_bare(at)):
                return self._committed()
            return self._files(source.part or source.at, at)
        if at.is_file():
            return self._members(at, "") if is_archive(at.name) else self._files(at, at.parent)
        if source.kind == "dumps" and any(sign in source.at for sign in "*?["):
            return self._files(source.at, fixed_part(source.at))
        reason = _GONE
        if at.exists() and isinstance(found := read(at), Unreadable):  # a pipe, say: not opened
            reason = found.reason.partition(" (")[0]  # the rest is advice for `mqlint check`
        return iter([source.row("fault", "", reason)])

    def _files(self, target: str | Path, root: Path) -> Iterator[ListedFile]:
        source, at = self._source, self._at
        discovered = discover(
            [target], root, exclude=source.exclude, folders=self._folders, whole=at
        )
        found = self._shown(discovered.files, root)
        if source.kind != "project" and not source.part:
            yield from config_rows(source, FolderFiles(root, found, whole=at == root))
        for path, file in found.items():
            if source.kind == "dumps" and file != at and is_archive(file.name):
                yield from self._members(file, path)
            else:
                place = Place("file", str(file))
                yield source.row("file", path, stamp=stamp_of(file), place=place)
        for path, link in self._shown(discovered.leading_out, root).items():
            yield source.row("link", path, discovered.leading_out[link])
        for folder, text in discovered.notes.items():
            yield source.row("note", "" if folder == root else display_path(folder, root), text)
        for folder in discovered.left:
            yield row_of(replace(source, part=str(folder)))

    def _shown(self, files: Iterable[Path], root: Path) -> dict[str, Path]:
        """Files by their paths from `root`, without those of scans and of other repositories."""
        return {
            display_path(file, root): file
            for file in files
            if not f"{file}{os.sep}".startswith(self._without)
        }

    def _committed(self) -> Iterator[ListedFile]:
        source, at = self._source, self._at
        if source.ref is None and is_unused(at):
            return
        tree = AtCommit(at, commit_of(at, source.ref or "HEAD"), "")
        found = {file.path: file.oid for file in tree.files(at)}
        yield from config_rows(source, commit_files(at, found))
        for path, oid in found.items():
            bucket = f"{source.repository}#{zlib.crc32(path.encode()) % _BUCKETS}"
            place = Place("git", str(at), oid)
            yield source.row("file", path, stamp=f"git {oid}", place=place, bucket=bucket)
        for path in tree.leading_out():
            yield source.row("link", path, LEADS_OUT)
        if tree.submodules:
            yield source.row("note", "", submodules_unread(tree.submodules))

    def _members(self, archive: Path, prefix: str) -> Iterator[ListedFile]:
        """The files of an archive; one that is as it was when it was last read is not read."""
        unpacked = partial(members, archive, limit=LIMIT)
        entries = self._entries(archive, unpacked)
        return archive_rows(self._source, prefix, entries, unpacked, str(archive))

    def _entries(
        self, archive: Path, unpacked: Callable[[], Iterator[Member]]
    ) -> Iterator[ArchiveEntry]:
        """The members of an archive, with their bytes if they had to be read.

        Other code would ask for the bytes of each member, so it reads them all at once here.
        """
        stamp = stamp_of(archive)
        identity = f"{archive}\0{stamp}\0{digest_of_code()}"
        key = sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
        known = self._cache.get("archives", key) if stamp else None
        if known is not None:
            yield from (ArchiveEntry(*entry) for entry in json.loads(known))
            return
        listing: list[tuple[str, str, str]] = []
        for entry in map(entry_of, unpacked()):
            listing.append(entry[:3])
            yield entry
        if stamp:
            self._cache.put("archives", key, json.dumps(listing).encode())
