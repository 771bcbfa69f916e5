"""Files at a URI, as rows of LISTED.

A listing has the length and the time of each file. Documents are fetched where they are read, if
these have changed; archives are fetched by each scan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from mqlint.config.globs import compile_glob
from mqlint.estate.io.config_files import IndexedFiles, files_to_send
from mqlint.estate.io.content import LIMIT, Place
from mqlint.estate.io.sources import (
    ListedFile,
    Source,
    below,
    config_row,
    document_rows,
    fault,
    stamp_at,
)
from mqlint.estate.io.store import (
    FAILED,
    RemoteFile,
    Store,
    Unlisted,
    opened,
    read_object,
    reason_of,
)
from mqlint.source.archive import is_archive
from mqlint.source.discover import JUNK
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, too_large

_ARCHIVE = 2 * LIMIT
"""The largest archive that is fetched, in bytes: it is held whole."""

_GIT = "it is a repository of git: mqlint reads those on paths only, not at a URI"


def object_rows(source: Source) -> Iterator[ListedFile]:
    """Yield the files at a URI, and what says how they are judged."""
    try:
        uri, store, found, unlisted = _found(source.at)
    except FAILED as error:
        yield fault(source.repository, "", reason_of(error))
        return
    if {"HEAD", "objects"} <= {path.partition("/")[0] for path in found}:
        yield fault(source.repository, "", _GIT)
        return

    def fetch(wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        return ((path, read_object(store, found[path], LIMIT)) for path in wanted)

    for sent in files_to_send(IndexedFiles({path: path for path in found}, fetch), source.named):
        yield config_row(source.repository, sent)
    for path, reason in unlisted.items():
        yield fault(source.repository, path, reason)
    for path, file in found.items():
        if not path or (is_archive(path) and source.archives):
            data = read_object(store, file, _ARCHIVE)
            if isinstance(data, Unreadable):
                yield fault(source.repository, path, data.reason)
            else:
                yield from document_rows(source, path, data)
        elif file.size > LIMIT:
            yield fault(source.repository, path, too_large(LIMIT).reason)
        else:
            whole, place = below(source.repository, path), Place("object", uri, file.path)
            stamp = stamp_at(file.size, file.changed)
            yield ListedFile("file", source.repository, whole, whole, stamp, place.packed())


def _found(uri: str) -> tuple[str, Store, dict[str, RemoteFile], dict[str, str]]:
    """The URI of a folder or a file, its store, the files that `uri` stands for, and faults.

    A URI is that of a file, of a folder, or a pattern of files. The path of an archive that is all
    of it is blank.
    """
    at = min((at for at, sign in enumerate(uri) if sign in "*?["), default=len(uri))
    fixed = uri if at == len(uri) else uri[:at].rpartition("/")[0]
    store, top = opened(fixed)
    if (file := store.file(top)) is not None:
        shown = display_path(file.path.rpartition("/")[2], Path("/"))
        return fixed, store, {"" if is_archive(shown) else shown: file}, {}
    start = len(top.rstrip("/")) + 1
    inside: dict[str, RemoteFile] = {}
    unlisted: dict[str, str] = {}
    fits = compile_glob(uri[len(fixed) + 1 :]).matches if fixed != uri else None
    for found in store.below(top):
        path = found.path[start:]
        if isinstance(found, Unlisted):
            unlisted[display_path(path, Path("/")) if path else ""] = found.reason
        elif (fits is None or fits(path)) and JUNK.isdisjoint(path.split("/")):
            inside[path] = found
    files = {display_path(path, Path("/")): inside[path] for path in sorted(inside)}
    return fixed, store, files, unlisted
