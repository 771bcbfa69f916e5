"""Files at a URI, as rows of LISTED.

A listing has the length and the time of each file. Documents are fetched where they are read, if
these have changed; archives are fetched by each scan.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from mqlint.config.globs import compile_glob
from mqlint.estate.io.content import LIMIT, Place
from mqlint.estate.io.sources import (
    ListedFile,
    Source,
    archive_rows,
    config_rows,
    entry_of,
    row_of,
    stamp_at,
)
from mqlint.estate.io.store import (
    FAILED,
    RemoteFile,
    Unlisted,
    opened,
    read_object,
    reason_of,
    searched,
)
from mqlint.source.archive import Member, is_archive, members_of
from mqlint.source.discover import JUNK
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, too_large

_ARCHIVE = 2 * LIMIT
"""The largest archive that is fetched, in bytes: it is held whole."""

_GIT = "it is a repository of git: mqlint reads those on paths only, not at a URI"


def object_rows(source: Source, folders: int | None = None) -> Iterator[ListedFile]:
    """Yield the files at a URI, and what says how they are judged.

    With `folders`, parts of it are left to others, as sources: see `searched`.
    """
    try:
        found = _Found(source, folders)
    except FAILED as error:
        yield source.row("fault", source.part, reason_of(error))
        return
    if {"HEAD", "objects"} <= found.names:
        yield source.row("fault", "", _GIT)
        return
    if not source.part:
        yield from config_rows(source, found)
    for folder, reason in found.unlisted.items():
        if reason:
            yield source.row("fault", found.shown(folder), reason)
        else:
            yield row_of(replace(source, part=folder))
    for path, file in found.files.items():
        if not path or (is_archive(path) and source.archives):
            yield from _unpacked(source, path, read_object(found.store, file, _ARCHIVE))
        elif file.size > LIMIT:
            yield source.row("fault", path, too_large(LIMIT).reason)
        else:
            stamp = stamp_at(file.size, file.changed)
            place = Place("object", found.uri, file.path)
            yield source.row("file", path, stamp=stamp, place=place)


def _unpacked(source: Source, path: str, data: bytes | Unreadable) -> Iterator[ListedFile]:
    """The files of an archive that was fetched."""
    if isinstance(data, Unreadable):
        yield source.row("fault", path, data.reason)
        return

    def members() -> Iterator[Member]:
        return members_of(io.BytesIO(data), path or source.at.rpartition("/")[2], limit=LIMIT)

    yield from archive_rows(source, path, map(entry_of, members()), members)


class _Found:
    """What a URI stands for, or a part of it: a file, a folder, or a pattern of files.

    `uri` is that of a folder or a file, `files` are those found, `others` those found later for
    the settings. The path of an archive that is all of it is blank. `unlisted` are folders by
    their paths in the store, with the reason, blank if they are left to others.
    """

    def __init__(self, source: Source, folders: int | None) -> None:
        """One of FAILED is raised if there is nothing, or it does not answer."""
        uri = source.at
        at = min((at for at, sign in enumerate(uri) if sign in "*?["), default=len(uri))
        self.uri = uri if at == len(uri) else uri[:at].rpartition("/")[0]
        self.store, top = opened(self.uri)
        self.unlisted: dict[str, str] = {}
        self.others: dict[str, RemoteFile] = {}
        self.names: set[str] = set()
        self._fits = compile_glob(uri[len(self.uri) + 1 :]).matches if self.uri != uri else None
        self._top = top.rstrip("/")
        if not source.part and (file := self.store.file(top)) is not None:
            shown = display_path(file.path.rpartition("/")[2], Path("/"))
            self.files = {"" if is_archive(shown) else shown: file}
            return
        inside: dict[str, RemoteFile] = {}
        for found in self._searched(source.part, top, folders):
            path = self._own(found.path)
            if isinstance(found, Unlisted):
                self.unlisted[found.path] = found.reason
            elif self._is_wanted(path):
                inside[path] = found
            else:
                continue
            self.names.add(path.partition("/")[0])
        self.files = {display_path(path, Path("/")): inside[path] for path in sorted(inside)}

    def _searched(
        self, part: str, top: str, folders: int | None
    ) -> Iterator[RemoteFile | Unlisted]:
        if folders is not None:
            yield from searched(self.store, top, folders)
            return
        try:
            yield from self.store.below(part or top)
        except FAILED as error:
            if not part:
                raise
            if not isinstance(error, FileNotFoundError):  # not just deleted
                yield Unlisted(part, reason_of(error))

    def shown(self, path: str) -> str:
        """Return the path of the store as reports show it."""
        own = self._own(path)
        return display_path(own, Path("/")) if own else ""

    def paths(self) -> Collection[str]:
        return {**self.files, **self.others}.keys()

    def beside(self, names: Iterable[str]) -> None:
        """Look for files, and files in folders, of these names in the folders that were left."""
        left = [at for at, reason in self.unlisted.items() if not reason]
        for name in names:
            place = f"{self._top}/{name}" if name != "." else self._top
            if any(f"{place}/".startswith(f"{at}/") or at.startswith(f"{place}/") for at in left):
                self._add(place)

    def _add(self, place: str) -> None:
        with suppress(*FAILED):
            file = self.store.file(place)
            for found in self.store.below(place) if file is None else [file]:
                path = self._own(found.path)
                if isinstance(found, RemoteFile) and self._is_wanted(path):
                    self.others[display_path(path, Path("/"))] = found

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        for path in paths:
            file = self.files.get(path) or self.others[path]
            yield path, read_object(self.store, file, LIMIT)

    def _is_wanted(self, path: str) -> bool:
        return JUNK.isdisjoint(path.split("/")) and (self._fits is None or self._fits(path))

    def _own(self, path: str) -> str:
        return path[len(self._top) + 1 :]
