"""Finds the modules of mqlint where they are, as a command imports three hundred of them.

Python searches every module in many places and in many kinds of files. That takes three times as
long as reading the module, and was a sixth of the start of the program. Here a module is the
Python file that its name says, next to its package, and its bytecode is what Python wrote beside
it. Anything else is left to Python: other packages, missing or old bytecode, archives.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from types import CodeType, ModuleType

import mqlint

_PREFIX = "mqlint."
_TAG = str(sys.implementation.cache_tag)
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_BYTES = 1 << 16
_UNCHANGED = MAGIC_NUMBER + bytes(4)
"""How bytecode begins that holds as long as time and size of the source are those that follow."""


def find_directly() -> None:
    """Let this process find modules of mqlint directly if it is installed in a folder."""
    is_usual = sys.pycache_prefix is None and sys.flags.optimize == 0
    loader = getattr(mqlint.__spec__, "loader", None)
    if is_usual and type(loader) is SourceFileLoader:
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """What `sys.meta_path` holds: it knows only modules in packages of mqlint."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or len(path) != 1 or not name.startswith(_PREFIX):
            return None
        folder, word = path[0], name.rpartition(".")[2]
        package = f"{folder}{os.sep}{word}"
        # Modules first, as most are; no package has the name of a module.
        for home, stem, is_package in ((folder, word, False), (package, "__init__", True)):
            file = f"{home}{os.sep}{stem}.py"
            try:
                status = os.stat(file)  # noqa: PTH116 thousands of calls
            except OSError:
                continue
            cached = f"{home}{os.sep}__pycache__{os.sep}{stem}.{_TAG}.pyc"
            loader = _Loader(name, file, cached, status)
            spec = ModuleSpec(name, loader, origin=file, is_package=is_package)
            spec.has_location, spec.cached = True, cached
            if is_package:
                spec.submodule_search_locations = [package]
            return spec
        return None


class _Loader(SourceFileLoader):
    """Loads a module from its bytecode if that is of its present source, otherwise as Python."""

    def __init__(self, name: str, file: str, cached: str, status: os.stat_result) -> None:
        super().__init__(name, file)
        self._cached = cached
        self._header = _UNCHANGED + _word(int(status.st_mtime)) + _word(status.st_size)

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code of the module, whose file name is that of the source."""
        try:
            data = _content(self._cached)
            if data.startswith(self._header):
                body = memoryview(data)[len(self._header) :]
                code = marshal.loads(body)  # noqa: S302 as Python does
                if isinstance(code, CodeType) and code.co_filename == self.path:
                    return code
        except (OSError, EOFError, ValueError, TypeError):
            pass  # Python says what is wrong with it
        return super().get_code(fullname)


def _content(path: str) -> bytes:
    """The bytes of a file, by three calls of the system: Python's own files take eight.

    What is cut off, as few file systems may do, is not valid bytecode.
    """
    file = os.open(path, _FLAGS)
    try:
        data = os.read(file, _BYTES)
        while len(data) % _BYTES == 0 and (more := os.read(file, 16 * _BYTES)):
            data += more
        return data
    finally:
        os.close(file)


def _word(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4, "little")
