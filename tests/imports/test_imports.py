"""Modules that are found directly are those that Python would find."""

from __future__ import annotations

import os
import py_compile
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from pathlib import Path

import pytest

from mqlint.imports import find_directly

FindSpec = Callable[[str, Sequence[str] | None], ModuleSpec | None]
OLD, NEW = "VALUE = 'old'\n", "VALUE = 'new'\n"


@pytest.fixture
def find_spec() -> FindSpec:
    find_directly()
    return sys.meta_path.pop(0).find_spec


def _as_it_is(source: Path) -> None:
    pass


def _without_bytecode(source: Path) -> None:
    shutil.rmtree(source.parent / "__pycache__")


def _changed(source: Path) -> None:
    source.write_text(NEW.replace("\n", "  # longer\n"), "utf-8")


def _touched(source: Path) -> None:
    source.write_text(NEW, "utf-8")
    os.utime(source, (1, 1))


def _of_another_release(source: Path) -> None:
    (cached,) = (source.parent / "__pycache__").iterdir()
    source.write_text(NEW, "utf-8")
    cached.write_bytes(b"\0\0\0\0" + cached.read_bytes()[4:])


def _by_digest(source: Path) -> None:
    source.write_text(NEW, "utf-8")
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    py_compile.compile(str(source), invalidation_mode=mode)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        (_as_it_is, "old"),
        (_without_bytecode, "old"),
        (_changed, "new"),
        (_touched, "new"),
        (_of_another_release, "new"),
        (_by_digest, "new"),
    ],
)
@pytest.mark.parametrize("file", ["sample.py", "sample/__init__.py"])
def test_a_module_is_loaded_from_its_present_source(
    file: str,
    change: Callable[[Path], None],
    value: str,
    find_spec: FindSpec,
    tmp_path: Path,
) -> None:
    source = tmp_path / file
    source.parent.mkdir(exist_ok=True)
    source.write_text(OLD, "utf-8")
    py_compile.compile(str(source))
    change(source)
    spec = find_spec("mqlint.sample", [str(tmp_path)])
    usual = PathFinder.find_spec("mqlint.sample", [str(tmp_path)])
    assert spec is not None
    assert usual is not None
    assert spec.loader is not None
    assert (spec.origin, spec.cached, spec.parent) == (usual.origin, usual.cached, usual.parent)
    assert spec.submodule_search_locations == usual.submodule_search_locations
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (module.VALUE, module.__file__) == (value, str(source))


def test_code_of_a_copied_folder_names_its_own_files(find_spec: FindSpec, tmp_path: Path) -> None:
    source = tmp_path / "first" / "sample.py"
    source.parent.mkdir()
    source.write_text("def name():\n    return name.__code__.co_filename\n", "utf-8")
    py_compile.compile(str(source))
    shutil.copytree(source.parent, tmp_path / "second")  # keeps the time of the source
    spec = find_spec("mqlint.sample", [str(tmp_path / "second")])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.name() == str(tmp_path / "second" / "sample.py")


@pytest.mark.parametrize(
    ("name", "path"),
    [("sample", None), ("other.sample", "folder"), ("mqlint.missing", "folder")],
)
def test_other_modules_are_left_to_python(
    name: str, path: str | None, find_spec: FindSpec, tmp_path: Path
) -> None:
    (tmp_path / "sample.py").write_text(OLD, "utf-8")
    assert find_spec(name, None if path is None else [str(tmp_path)]) is None
