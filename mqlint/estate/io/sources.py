"""The sources of an estate, and the rows that say which files they have."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from mqlint.dataclass import NamedTuple, frozen, names_of
from mqlint.estate.io.config_files import (
    ConfigFile,
    archive_files,
    files_to_send,
)
from mqlint.estate.io.content import LIMIT
from mqlint.estate.tables.batches import schema_of
from mqlint.source.archive import Member, members_of
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable


class ListedFile(NamedTuple):
    """One file of a source, or why there is none; `kind` says what it is.

    `file`: a document, in `data` when it is here already. `config`: a file that says how a
    repository is judged, in `data`; if it cannot be read, the reason is in `detail`. `fault`: what
    could not be listed or read, `detail` is the reason. `link`: a link that is not followed,
    `detail` is the reason. `known`: what the scan before knew of a file, as JSON in `detail`.
    `count`: how many documents there are, in `detail`. `note`: in `detail` what a person should
    know of how a folder is read. `source`: something to be listed, as JSON in `detail`.

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


LISTED: Final = schema_of(ListedFile)

SourceKind = Literal["project", "repository", "dumps", "uri"]

FOLDERS: Final = 32
"""So many folders of a source one task lists; each that is left is listed by another one."""

_COARSE, _FINE = 2.0, 0.1


@frozen
class Source:
    """Something to be listed.

    A `project` is the folder `at` in the project at `root`, as `mqlint check` takes it, less the
    patterns `exclude`; a `repository` is a checkout, a bare mirror or an archive; `dumps` are a
    folder, an archive, a file or a pattern; a `uri` is elsewhere. `ref` is what is read of
    a git repository. Nothing below the folder `without`, and of what scans keep,
    is found. `named` are files of waivers and baselines that ESTATE names.

    Of a `uri`, `archives` says that those in it are opened. `part` is the folder or URI below `at`
    that is listed, blank for all of it; `folders` as of FOLDERS.
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
    part: str = ""
    folders: int = FOLDERS

    @classmethod
    def unpacked(cls, packed: str) -> Source:
        """Return what `row_of` packed."""
        values = json.loads(packed)
        lists = {name: tuple(values[name]) for name in ("exclude", "named")}
        return cls(**{**values, **lists})


def row_of(source: Source) -> ListedFile:
    """Return a source as a row of LISTED; paths may have bytes that are not text."""
    values = {name: getattr(source, name) for name in names_of(Source)}
    path = source.part.encode("utf-8", "replace").decode()
    return ListedFile("source", source.repository, path, detail=json.dumps(values))


def config_row(repository: str, sent: ConfigFile) -> ListedFile:
    """Return the row of a file that says how its repository is judged, or is missed."""
    if sent.missing:
        return fault(repository, sent.path, sent.missing)
    whole = below(repository, sent.path)
    if isinstance(sent.data, Unreadable):
        return ListedFile("config", repository, whole, whole, detail=sent.data.reason)
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


def document_rows(source: Source, path: str, data: bytes) -> Iterator[ListedFile]:
    """Yield the rows of the files of an archive that was fetched."""
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
        whole, digest = below(source.repository, shown), f"sha {sha256(member.data).hexdigest()}"
        yield ListedFile("file", source.repository, whole, whole, digest, data=member.data)
    if not path:
        for sent in files_to_send(archive_files(unpacked, names), source.named):
            yield config_row(source.repository, sent)


def is_bare(folder: Path) -> bool:
    """Say whether a folder is a repository of git without a checkout."""
    inside = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return inside and (folder / "refs").is_dir() and not (folder / ".git").exists()


def is_unused(folder: Path) -> bool:
    """Say whether a checkout or bare repository has no commit and no file of one.

    One that lost its branches, or was cloned without a checkout, has objects.
    """
    own = folder / ".git" if (folder / ".git").is_dir() else folder
    if not is_bare(own):
        return False
    return not any(file.is_file() for file in (own / "objects").glob("[!i]*/*"))


def fixed_part(pattern: str) -> Path:
    """Return the folder of a pattern, or of a path, below which the files are that it fits."""
    at = min((at for at, char in enumerate(pattern) if char in "*?["), default=len(pattern))
    return Path(pattern[:at].rpartition("/")[0] or "/")


TICKS: Final = ((60_000, 26 * 3600.0), (1_000, 60.0), (1, 2.0))
"""A time that is a multiple of so many milliseconds tells one content from another so many seconds
later. Who tells minutes only, as FTP does, does not tell in which zone."""


def stamp_at(length: int, changed: int) -> str:
    """Return what changes when a file elsewhere does.

    `changed` are milliseconds since 1970. Blank if a change might not show.
    """
    patience = next(seconds for tick, seconds in TICKS if changed % tick == 0)
    if time.time() - changed / 1000 < patience:
        return ""
    return f"{length} {changed}"


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
