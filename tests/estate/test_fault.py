"""An internal fault while one queue manager is judged costs that queue manager, not the scan."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from mqlint.engine import Analyser, check
from mqlint.engine.assemble import Assembly
from mqlint.estate.history.store import latest
from mqlint.estate.io.sources import Source
from mqlint.estate.scan import Scan, scan
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.context import setup_of
from mqlint.estate.stages.local import LocalEngine
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.facts.registry import Facts
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.estate.conftest import inputs_in, settings_in

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
    describe = Assembly.describe

    def failing(self: Assembly, key: QueueManagerKey, given: list[object]) -> list[Facts]:
        if key.name == "BAD":
            raise ValueError("a secret word of the file")
        return describe(self, key, given)  # type: ignore[arg-type]

    monkeypatch.setattr(Assembly, "describe", failing)
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
        "BAD is not judged: a fault in mqlint: please report ValueError at mqlint."
    )
    assert "secret" not in str(row.reason)
    assert found.coverage.count("checked") == run.coverage.count("checked") == 2
    assert found.counts.checked == 2
    assert sorted(found.checked_paths()) == ["FINE/queues.mqsc", "GOOD/queues.mqsc"]


def test_the_tables_agree(faulty: pytest.MonkeyPatch, scanned: Callable[[], Scan]) -> None:
    found = scanned()
    statuses = [row.status for row in found.files()]
    assert statuses.count("checked") == 2
    assert found.manifest.tables["coverage"] == len(
        {(row.status, row.reason) for row in found.files()}
    )
    assert latest(found.out) == found.manifest


def test_the_next_scan_tries_again(faulty: pytest.MonkeyPatch, scanned: Callable[[], Scan]) -> None:
    assert scanned().counts.judged >= 3
    faulty.undo()
    found = scanned()
    assert found.counts.judged == 1
    assert found.counts.checked == 3
