"""An internal fault while one queue manager is judged costs that queue manager, not the scan."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("pyspark")

from mqlint.cli import main
from mqlint.engine import Analyser, check
from mqlint.engine.assembly import building
from mqlint.estate.history.store import latest
from mqlint.estate.io.sources import Source
from mqlint.estate.scanning import scan
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan
from mqlint.model.core.queue_manager import QueueManager
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.estate.conftest import inputs_in, settings_in
from tests.estate.stages import setup_of

pytestmark = pytest.mark.slow

CONFIG = 'queue_managers: ["{queue_manager}/*"]\n'
MQSC = "DEFINE QLOCAL(APP.IN) DEFPSIST(YES) MAXDEPTH(5)\n"
BROKEN = "DEFINE QLOCAL(APP.IN) MAXDEPHT(5)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "estate"
    for name, text in (("GOOD", MQSC), ("BAD", BROKEN), ("FINE", MQSC)):
        (folder / name).mkdir(parents=True)
        (folder / name / "queues.mqsc").write_text(text)
    (folder / "mqlint.yaml").write_text(CONFIG)
    return folder


@pytest.fixture
def scanned(
    folder: Path, tmp_path: Path, vocabulary: Vocabulary, rulebook: Rulebook
) -> Callable[[], Scan]:
    """Scans the folder, with the same cache each time."""
    setup = setup_of(vocabulary.compiled, rulebook, settings_in(folder))
    source = Source("", "project", str(folder), str(folder))

    def run() -> Scan:
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        return scan(
            LocalEngine(scratch), [source], lambda texts: Configuration(setup), tmp_path / "out"
        )

    return run


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A fault in judging the queue manager BAD."""

    class Faulty(QueueManager):
        def release(self) -> None:
            if self.key.name == "BAD":
                raise ValueError("a secret word of the file")
            super().release()

    monkeypatch.setattr(building, "QueueManager", Faulty)
    return monkeypatch


def test_the_scan_goes_on(
    folder: Path,
    faulty: pytest.MonkeyPatch,
    scanned: Callable[[], Scan],
    vocabulary: Vocabulary,
    rulebook: Rulebook,
) -> None:
    found = scanned()
    run = check(inputs_in(folder), settings_in(folder), Analyser(vocabulary), rulebook)
    assert sorted(map(repr, found.findings)) == sorted(map(repr, run.findings))
    (row,) = [row for row in found.coverage.files if row.path == "BAD/queues.mqsc"]
    (expected,) = [row for row in run.coverage.files if row.path == "BAD/queues.mqsc"]
    assert (row.status, row.language) == (expected.status, expected.language)
    assert row.status == "unreadable"
    assert str(row.reason).startswith(
        "BAD is not checked because of a fault in mqlint: please report ValueError at mqlint."
    )
    assert "secret" not in str(row.reason)
    assert found.coverage.count("checked") == run.coverage.count("checked") == 2
    assert found.counts.checked == 2
    assert sorted(found.checked_paths()) == ["FINE/queues.mqsc", "GOOD/queues.mqsc"]


@pytest.mark.parametrize("command", ["check", "estate scan --engine=process --quiet --out=out"])
def test_a_check_and_a_scan_tell_it(
    command: str, folder: Path, faulty: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    faulty.chdir(tmp_path)
    words = [*command.split(), str(folder), "--fail-on=never"]
    runner = CliRunner(env={"MQLINT_CACHE_DIR": str(tmp_path / "cache"), "COLUMNS": "1000"})
    done = runner.invoke(main, words)
    assert done.exit_code == 1
    assert "mqlint: 1 file could not be read" in done.stderr
    assert done.stdout.count("BAD/queues.mqsc: BAD is not checked") == 1
    if "scan" in command:
        assert "2 judged, 1 could not be checked" in done.stdout
    assert runner.invoke(main, [*words, "--exit-zero"]).exit_code == 0


def test_what_a_scan_did_not_recognise_is_listed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in range(7):
        (folder / f"{number}.odd").write_text("something else\n")
    monkeypatch.chdir(tmp_path)
    runner = CliRunner(env={"MQLINT_CACHE_DIR": str(tmp_path / "cache"), "COLUMNS": "1000"})
    done = runner.invoke(main, ["estate", "scan", str(folder), "--engine=process", "--out=out"])
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("not recognised: "))
    paths = line.removeprefix("not recognised: ").removesuffix(" more").replace(" and ", ", ")
    *first, others = paths.split(", ")
    assert first[:4] == [f"{number}.odd" for number in range(4)]
    assert 5 + int(others) == sum(path.suffix == ".odd" for path in folder.rglob("*.*"))
    assert "FROM files WHERE status <> 'checked'" in done.stdout
    assert "(table judgements)" in done.stdout
    assert "--verbose" not in done.stdout


def test_the_tables_agree(faulty: pytest.MonkeyPatch, scanned: Callable[[], Scan]) -> None:
    found = scanned()
    statuses = [row.status for row in found.files()]
    assert statuses.count("checked") == 2
    assert found.manifest.tables["coverage"] == len(
        {(row.status, row.reason) for row in found.files()}
    )
    assert latest(found.out) == found.manifest


def test_the_next_scan_tries_again(faulty: pytest.MonkeyPatch, scanned: Callable[[], Scan]) -> None:
    first = scanned().counts
    assert (first.judged, first.unjudged) == (2, 1)
    faulty.undo()
    found = scanned()
    assert (found.counts.judged, found.counts.unjudged) == (1, 0)
    assert found.counts.checked == 3
