"""The data files that come with the package: grammars, policies, vocabularies."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def data_of(package: str) -> Traversable:
    """Return the folder of a package of the project, on disk or in a zip.

    importlib.resources does the same, but imports zipfile and more, which every start would pay
    for. So it is used only if the package has no folder.
    """
    module = import_module(package)
    folders = [Path(folder) for folder in module.__path__]
    if folders and folders[0].is_dir():
        return cast("Traversable", folders[0])
    from importlib.resources import files

    return files(package)
