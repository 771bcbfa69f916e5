"""Which project a file belongs to: the folder that paths in reports are relative to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CONFIG_NAMES = ("mqlint.yaml", ".mqlint.yaml")
"""The names of the configuration file, the first that exists in a folder counts."""


@dataclass(frozen=True, slots=True)
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
    folders = _upward(start)
    for folder in folders:
        for name in CONFIG_NAMES:
            if _is_file(folder / name):
                return Project(folder, folder / name)
    return Project(git_top(start) or Path.cwd(), None)


def limits_of(project: Project) -> Path:
    """Return the folder outside of which a project's configuration names no file.

    It is the top of the git checkout that the root is in, else the root.
    """
    return git_top(project.root) or project.root


def git_top(start: Path) -> Path | None:
    """Return the top folder of the git checkout that `start` is in, or None.

    Looks for `.git` upward, a folder, or in worktrees and submodules a file; git is not run.
    """
    return next((folder for folder in _upward(start) if _exists(folder / ".git")), None)


def _upward(start: Path) -> list[Path]:
    start = start.absolute()
    return [start, *start.parents] if _is_dir(start) else list(start.parents)


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
