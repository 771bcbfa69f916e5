"""The data files that come with the package: grammars, policies, vocabularies.

They are modules that hold one value each: what installs a wheel compiles them with the rest, and
Python loads them several times as fast as JSON. A checkout has none of them: it compiles its YAML
into the user's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from mqlint.config.cache import JsonValue

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


def rows_of(package: str, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of a table of text: what is before the first colon, and the words after it.

    Lines with a hash are remarks, and an indented line belongs to the row above it. Such a table
    needs neither YAML nor a cache: every start reads those of secrets.
    """
    text = data_of(package).joinpath(name).read_text("utf-8").replace("\n    ", " ")
    for row in text.split("\n"):
        if row and not row.startswith("#"):
            title, _, words = row.partition(":")
            yield title, words.split()


# -- what a wheel brings compiled ------------------------------------------------------------------


PACKAGE: Final = "compiled"
"""The package in mqlint that has the modules."""


def shipped_value(name: str) -> JsonValue:
    """Return a value that came with the wheel, None if it has none. Callers must not change it."""
    try:
        return cast("JsonValue", import_module(f"mqlint.{PACKAGE}.{name}").VALUE)
    except Exception:  # one that is not there or damaged costs time, not the run
        return None


def module_of(value: JsonValue) -> str:
    return f'"""Written when the wheel was built."""\n\nVALUE = {value!r}\n'
