"""Checks files in a folder of their own, as a person would."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main

Check = Callable[..., None]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def check(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs `mqlint check` over texts by path, with reports of some formats."""
    environment = {"MQLINT_CACHE_DIR": str(cache), "COLUMNS": "100", "NO_COLOR": "1"}

    def run(files: Mapping[str, str], forms: Sequence[str] = ("text",)) -> None:
        folder = tmp_path / str(hash(tuple(files.items())))
        for path, text in files.items():
            file = folder / path
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, newline="")
        monkeypatch.chdir(folder)
        words = [word for form in forms for word in ("--format", f"{form}={tmp_path / form}")]
        done = CliRunner(env=environment).invoke(main, ["check", *words, "."])
        assert done.exit_code in (0, 1), done.output

    return run
