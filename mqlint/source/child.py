"""How other programs are started: nothing in the checked folder can replace them.

A name is looked up only in the absolute folders of PATH that are outside the checked folder, and
a Python finds its modules where this one does, never in the working folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mqlint.config.project import git_top, is_dir


def environment(checked: Path | None = None) -> dict[str, str]:
    """Return our environment for a child, its PATH without folders that others may write to.

    Those are the folder `checked`, or the checkout that it is in, and the checkout that the
    working folder is in. Relative folders depend on where a program runs, so they are dropped too.
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


def python_environment(checked: Path | None = None) -> dict[str, str]:
    """Return our environment for a child that starts Python, as `environment`.

    The options of this Python that ignore settings (`-I`, `-E`, `-s`) apply there too.
    """
    variables = environment(checked)
    if sys.flags.ignore_environment:
        variables = {
            name: value for name, value in variables.items() if not name.startswith("PYTHON")
        }
    modules = variables.pop("PYTHONPATH", "").split(os.pathsep)
    if absolute := [folder for folder in modules if _is_absolute(folder)]:
        variables["PYTHONPATH"] = os.pathsep.join(absolute)
    if sys.flags.no_user_site:
        variables["PYTHONNOUSERSITE"] = "1"
    variables["PYTHONSAFEPATH"] = "1"
    return variables


def python_command(module: str, function: str, arguments: Sequence[str] = ()) -> list[str]:
    """Return the words that run `function` of `module` in a new process of this Python.

    It finds modules where this process does, also in a zip and after changes to `sys.path`, and
    has `arguments` in `sys.argv`. To be started in `python_environment`.
    """
    folders = [*filter(_is_absolute, sys.path)]
    end = 1 + len(folders)
    run = (
        f"import sys; sys.path[:] = sys.argv[1:{end}]; del sys.argv[1:{end}]; "
        f"from {module} import {function}; {function}()"
    )
    return [sys.executable, "-c", run, *folders, *arguments]


def _search_path(checked: Path | None) -> Iterator[str]:
    strange = {os.path.realpath(folder) for folder in _strange_folders(checked)}
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if _is_absolute(folder):
            real = os.path.realpath(folder)
            if not any(_is_in(real, other) for other in strange):
                yield folder


def _strange_folders(checked: Path | None) -> Iterator[Path]:
    if checked is not None:
        yield git_top(checked) or (checked if is_dir(checked) else checked.absolute().parent)
    if (top := git_top(Path.cwd())) is not None:
        yield top


def _is_absolute(folder: str) -> bool:
    return os.path.isabs(folder)  # noqa: PTH117 a word of the environment


def _is_in(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)
