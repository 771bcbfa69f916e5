"""The files that say how a project is judged, and where they may lie.

Whoever writes `mqlint.yaml` may be a stranger: what it names is read inside the project alone,
after links are resolved, and never in git's own folder, which can hold credentials. A file that
the command line names may lie anywhere.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePath
from typing import Protocol

from mqlint.dataclass import frozen
from mqlint.source.read import Unreadable, read

LIMIT = 64 * 1024 * 1024
"""The largest file of settings, waivers, policies or known findings that is read, in bytes."""

OUTSIDE = "it is outside the project, and only the command line can name such a file"
"""Why a file that the configuration names is not read."""

LINK = "a link leads out of the checkout"
"""Why a file that the command line names is neither read nor written."""

PLANTED = "a link in a folder of all users is another user's"
"""Why such a link is not followed: Linux does the same if `fs.protected_symlinks` is 1."""

IN_GIT = "it is in Git's own folder"
"""Why a file below `.git` is not read."""

ENDINGS = (".yaml", ".yml")
"""What the names of policies end in."""


class ProjectFiles(Protocol):
    """What a project's configuration is read from; all paths are absolute.

    `named` says that the command line names the file. `label` follows a path in messages, to
    tell a commit's file from that of now.
    """

    @property
    def label(self) -> str:
        """As above."""

    def fault(self, path: Path) -> str | None:
        """Return why the configuration may not name a path, None where it may."""

    def exists(self, path: Path) -> bool:
        """Whether there is a file, a folder or a link of this name."""

    def read(self, path: Path, *, named: bool = False) -> bytes | Unreadable:
        """Return the bytes of a file, or why they cannot be had."""

    def names(self, path: Path) -> frozenset[str] | None:
        """Return the names in a folder, None if it is missing or may not be read."""

    def inside(self, path: Path, *, named: bool = False) -> list[Path]:
        """Return the YAML files in a folder at any depth, sorted; of a file the file itself."""


@frozen
class OnDisk:
    """The files as they are now; `top` is the folder outside of which nothing is read."""

    top: Path
    label: str = ""

    def fault(self, path: Path) -> str | None:
        real, top = Path(os.path.realpath(path)), Path(os.path.realpath(self.top))
        if not real.is_relative_to(top):
            return OUTSIDE
        return IN_GIT if is_in_git(real.relative_to(top)) else None

    def exists(self, path: Path) -> bool:
        return os.path.lexists(path)

    def read(self, path: Path, *, named: bool = False) -> bytes | Unreadable:
        fault = self._refusal(path, named=named)
        return Unreadable(fault) if fault is not None else read(path, limit=LIMIT)

    def names(self, path: Path) -> frozenset[str] | None:
        try:
            return None if self.fault(path) else frozenset(os.listdir(path))  # noqa: PTH208
        except (OSError, ValueError):
            return None

    def inside(self, path: Path, *, named: bool = False) -> list[Path]:
        if not path.is_dir() or self._refusal(path, named=named) is not None:
            return [path]  # reading it says what is wrong
        from mqlint.source.walk import walked  # here, as few projects have policies

        names = (Path(folder, name) for folder, names in walked(path) for name in names)
        return sorted(file for file in names if file.name.endswith(ENDINGS))

    def _refusal(self, path: Path, *, named: bool) -> str | None:
        """Why a path is not read; one that is named may lie anywhere, but not lead out by a link.

        Whoever can change the checkout that a path lies in can make a link of it.
        """
        plain = Path(os.path.abspath(path))  # noqa: PTH100 where it lies, not where it leads
        fault = link_fault(path) if named else None
        if fault is None and (not named or plain.is_relative_to(self.top)):
            fault = self.fault(path)
        return fault


def link_fault(path: Path) -> str | None:
    """Return why a file that the command line names is neither read nor written; None if it is.

    Whoever can change a checkout can make a link of the file, or of a folder above it. So it must
    not lead out of any checkout that its path goes through, nor into git's own folder. Whoever
    can write to a folder such as /tmp can make a link there of a name that is likely to be used.
    """
    plain = Path(os.path.abspath(path))  # noqa: PTH100 where it lies, not where it leads
    if any(_is_planted(place) for place in (plain, *plain.parents)):
        return PLANTED
    tops = (folder for folder in plain.parents if os.path.lexists(folder / ".git"))
    faults = (OnDisk(top).fault(plain) for top in tops)
    return next((LINK if fault == OUTSIDE else fault for fault in faults if fault), None)


def _is_planted(path: Path) -> bool:
    """Whether a path is a link of another user, in a folder in which all users may make one."""
    try:
        link, folder = path.lstat(), path.parent.stat()
    except (OSError, ValueError):
        return False
    shared = stat.S_ISVTX | stat.S_IWOTH
    if not stat.S_ISLNK(link.st_mode) or folder.st_mode & shared != shared:
        return False
    getuid = getattr(os, "geteuid", None)
    return getuid is not None and link.st_uid not in (getuid(), folder.st_uid)


def is_in_git(path: PurePath) -> bool:
    """Return whether a path leads into the folder where git keeps its own files."""
    return any(name.casefold() == ".git" for name in path.parts)
