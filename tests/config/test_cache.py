"""The cache: quick when it can be trusted, never in the way when it cannot."""

import json
import os
from pathlib import Path

import pytest

from mqlint.config.cache import JsonValue, cached, cached_lines


class Builder:
    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.calls = 0

    def __call__(self) -> JsonValue:
        self.calls += 1
        return self.value


VALUE: JsonValue = {"a": [1, 2.5, None, True, "é\ud800"], "b": {}}


def test_built_once_a_key(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "cache"
    build = Builder(VALUE)
    assert cached(folder, "vocabulary", "k1", build) == VALUE
    assert cached(folder, "vocabulary", "k1", build) == VALUE
    assert build.calls == 1
    assert cached(folder, "vocabulary", "k2", build) == VALUE
    assert build.calls == 2
    assert (folder.stat().st_mode & 0o777) == 0o700
    assert [path.name for path in folder.iterdir()] == ["vocabulary.json"]
    assert json.loads((folder / "vocabulary.json").read_text())["value"] == VALUE


def test_a_value_of_null_is_a_value(tmp_path: Path) -> None:
    build = Builder(None)
    cached(tmp_path / "c", "x", "k", build)
    assert cached(tmp_path / "c", "x", "k", build) is None
    assert build.calls == 1


def test_no_folder_no_cache() -> None:
    build = Builder(1)
    assert cached(None, "x", "k", build) == cached(None, "x", "k", build) == 1
    assert build.calls == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b'{"key": "k", "value": [1',
        b'{"key": "k", "value": ' + b"[" * 100_000,
        b'{"key": "k", "value": "\xff"}',
        b'["key"]',
        b'{"key": "other", "value": 1}',
    ],
)
def test_a_file_that_cannot_be_used_is_built_again(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "c"
    folder.mkdir(mode=0o700)
    (folder / "x.json").write_bytes(content)
    build = Builder([7])
    assert cached(folder, "x", "k", build) == [7]
    assert cached(folder, "x", "k", build) == [7]
    assert build.calls == 1


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_others_may_write_to_is_not_used(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    folder.chmod(mode)
    (folder / "x.json").write_text('{"key": "k", "value": "planted"}')
    assert cached(folder, "x", "k", Builder("built")) == "built"
    assert "planted" in (folder / "x.json").read_text()


def test_links_are_not_followed(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    (real / "x.json").write_text('{"key": "k", "value": "planted"}')
    (tmp_path / "link").symlink_to(real)
    assert cached(tmp_path / "link", "x", "k", Builder("built")) == "built"
    folder = tmp_path / "c"
    folder.mkdir(mode=0o700)
    (folder / "x.json").symlink_to(real / "x.json")
    assert cached(folder, "x", "k", Builder("built")) == "built"
    assert "planted" in (real / "x.json").read_text()


def test_a_folder_that_cannot_be_made_or_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert cached(tmp_path / "file" / "c", "x", "k", Builder(1)) == 1
    folder = tmp_path / "c"
    (folder / "x.json").mkdir(parents=True)
    folder.chmod(0o700)
    assert cached(folder, "x", "k", Builder(2)) == 2
    assert [path.name for path in folder.iterdir()] == ["x.json"]  # nothing left lying about


def test_another_users_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "c"
    cached(folder, "x", "k", Builder("ours"))
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert cached(folder, "x", "k", Builder("built")) == "built"


class LineBuilder:
    def __init__(self, *values: JsonValue) -> None:
        self.values = values
        self.calls = 0

    def __call__(self) -> tuple[JsonValue, ...]:
        self.calls += 1
        return self.values


def test_lines_are_kept_one_value_each(tmp_path: Path) -> None:
    build = LineBuilder(VALUE, None, [1])
    lines = cached_lines(tmp_path / "c", "x", "k", build)
    assert [json.loads(line) for line in lines] == [VALUE, None, [1]]
    assert cached_lines(tmp_path / "c", "x", "k", build) == lines
    assert build.calls == 1
    cached_lines(tmp_path / "c", "x", "other", build)
    assert build.calls == 2
    assert cached_lines(None, "x", "k", build) == lines


@pytest.mark.parametrize("damage", [b"", b"no line feed", b"[]\n1"])
def test_lines_that_are_damaged_are_built_again(tmp_path: Path, damage: bytes) -> None:
    build = LineBuilder(1, "two")
    lines = cached_lines(tmp_path / "c", "x", "k", build)
    file = tmp_path / "c" / "x.jsonl"
    file.write_bytes(damage)
    assert cached_lines(tmp_path / "c", "x", "k", build) == lines
    file.write_bytes(file.read_bytes().replace(b"two", b"\xff\xff\xff"))
    assert cached_lines(tmp_path / "c", "x", "k", build) == lines
    assert build.calls == 3
