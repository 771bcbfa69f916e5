"""Two ways to check files: by the command, and by the engine alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine import check as run_check
from mqlint.policy.rulebook import Rulebook
from mqlint.report import Report, Style, renderer

Check = Callable[..., None]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def check(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs `mqlint check` over texts by path, with reports of some formats."""
    environment = {"MQLINT_CACHE_DIR": str(cache), "COLUMNS": "100", "NO_COLOR": "1"}

    def run(files: Mapping[str, str], forms: Sequence[str] = ("text",)) -> None:
        monkeypatch.chdir(_written(files, tmp_path))
        words = [word for form in forms for word in ("--format", f"{form}={tmp_path / form}")]
        documents = [path for path in files if path.endswith(".md")]  # read only if named
        done = CliRunner(env=environment).invoke(main, ["check", *words, *documents, "."])
        assert done.exit_code in (0, 1), done.output

    return run


@pytest.fixture
def plan(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs `mqlint plan a.mqsc b.mqsc` over two texts, in some formats."""
    environment = {"MQLINT_CACHE_DIR": str(cache), "COLUMNS": "100", "NO_COLOR": "1"}

    def run(files: Mapping[str, str], forms: Sequence[str] = ("text",)) -> None:
        monkeypatch.chdir(_written({"mqlint.yaml": "", **files}, tmp_path))
        for form in forms:
            words = ["plan", "--format", form, "a.mqsc", "b.mqsc"]
            done = CliRunner(env=environment).invoke(main, words)
            assert done.exit_code == 1, done.output

    return run


def _written(files: Mapping[str, str], above: Path) -> Path:
    """Write texts by path into a folder of their own; return the folder."""
    folder = above / str(hash(tuple(files.items())))
    for path, text in files.items():
        file = folder / path
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, newline="")
    return folder


@pytest.fixture(scope="session")
def judge(analyser: Analyser, rulebook: Rulebook) -> Check:
    """Reads and judges texts by path and renders the report, without the command around it.

    The command costs some 100,000 steps of its own, more than most texts do.
    """
    render = renderer("text")

    def run(files: Mapping[str, str]) -> None:
        inputs = [Input(path, data=text.encode()) for path, text in files.items()]
        done = run_check(inputs, Settings(), analyser, rulebook)
        report = Report(done.findings, done.coverage, done.assumptions, done.text_of)
        assert "".join(render(report, Style(100)))

    return run
