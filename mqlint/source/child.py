"""How other programs are started: nothing in the folder that is checked can take their place.

A name is looked up only in the absolute folders of PATH that are outside the checked folder, and
a Python finds its modules where this one does, never in the working folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

_OUR_PATH = "import sys; sys.path[:] = sys.argv[1:]; "


def environment(checked: Path | None = None) -> dict[str, str]:
    """Return our environment for a child, its PATH without what may lead into `checked`.

    Relative folders of PATH are left out too: they lead to wherever a program runs.
    """
    return {**os.environ, "PATH": os.pathsep.join(_search_path(checked))}


def program(name: str, within: Mapping[str, str]) -> str | None:
    """Return the absolute path of a program in the PATH of an environment, None if it has none.

    Windows looks in the working folder first when it is given a bare name.
    """
    file = f"{name}.exe" if os.name == "nt" else name
    for folder in within["PATH"].split(os.pathsep):
        found = os.path.join(folder, file)  # noqa: PTH118 a word of a command line
        if folder and os.path.isfile(found) and os.access(found, os.X_OK):  # noqa: PTH113
            return found
    return None


def python_environment() -> dict[str, str]:
    """Return our environment for a child that starts Python.

    What Python was told to ignore here (`-I`, `-E`, `-s`), it ignores there too.
    """
    kept = environment()
    if sys.flags.ignore_environment:
        kept = {name: value for name, value in kept.items() if not name.startswith("PYTHON")}
    modules = kept.pop("PYTHONPATH", "").split(os.pathsep)
    if absolute := [folder for folder in modules if _is_absolute(folder)]:
        kept["PYTHONPATH"] = os.pathsep.join(absolute)
    if sys.flags.no_user_site:
        kept["PYTHONNOUSERSITE"] = "1"
    kept["PYTHONSAFEPATH"] = "1"
    return kept


def python_command(module: str, function: str) -> list[str]:
    """Return the words that run `function` of `module` in a new process of this Python.

    It finds modules where this process does, also in a zip and after changes to `sys.path`. To be
    started in `python_environment`.
    """
    run = f"from {module} import {function}; {function}()"
    return [sys.executable, "-c", _OUR_PATH + run, *filter(_is_absolute, sys.path)]


def _search_path(checked: Path | None) -> Iterator[str]:
    inside = None if checked is None else _resolved(checked)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if _is_absolute(folder) and (inside is None or not _is_in(_resolved(folder), inside)):
            yield folder


def _is_absolute(folder: str) -> bool:
    return os.path.isabs(folder)  # noqa: PTH117 a word of the environment


def _resolved(folder: Path | str) -> str:
    return os.path.realpath(folder)


def _is_in(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)
