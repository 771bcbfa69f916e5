"""The files of a commit, found as `discover` finds those of the checkout."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from mqlint.config.globs import Globs
from mqlint.dataclass import frozen
from mqlint.source.display import display_path
from mqlint.source.git import Blob, GitError, contents_of, files_of, is_tracked
from mqlint.source.project_files import ENDINGS, IN_GIT, OUTSIDE, OnDisk, is_in_git
from mqlint.source.project_files import LIMIT as CONFIGURATION
from mqlint.source.read import LIMIT, Unreadable
from mqlint.source.sniff import is_text

_HOPS = 40
"""The number of links to links that are followed."""


@frozen
class PastFile:
    """A file as a commit has it: its path as shown, the name of its content, and where it was."""

    path: str
    oid: str
    place: Path


class AtCommit:
    """The files of a commit, as `ProjectFiles`: what judges a change is not what the change brings.

    A file that the command line names and git does not track is read as it is on disk.
    """

    def __init__(self, top: Path, commit: str, label: str) -> None:
        """Take a commit of the checkout whose top is `top`; GitError where git cannot say.

        `label` follows a path in messages. `submodules` are the paths of those that the commit has.
        """
        self.top = top
        self.label = label
        blobs, self.submodules = files_of(top, commit)
        self._blobs = {file.path: file for file in blobs}
        links = [blob for blob in self._blobs.values() if blob.is_link]
        self._links = dict(zip((link.path for link in links), _targets(top, links), strict=True))
        self._folders = {""} | {
            path[:at] for path in self._blobs for at, char in enumerate(path) if char == "/"
        }

    def files(self, root: Path, exclude: Sequence[str] = ()) -> list[PastFile]:
        """Return the files below `root`, a folder of the checkout.

        Files whose names say that they are binary are left out, as are those that match `exclude`.
        A link is listed if it leads to a file below the root.
        """
        below = root.relative_to(self.top).as_posix()
        prefix = "" if below == "." else f"{below}/"
        excluding = Globs.of_exclude(exclude)
        found = []
        for path in self._blobs:
            end = self._followed(path) if path.startswith(prefix) else None
            blob = self._blobs.get(end) if end is not None and end.startswith(prefix) else None
            shown = display_path(os.path.join(self.top, path), root)  # noqa: PTH118 as in discover
            if blob is not None and is_text(shown, b"") and not excluding.matches(shown):
                found.append(PastFile(shown, blob.oid, self.top / path))
        return found

    def leading_out(self) -> list[str]:
        """Return the links that lead out of the checkout, as the paths of files are shown."""
        found = (link for link in self._links if self._followed(link) is None)
        return [display_path(os.path.join(self.top, link), self.top) for link in found]  # noqa: PTH118

    def fault(self, path: Path) -> str | None:
        inside = self._inside(path)
        end = None if inside is None else self._followed(inside)
        if end is None:
            return OUTSIDE
        return IN_GIT if is_in_git(PurePosixPath(end)) else None

    def exists(self, path: Path) -> bool:
        inside = self._inside(path)
        end = None if inside is None else self._followed(inside)
        return inside in self._blobs or end in self._blobs or end in self._folders

    def read(self, path: Path, *, named: bool = False) -> bytes | Unreadable:
        if named and self._is_of_now(path):
            return OnDisk(self.top).read(path, named=True)
        fault = self.fault(path)
        if fault is not None:
            return Unreadable(fault)
        blob = self._blobs.get(self._followed(self._inside(path) or "") or "")
        if blob is None:
            return Unreadable("the commit does not have this file")
        try:
            (data,) = contents_of(self.top, [blob.oid], CONFIGURATION)
        except GitError as error:
            return Unreadable(str(error))
        return Unreadable("it is too large") if data is None else data

    def names(self, path: Path) -> frozenset[str] | None:
        end = self._followed(self._inside(path) or "")
        if self.fault(path) is not None or end not in self._folders:
            return None
        prefix = f"{end}/" if end else ""
        below = (name[len(prefix) :] for name in self._blobs if name.startswith(prefix))
        return frozenset(name.partition("/")[0] for name in below)

    def inside(self, path: Path, *, named: bool = False) -> list[Path]:
        if named and self._is_of_now(path):
            return OnDisk(self.top).inside(path, named=True)
        end = self._followed(self._inside(path) or "")
        if end is None or end not in self._folders:
            return [path]
        prefix = f"{end}/" if end else ""
        found = (blob for blob in self._blobs if blob.startswith(prefix))
        names = (blob[len(prefix) :] for blob in found if blob.endswith(ENDINGS))
        return sorted(path / name for name in names)

    def _is_of_now(self, path: Path) -> bool:
        """Whether a path that the command line names is not in the checkout's history."""
        inside = self._inside(path)
        return inside is None or not (self.exists(path) or is_tracked(self.top, inside))

    def _inside(self, path: Path) -> str | None:
        """A path as git has it, None for one outside of the checkout; links are not followed."""
        plain = Path(os.path.abspath(path))  # noqa: PTH100 links of now are not those of then
        if not plain.is_relative_to(self.top):
            return None
        inside = plain.relative_to(self.top).as_posix()
        return "" if inside == "." else inside

    def _followed(self, path: str) -> str | None:
        """The path after its links are followed, None if it leads out of the checkout."""
        for _ in range(_HOPS):
            link = next((stage for stage in _stages(path) if stage in self._links), None)
            if link is None:
                return path
            target = self._links[link]
            if target is None:
                return None
            rest = path[len(link) :].lstrip("/")
            path = posixpath.normpath(posixpath.join(target, rest)).removeprefix(".")
        return None


def _stages(path: str) -> Iterator[str]:
    """A path and the folders it leads through, the outermost first."""
    yield from (path[:at] for at, char in enumerate(path) if char == "/")
    yield path


def contents(top: Path, files: Sequence[PastFile]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of files of a commit; one that is too large to read is left out."""
    oids = [file.oid for file in files]
    for file, data in zip(files, contents_of(top, oids, LIMIT), strict=True):
        if data is not None:
            yield file.path, data


def _targets(top: Path, links: Iterable[Blob]) -> Iterator[str | None]:
    """Yield where each link leads to in the checkout, None where that is not in it."""
    links = list(links)
    for link, data in zip(links, contents_of(top, [blob.oid for blob in links], 4096), strict=True):
        target = os.fsdecode(data or b"")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(link.path), target))
        yield None if target.startswith("/") or path.startswith("..") or not target else path
