"""Runs commands as a person would, with a cache of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mqlint.cli import main

Mqlint = Callable[..., Result]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, which is no git checkout."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mqlint(project: Path, cache: Path) -> Mqlint:
    """Runs `mqlint` with some words, in the project, on a terminal of 100 columns."""

    def run(*words: str, stdin: str | bytes | None = None) -> Result:
        environment = {"MQLINT_CACHE_DIR": str(cache), "COLUMNS": "100", "NO_COLOR": "1"}
        return CliRunner(env=environment).invoke(main, words, input=stdin)

    return run
