"""The estates that scans are measured on are what the figures say they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.scan.estates import Estate, Written

pytestmark = pytest.mark.slow

NUMBER = 80


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> Estate:
    return Estate(tmp_path_factory.mktemp("large") / "estate", NUMBER)


@pytest.fixture(scope="module")
def written(estate: Estate) -> Written:
    return estate.write()


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def documents(estate: Estate, written: Written) -> dict[str, bytes]:
    return {path: (estate.folder / path).read_bytes() for path in written.files}


def differing(one: Mapping[str, bytes], two: Mapping[str, bytes]) -> set[str]:
    return {path for path in one.keys() | two.keys() if one.get(path) != two.get(path)}


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("two", 3), ("three", 4)):
        Estate(tmp_path / name, 6, seed).write()
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert tree(tmp_path / "one") != tree(tmp_path / "three")


def test_a_small_estate_is_the_beginning_of_a_larger_one(
    estate: Estate, written: Written, tmp_path: Path
) -> None:
    small = Estate(tmp_path / "small", 20)
    files = documents(small, small.write())
    large = documents(estate, written)
    assert files == {path: large[path] for path in files}


def test_a_dump_has_about_300_kilobytes(estate: Estate, written: Written) -> None:
    sizes = [
        len(data)
        for path, data in documents(estate, written).items()
        if path.startswith("dumps/night/") and path not in written.broken
    ]
    assert len(sizes) > 0.9 * NUMBER
    assert 290_000 < sum(sizes) / len(sizes) < 310_000


def test_five_files_in_a_hundred_are_broken(estate: Estate, written: Written) -> None:
    assert 0.04 < len(written.broken) / len(written.files) < 0.06


def test_three_documents_in_ten_are_identical_to_another(estate: Estate, written: Written) -> None:
    files = documents(estate, written)
    number = Counter(files.values())
    alike = [path for path, data in files.items() if number[data] > 1]
    assert 0.27 < len(alike) / len(files) < 0.33
    assert any(path.startswith("dumps/copies/") for path in alike)


def test_a_night_changes_one_document_in_a_hundred(estate: Estate, written: Written) -> None:
    before = tree(estate.folder)
    said = estate.change().files
    after = tree(estate.folder)
    estate.restore()
    assert differing(before, after) == set(said)
    assert 0.008 < len(said) / len(written.files) < 0.012
    assert tree(estate.folder) == before
