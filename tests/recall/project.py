"""A clean configuration: the files of a folder of `clean/` and their settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import yaml

from mqlint.config.loader import read_settings, settings_from
from mqlint.config.project import CONFIG_NAMES
from mqlint.config.settings import Settings

FOLDER = Path(__file__).parent
CLEAN = FOLDER / "clean"


@dataclass(frozen=True, slots=True)
class Project:
    """Files by path, without mqlint.yaml. `held` ones are kept aside for the last measurement."""

    name: str
    files: Mapping[str, str]
    settings: Settings
    held: bool

    def matching(self, patterns: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Yield the path and the text of each file whose path fits a pattern."""
        for path, text in self.files.items():
            if any(fnmatch(path, pattern) for pattern in patterns):
                yield path, text


@cache
def projects() -> tuple[Project, ...]:
    """Return all clean configurations, in order of name."""
    marked = yaml.safe_load((FOLDER / "held.yaml").read_text("utf-8"))["projects"]
    folders = sorted(folder for folder in CLEAN.iterdir() if folder.is_dir())
    unknown = set(marked) - {folder.name for folder in folders}
    if unknown:
        raise ValueError(f"held.yaml names projects that do not exist: {sorted(unknown)}")
    return tuple(_project(folder, folder.name in marked) for folder in folders)


def _project(folder: Path, held: bool) -> Project:
    files = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    written = files.pop(CONFIG_NAMES[0], "")
    settings = settings_from(read_settings(written, CONFIG_NAMES[0])) if written else Settings()
    return Project(folder.name, files, settings, held)
