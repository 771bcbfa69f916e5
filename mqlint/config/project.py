"""Which project a file belongs to: the folder that paths in reports are relative to."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path

from mqlint.dataclass import frozen

CONFIG_NAMES = ("mqlint.yaml", ".mqlint.yaml")
"""The names of the configuration file, the first that exists in a folder counts."""


@frozen
class Project:
    """The root folder, absolute, and its configuration file if there is one."""

    root: Path
    config_path: Path | None


def find_project(start: Path) -> Project:
    """Return the project of the file or folder `start`.

    Its root is the nearest folder upward with a configuration file, else the top of the git
    checkout, else the working folder. A configuration above the git checkout counts too. Folders
    that may not be looked into are passed over.
    """
    return Owners([start]).of(start)


def config_in(folder: Path) -> Path | None:
    return next((folder / name for name in CONFIG_NAMES if _is_file(f"{folder}/{name}")), None)


class Owners:
    """Tells which project a file belongs to: the nearest configuration upward judges it.

    Files without a configuration upward make one project: that of the first of the `starts` that
    has none. Its root is the top of the git checkout, else the working folder.
    """

    def __init__(
        self, starts: Iterable[Path], config: Callable[[Path], Path | None] = config_in
    ) -> None:
        self._starts = list(map(absolute_path, starts))
        self._config = config
        self._known: dict[str, Project | None] = {}

    def of(self, path: Path) -> Project:
        """Return the project of a file, or of a folder and what lies directly in it."""
        path = absolute_path(path)
        return self._configured(path if is_dir(path) else path.parent) or self._without

    def of_file(self, path: Path) -> Project:
        return self._configured(path.parent) or self._without

    @cached_property
    def _without(self) -> Project:
        for start in self._starts:
            if self._configured(start if is_dir(start) else start.parent) is None:
                return Project(git_top(start) or Path.cwd(), None)
        return Project(Path.cwd(), None)

    def _configured(self, folder: Path) -> Project | None:
        passed: list[str] = []
        found = None
        for above in chain((folder,), folder.parents):
            name = str(above)
            if name in self._known:
                found = self._known[name]
                break
            passed.append(name)
            config = self._config(above)
            if config is not None:
                found = Project(above, config)
                break
        self._known.update(dict.fromkeys(passed, found))
        return found


class OneOwner:
    """Says of every file that it belongs to one project, whose configuration is named."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def of(self, path: Path) -> Project:
        return self._project

    of_file = of


def limits_of(project: Project) -> Path:
    """Return the folder outside of which a project's configuration names no file.

    It is the top of the git checkout that the root is in, else the root.
    """
    return git_top(project.root) or project.root


def git_top(start: Path) -> Path | None:
    """Return the top folder of the git checkout that `start` is in, or None.

    Looks for `.git` upward, a folder, or in worktrees and submodules a file; git is not run. A
    checkout that another one around it leads to by a link is not meant: the outer one may be a
    stranger's.
    """
    tops = [folder for folder in _upward(start) if _exists(folder / ".git")]
    found = tops[0] if tops else None
    for outer in tops[1:]:
        if found is not None and not found.resolve().is_relative_to(outer.resolve()):
            found = outer
    return found


def absolute_path(path: Path) -> Path:
    """Return a path from the root, without `..`; links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 as above


def _upward(start: Path) -> list[Path]:
    start = absolute_path(start)
    return [start, *start.parents] if is_dir(start) else list(start.parents)


def is_dir(path: Path) -> bool:
    """Return whether there is a folder; False for what cannot be the path of one."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_file(path: str) -> bool:
    """Whether there is a file, or a link: what it leads to is found out when it is read."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
