"""The project of a file: its root and its configuration."""

from pathlib import Path

import pytest

from mqlint.config.project import Project, find_project, git_top


@pytest.mark.parametrize("name", ["mqlint.yaml", ".mqlint.yaml"])
def test_the_nearest_configuration_upward(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "mqlint.yaml").touch()
    (tmp_path / "a" / name).touch()
    (inner / "x.mqsc").touch()
    expected = Project(tmp_path / "a", tmp_path / "a" / name)
    assert find_project(inner / "x.mqsc") == expected
    assert find_project(inner) == expected
    assert find_project(inner / "not-there.mqsc") == expected


def test_else_the_top_of_the_checkout(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    (inner / "mqlint.yaml").mkdir()  # a folder is no configuration
    assert find_project(inner) == Project(tmp_path, None)
    assert git_top(inner) == tmp_path


def test_else_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    assert find_project(Path("a")) == Project(tmp_path, None)
    assert git_top(tmp_path) is None


def test_a_name_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_project(Path("a\0b")).root == tmp_path
