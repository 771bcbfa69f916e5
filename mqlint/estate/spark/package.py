"""The files for a cluster: mqlint in a zip, a file to start it, and compiled packages."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from mqlint.estate.io.code import PACKAGES, files_of
from mqlint.patterns import later

CODE = "mqlint.zip"
"""mqlint and the pure Python it needs, as Spark's `--py-files` takes it."""

ENTRY = "mqlint-submit.py"
"""What `spark-submit` starts; its arguments are those of the command `mqlint`."""

COMPILED = "packages.zip"
"""Packages that hold compiled code, as Spark's `--archives` takes them."""

_PURE = ("click", "lark", "yaml")
_COMPILED = ("pandas", "pyarrow")
_OPTIONAL = ("hdfs-native",)
_NAME = later(r"[A-Za-z0-9._-]+")
_EPOCH = (1980, 1, 1, 0, 0, 0)

Member = tuple[str, bytes]
"""The name of a file in an archive, and its content."""


def package(out: Path, *, compiled: bool = False) -> list[Path]:
    """Write CODE and ENTRY into the folder `out`, with `compiled` also COMPILED; return them.

    Equal files give equal archives. OSError when one cannot be written; PackageNotFoundError when
    pandas or pyarrow is not installed.
    """
    out.mkdir(parents=True, exist_ok=True)
    written = [_write(out / CODE, _code())]
    start = out / ENTRY
    start.write_bytes((files("mqlint") / "__main__.py").read_bytes())
    written.append(start)
    if compiled:
        written.append(_write(out / COMPILED, _installed(_with_needs(_packed()))))
    return written


def _code() -> Iterator[Member]:
    for name, file in files_of(*PACKAGES, *_PURE).items():
        yield name, file.read_bytes()


def _packed() -> list[str]:
    return [*_COMPILED, *filter(_is_installed, _OPTIONAL)]


def _with_needs(names: Iterable[str]) -> list[str]:
    """Names of distributions, with those of their installed requirements."""
    found: dict[str, None] = {}
    asked = [*names]
    while asked:
        name = asked.pop(0)
        if name not in found:
            found[name] = None
            needed = (
                require
                for require in distribution(name).requires or ()
                if "extra ==" not in require
            )
            asked += filter(_is_installed, map(_name, needed))
    return [*found]


def _name(requirement: str) -> str:
    found = _NAME.match(requirement)
    return found[0].lower() if found else ""


def _is_installed(name: str) -> bool:
    with suppress(PackageNotFoundError, ValueError):
        distribution(name)
        return True
    return False


def _installed(names: Iterable[str]) -> Iterator[Member]:
    """Whatever belongs to distributions and lies beside them: no commands, no caches."""
    for name in names:
        for file in sorted(distribution(name).files or ()):
            if ".." not in file.parts and "__pycache__" not in file.parts:
                yield file.as_posix(), file.read_binary()


def _write(archive: Path, members: Iterable[Member]) -> Path:
    """Write an archive beside its place, then put it there: no scan is given half of one."""
    draft = archive.with_name(f".{archive.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as target:
            for name, content in members:
                target.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
        draft.replace(archive)
    finally:
        draft.unlink(missing_ok=True)
    return archive
