"""The sources of an estate, and the rows that say which files they have."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from mqlint.dataclass import NamedTuple, frozen
from mqlint.engine.document.codec import Codec
from mqlint.estate.io.config_files import RepositoryFiles, archive_files, files_to_send
from mqlint.estate.io.content import Place
from mqlint.estate.tables.batches import schema_of
from mqlint.source.archive import Member
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

    @property
    def own_path(self) -> str:
        return self.path.removeprefix(f"{self.repository}/") if self.repository else self.path


LISTED: Final = schema_of(ListedFile)

SourceKind = Literal["project", "repository", "dumps", "uri", "link"]

FOLDERS: Final = 32
"""So many folders of a source one task lists; each that is left is listed by another one."""

_COARSE, _FINE = 2.0, 0.1


@frozen
class Source:
    """Something to be listed.

    A `project` is the folder `at` in the project at `root`, as `mqlint check` takes it, less the
    patterns `exclude`; a `repository` is a checkout, a bare mirror or an archive; `dumps` are a
    folder, an archive, a file or a pattern; a `uri` is elsewhere; a `link` leads out of ESTATE, and
    is not read. `ref` is what is read of a git repository. Nothing below the folders `without`, and
    of what scans keep, is found. `named` are files of waivers and baselines that ESTATE names.

    Of a `uri`, `archives` says that those in it are opened. `part` is the folder or URI below `at`
    that is listed, blank for all of it; `folders` as of FOLDERS.
    """

    repository: str
    kind: SourceKind
    at: str
    root: str = ""
    ref: str | None = None
    exclude: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    archives: bool = False
    part: str = ""
    folders: int = FOLDERS

    @property
    def top(self) -> Path:
        """The folder from which the paths of a folder's files are counted."""
        return Path(self.root or self.at)

    def inside(self, name: str) -> Source:
        """Return the repository of the name `name` in this one: a folder with its own settings."""
        folder = name.removeprefix(self.repository).strip("/")
        return replace(self, repository=name, at=str(self.top / folder), named=(), part="")

    def row(
        self,
        kind: str,
        path: str,
        detail: str = "",
        *,
        stamp: str = "",
        place: Place | None = None,
        data: bytes | None = None,
        bucket: str = "",
    ) -> ListedFile:
        """Return a row of LISTED about a path of the source, blank for all of it."""
        whole = below(self.repository, path)
        at = "" if place is None else place.packed()
        return ListedFile(kind, self.repository, whole, bucket or whole, stamp, at, data, detail)


SOURCES: Final = Codec(Source)
"""Packs sources; paths may have bytes that are not text."""


def row_of(source: Source) -> ListedFile:
    path = source.part.encode("utf-8", "replace").decode()
    return ListedFile("source", source.repository, path, detail=SOURCES.packed(source))


def config_rows(source: Source, files: RepositoryFiles) -> Iterator[ListedFile]:
    """Yield the rows of the files that say how a repository is judged, and of those it lacks."""
    for sent in files_to_send(files, source.named):
        kind = "fault" if sent.is_missing else "config"
        if isinstance(sent.data, Unreadable):
            yield source.row(kind, sent.path, sent.data.reason)
        else:
            yield source.row(kind, sent.path, data=sent.data)


def below(repository: str, path: str) -> str:
    """Return a path of a repository as the estate shows it: after the repository's name."""
    return "/".join(filter(None, (repository, path))) or "."


def repositories_of(path: str, names: Container[str]) -> Iterator[str]:
    """Yield the repositories whose names a path begins with, the innermost first.

    A repository in another one begins with the name of that one.
    """
    parts = path.split("/")
    begun = ("/".join(parts[:at]) for at in range(len(parts), -1, -1))
    return (name for name in begun if name in names)


def repository_of(path: str, names: Container[str]) -> str:
    """Return the repository of a path, blank if it has none."""
    return next(repositories_of(path, names), "")


def inner_sources(sources: Sequence[Source], names: Iterable[str]) -> list[Source]:
    """Return the repositories among `names` that are in one of the sources."""
    by_name = {source.repository: source for source in sources}
    inner = (name for name in names if name not in by_name)
    return [by_name[repository_of(name, by_name)].inside(name) for name in inner]


class ArchiveEntry(NamedTuple):
    """A member of an archive: the digest of its bytes, and why there are none.

    `data` are the bytes if they were read for it.
    """

    name: str
    digest: str
    reason: str
    data: bytes | None = None


def entry_of(member: Member) -> ArchiveEntry:
    if isinstance(member.data, Unreadable):
        return ArchiveEntry(member.name, "", member.data.reason)
    return ArchiveEntry(member.name, sha256(member.data).hexdigest(), "", member.data)


def archive_rows(
    source: Source,
    prefix: str,
    entries: Iterable[ArchiveEntry],
    unpacked: Callable[[], Iterator[Member]],
    at: str = "",
) -> Iterator[ListedFile]:
    """Yield the rows of the files of an archive, which `unpacked` reads from its beginning.

    `prefix` is its path in the source, blank if it is all of it. Documents are read again `at`
    that place, or nowhere.
    """
    names: dict[str, str] = {}
    for name, digest, reason, data in entries:
        shown = display_path(name, Path("/")) if name else ""  # blank for all of the archive
        path = "/".join(filter(None, (prefix, shown)))
        if reason:
            yield source.row("fault", path, reason)
            continue
        names[path] = name
        place = Place("archive", at, name) if at else None
        yield source.row("file", path, stamp=f"sha {digest}", place=place, data=data)
    if not prefix:
        yield from config_rows(source, archive_files(unpacked, names))


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
