"""One process, several, and Spark in any number of parts: the same findings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from benchmarks.generate import generate_estate
from mqlint.config.reader import read_yaml
from mqlint.engine import Analyser, Run, check
from mqlint.finding import Finding
from mqlint.finding.waiver import Waivers, waivers_from
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.spark.conftest import InProcess, inputs_in, settings_in

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from mqlint.spark.scan import Scan, scan
from mqlint.spark.toolbox import setup_of

pytestmark = pytest.mark.spark

OnSpark = Callable[[Path, int], Scan]

COLLIDING = 42
"""The seed of an estate some of whose DR queue managers collide with production."""

ODD_NAMES = ('it\'s "quoted".mqsc', "new\nline.mqsc", "очередь 日本 é.mqsc", "a[1]{b}*?.mqsc")


def facts(finding: Finding) -> tuple[object, ...]:
    return (
        finding.fingerprint,
        finding.message,
        finding.location,
        finding.severity,
        finding.incident,
        finding.related,
        finding.subject,
        finding.rule.id,
    )


@pytest.fixture
def on_spark(
    spark: SparkSession, vocabulary: Vocabulary, rulebook: Rulebook, tmp_path: Path
) -> OnSpark:
    def run(folder: Path, partitions: int) -> Scan:
        setup = setup_of(vocabulary.compiled, rulebook, settings_in(folder))
        inputs = inputs_in(folder)
        return scan(spark, inputs, setup, rulebook, tmp_path / "out", partitions=partitions)

    return run


def spoilt(folder: Path) -> Path:
    """Add what nobody wishes to meet: odd names, files that are no text, broken text."""
    home = folder / "prod" / "PRDQM0001"
    for number, name in enumerate(ODD_NAMES):
        text = f"DEFINE QLOCAL(ODD.{number}) MAXDEPHT(5)\n"
        (home / name).write_text(text, encoding="utf-8")
    (home / "picture.png").write_bytes(bytes(range(256)) * 40)
    (home / "cut.mqsc").write_bytes(
        b"DEFINE QLOCAL(CUT) DESCR('never closed\n\xff\xfe\xed\xa0\x80\n"
    )
    (home / "utf16.mqsc").write_bytes("DEFINE QLOCAL(WIDE)\n".encode("utf-16"))
    (home / "gone.mqsc").symlink_to(home / "nowhere")
    (home / "ignored.mqsc").write_text(
        "* mqlint: ignore[VOC002] the attribute is one of a release to come\n"
        "DEFINE QLOCAL(LATER) MAXDEPHT(5)\n"
        "* mqlint: ignore[VOC005] nothing to ignore here\n"
        "DEFINE QLOCAL(NOW) MAXDEPTH(5)\n"
    )
    (home / "feed.sh").write_text(
        "#!/bin/sh\nrunmqsc PRDQM0001 < ../../loose/fed.mqsc\n"
        "echo 'ALTER QMGR DEADQ(GONE)' | runmqsc PRDQM0001\n"
    )
    loose = folder / "loose"
    loose.mkdir()
    (loose / "fed.mqsc").write_text("DEFINE QLOCAL(FED.BY.SCRIPT) MAXDEPHT(7)\n")
    return folder


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return spoilt(generate_estate(tmp_path_factory.mktemp("generated"), 20, COLLIDING))


@pytest.fixture(params=["example", "generated"])
def folder(request: pytest.FixtureRequest, estate: Path, generated: Path) -> Path:
    return estate if request.param == "example" else generated


@pytest.fixture(scope="module")
def runs(in_process: InProcess) -> dict[Path, Run]:
    """What one process finds, worked out once a folder."""

    class Runs(dict[Path, Run]):
        def __missing__(self, folder: Path) -> Run:
            return self.setdefault(folder, in_process(folder))

    return Runs()


def test_several_processes_find_the_same(
    folder: Path, runs: dict[Path, Run], in_process: InProcess
) -> None:
    together = in_process(folder, jobs=2)
    assert list(map(facts, together.findings)) == list(map(facts, runs[folder].findings))
    assert together.coverage == runs[folder].coverage


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_spark_finds_the_same(
    folder: Path, partitions: int, runs: dict[Path, Run], on_spark: OnSpark
) -> None:
    found = on_spark(folder, partitions)
    assert list(map(facts, found.findings)) == list(map(facts, runs[folder].findings))
    assert list(map(facts, found.ignored)) == list(map(facts, runs[folder].ignored))
    assert found.coverage == runs[folder].coverage


WAIVERS = """\
waivers:
  - {rule: DR002, site: derby, owner: network team, reason: agreed, expires: 2026-07-01}
  - {rule: VOC002, object: ODD.*, paths: prod, owner: messaging team, reason: agreed}
  - {rule: [VOC001, VOC002], object: FED.*, owner: messaging team, reason: agreed}
  - {rule: VOC002, site: leeds, owner: nobody, reason: too old, expires: 2020-01-01}
"""


def test_waivers_suppress_the_same(
    generated: Path,
    spark: SparkSession,
    vocabulary: Vocabulary,
    rulebook: Rulebook,
    tmp_path: Path,
) -> None:
    entries = waivers_from(read_yaml(WAIVERS, "w.yaml"), rulebook.rules)
    waivers = Waivers(entries, date(2026, 6, 15), complete=True)
    inputs, settings = inputs_in(generated), settings_in(generated)
    alone = check(inputs, settings, Analyser(vocabulary), rulebook, waivers=waivers)
    setup = setup_of(vocabulary.compiled, rulebook, settings)
    found = scan(spark, inputs, setup, rulebook, tmp_path / "out", partitions=3, waivers=waivers)
    assert list(map(facts, found.findings)) == list(map(facts, alone.findings))
    assert [one.ignored for one in found.ignored] == [one.ignored for one in alone.ignored]
    assert list(map(facts, found.ignored)) == list(map(facts, alone.ignored))
    owners = {one.ignored.owner for one in found.ignored if one.ignored is not None}
    assert owners == {"", "network team", "messaging team"}
    said = {one.rule.name for one in found.findings if one.location.path == "w.yaml"}
    assert said == {"waiver-expired", "waiver-ends-soon", "waiver-unmatched"}


def test_comments_suppress_in_the_generated_estate(generated: Path, runs: dict[Path, Run]) -> None:
    assert {one.rule.id for one in runs[generated].ignored} == {"VOC002"}


def test_estates_have_findings_across_sites(folder: Path, runs: dict[Path, Run]) -> None:
    across = [one for one in runs[folder].findings if one.incident is not None]
    assert {one.subject.site for one in across} >= {"leeds", "derby"}


def test_all_kinds_of_files_are_in_the_tables(generated: Path, on_spark: OnSpark) -> None:
    coverage = on_spark(generated, 2).coverage
    status = {row.path: row.status for row in coverage.files}
    home = "prod/PRDQM0001"
    assert status[f"{home}/picture.png"] == "not-recognised"
    assert status[f"{home}/utf16.mqsc"] == "checked"
    for name in ODD_NAMES:
        assert status[f"{home}/{name.replace(chr(10), chr(92) + 'n')}"] == "checked"
    assert status[f"{home}/gone.mqsc"] == "unreadable"
    assert all(row.reason for row in coverage.files if row.status == "unreadable")
