"""Files in an object store, as Arrow's own client lists and reads them: without Spark.

A listing tells the length and the time of each file. Documents are fetched where they are read, if
these have changed; archives are fetched by each scan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from pyarrow.fs import FileInfo, FileSelector, FileSystem, FileType

from mqlint.config.globs import compile_glob
from mqlint.config.object_store import store_address, with_patience
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
from mqlint.estate.io.store import FAILED, read_object, reason_of
from mqlint.source.archive import is_archive
from mqlint.source.discover import JUNK
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, too_large

_ARCHIVE = 2 * LIMIT
"""The largest archive that is fetched, in bytes: it is held whole."""


def object_rows(source: Source) -> Iterator[ListedFile]:
    """Yield the files at the URI of an object store, and what says how they are judged."""
    try:
        address, store, found = _found(source.at)
    except FAILED as error:
        yield fault(source.repository, "", reason_of(error))
        return

    def fetch(wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        return ((path, read_object(store, found[path], LIMIT)) for path in wanted)

    for sent in files_to_send(IndexedFiles({path: path for path in found}, fetch), source.named):
        yield config_row(source.repository, sent)
    for path, info in found.items():
        if not path or (is_archive(path) and source.archives):
            data = read_object(store, info, _ARCHIVE)
            if isinstance(data, Unreadable):
                yield fault(source.repository, path, data.reason)
            else:
                yield from document_rows(source, path, "", data, archive=True)
        elif info.size > LIMIT:
            yield fault(source.repository, path, too_large(LIMIT).reason)
        else:
            whole, place = below(source.repository, path), Place("object", address, info.path)
            stamp = stamp_at(info.size, (info.mtime_ns or 0) // 1_000_000)
            yield ListedFile("file", source.repository, whole, whole, stamp, place.packed())


def _found(address: str) -> tuple[str, FileSystem, dict[str, FileInfo]]:
    """The address of a store as Arrow has it, the store, and the files that a URI stands for.

    A URI is that of a file, of a folder, or a pattern of files.

    The path of an archive that is all of it is blank.
    """
    at = min((at for at, sign in enumerate(address) if sign in "*?["), default=len(address))
    fixed = address if at == len(address) else address[:at].rpartition("/")[0]
    start, _, path = (store_address(fixed) or "").partition("://")
    whole = with_patience(f"{start}://{quote(path, safe='/@:')}")
    store, top = FileSystem.from_uri(whole)
    [info] = store.get_file_info([top])
    if info.type == FileType.File:
        shown = display_path(info.base_name, Path("/"))
        return whole, store, {"" if is_archive(shown) else shown: info}
    below = len(top.rstrip("/")) + 1
    every = store.get_file_info(FileSelector(top, recursive=True, allow_not_found=True))
    if not every:
        raise FileNotFoundError
    inside = {info.path[below:]: info for info in every if info.type == FileType.File}
    if fixed != address:
        fits = compile_glob(address[len(fixed) + 1 :]).matches
        inside = {path: info for path, info in inside.items() if fits(path)}
    wanted = {path: info for path, info in inside.items() if JUNK.isdisjoint(path.split("/"))}
    return whole, store, {display_path(path, Path("/")): wanted[path] for path in sorted(wanted)}
