"""One process, several, and Spark in any number of parts: the same findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from shutil import copytree

import pytest

from benchmarks.generate import generate_estate
from mqlint.config.reader import read_yaml
from mqlint.engine import Analyser, Run, check
from mqlint.finding import FileCoverage, Finding
from mqlint.finding.waiver import Waivers, waivers_from
from mqlint.language.registry import SIGNS
from mqlint.policy.kinds.related import RelatedFact
from mqlint.policy.language.table import KINDS
from mqlint.policy.rulebook import Rulebook
from mqlint.source.discover import LEADS_NOWHERE
from mqlint.vocabulary import Vocabulary
from tests.conftest import ROOT
from tests.estate.conftest import InProcess, inputs_in, settings_in
from tests.estate.stages import setup_of
from tests.languages import ONE_OF_EACH

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from mqlint.estate.io.sources import Source
from mqlint.estate.scanning import scan
from mqlint.estate.spark.cluster import SparkEngine
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.frame import Engine
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan
from mqlint.estate.stages.sorting import SPILL
from tests.files import write

pytestmark = pytest.mark.spark
LONG = pytest.mark.long

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
        finding.ignored,
        finding.subject,
        finding.rule.id,
    )


def files(found: Iterable[FileCoverage]) -> list[tuple[object, ...]]:
    """The rows of all files, in the order of a run, with the statements that were not judged.

    A link that leads nowhere is not among the files that a run is given.
    """
    given = (file for file in found if file.reason != LEADS_NOWHERE)
    rows = sorted(given, key=lambda file: file.path)
    return [(row, dict(row.counts), row.unjudged) for row in rows]


def scanned(
    engine: Engine, folder: Path, out: Path, configured: Configuration, spill: int = SPILL
) -> Scan:
    """Scan a folder as a project."""
    source = Source("", "project", str(folder), str(folder))
    return scan(engine, [source], lambda texts: configured, out, spill=spill)


@pytest.fixture(scope="module")
def on_spark(
    spark: SparkSession,
    vocabulary: Vocabulary,
    rulebook: Rulebook,
    tmp_path_factory: pytest.TempPathFactory,
) -> OnSpark:
    """Scans a folder on Spark, once in each number of parts."""

    @cache
    def run(folder: Path, partitions: int) -> Scan:
        setup = setup_of(vocabulary.compiled, rulebook, settings_in(folder))
        engine = SparkEngine(spark, partitions)
        out = tmp_path_factory.mktemp("scan") / "out"
        return scanned(engine, folder, out, Configuration(setup))

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
        "runmqsc PRDQM0001 < /srv/fed.mqsc\nrunmqsc PRDQM0001 < /srv/not-here.mqsc\n"
    )
    loose = folder / "loose"
    loose.mkdir()
    (loose / "fed.mqsc").write_text("DEFINE QLOCAL(FED.BY.SCRIPT) MAXDEPHT(7)\n")
    return folder


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return spoilt(generate_estate(tmp_path_factory.mktemp("generated"), 20, COLLIDING))


BREAKS = {
    "prod": "SET CHLAUTH('MARKET.PRDSALES') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
    "dr": "SET CHLAUTH('MARKET.*') TYPE(ADDRESSMAP) ADDRESS('10.20.7.*') ACTION(REMOVE)",
}
"""Lines of `examples/chlauth/README.md`: each breaks what holds there."""

MORE_CONFIG = """\
parameters:
  QUE012: {transactional_queues: [ORDER.*]}
  NAM001: {production: '^PRD', dr: '^DRX'}
"""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of channel authentication, broken twice, beside files of many languages."""
    folder = tmp_path_factory.mktemp("mixed") / "mixed"
    copytree(ROOT / "examples" / "chlauth", folder)
    for script, line in BREAKS.items():
        (file,) = (folder / script).rglob("*.mqsc")
        file.write_text(f"{file.read_text('utf-8')}{line}\n", "utf-8")
    config = folder / "mqlint.yaml"
    config.write_text(config.read_text("utf-8") + MORE_CONFIG, "utf-8")
    return write(folder, ONE_OF_EACH)


FOLDERS = ("example", "generated", "mixed")


@pytest.fixture(scope="module")
def folders(estate: Path, generated: Path, mixed: Path) -> dict[str, Path]:
    return dict(zip(FOLDERS, (estate, generated, mixed), strict=True))


@pytest.fixture(params=FOLDERS)
def folder(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Path:
    return folders[request.param]


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
    assert list(map(facts, together.ignored)) == list(map(facts, runs[folder].ignored))
    assert together.coverage == runs[folder].coverage


@pytest.mark.parametrize("partitions", [2, *(pytest.param(n, marks=LONG) for n in (1, 7))])
def test_spark_finds_the_same(
    folder: Path, partitions: int, runs: dict[Path, Run], on_spark: OnSpark
) -> None:
    found = on_spark(folder, partitions)
    assert list(map(facts, found.findings)) == list(map(facts, runs[folder].findings))
    assert list(map(facts, found.ignored)) == list(map(facts, runs[folder].ignored))
    assert files(found.files()) == files(runs[folder].coverage.files)


@pytest.mark.parametrize(
    "spill", [pytest.param(0, id="files"), pytest.param(64 << 20, id="memory", marks=LONG)]
)
def test_one_process_with_tables_finds_the_same(
    folder: Path,
    spill: int,
    runs: dict[Path, Run],
    vocabulary: Vocabulary,
    rulebook: Rulebook,
    tmp_path: Path,
) -> None:
    (tmp_path / "scratch").mkdir()
    configured = Configuration(setup_of(vocabulary.compiled, rulebook, settings_in(folder)))
    engine = LocalEngine(tmp_path / "scratch", spill)
    for again in (False, True):
        found = scanned(engine, folder, tmp_path / "out", configured, spill)
        assert list(map(facts, found.findings)) == list(map(facts, runs[folder].findings))
        assert list(map(facts, found.ignored)) == list(map(facts, runs[folder].ignored))
        assert len(found.findings) == len(runs[folder].findings)
        assert files(found.files()) == files(runs[folder].coverage.files)
        assert bool(found.counts.judged) != again
        assert bool([*(tmp_path / "out").glob(".scan-work-*")]) == (spill == 0)
        del found
        assert not [*(tmp_path / "out").glob(".*")]


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
    configured = Configuration(setup, waivers={"": waivers})
    found = scanned(SparkEngine(spark, 3), generated, tmp_path / "out", configured)
    assert list(map(facts, found.findings)) == list(map(facts, alone.findings))
    assert [finding.ignored for finding in found.ignored] == [
        finding.ignored for finding in alone.ignored
    ]
    assert list(map(facts, found.ignored)) == list(map(facts, alone.ignored))
    owners = {finding.ignored.owner for finding in found.ignored if finding.ignored is not None}
    assert owners == {"", "network team", "messaging team"}
    said = {finding.rule.name for finding in found.findings if finding.location.path == "w.yaml"}
    assert said == {"waiver-expired", "waiver-ends-soon", "waiver-unmatched"}


def test_comments_suppress_in_the_estates(
    generated: Path, mixed: Path, runs: dict[Path, Run]
) -> None:
    assert {finding.rule.id for finding in runs[generated].ignored} == {"VOC002"}
    assert {finding.rule.id for finding in runs[mixed].ignored} == {"CHA003"}


@pytest.mark.parametrize("name", ["example", "generated"])
def test_estates_have_findings_across_sites(
    name: str, folders: dict[str, Path], runs: dict[Path, Run]
) -> None:
    across = [finding for finding in runs[folders[name]].findings if finding.incident is not None]
    assert {finding.subject.site for finding in across} >= {"leeds", "derby"}


def test_estates_have_files_of_every_language(
    folders: dict[str, Path], runs: dict[Path, Run]
) -> None:
    met = {file.language for folder in folders.values() for file in runs[folder].coverage.files}
    assert met - {None} == {language.name for sign, language in SIGNS if not sign.when_named}


def test_estates_have_findings_of_every_kind(
    folders: dict[str, Path], runs: dict[Path, Run], rulebook: Rulebook
) -> None:
    rules = {finding.rule.id for folder in folders.values() for finding in runs[folder].findings}
    kinds = {rulebook.compiled_rule(rule)["kind"] for rule in rules}
    assert kinds == set(KINDS)
    policies = [rulebook.policies_by_id.get(rule) for rule in rules]
    related = [
        policy.kind for policy in policies if policy and isinstance(policy.kind, RelatedFact)
    ]
    assert {(kind.across, kind.must) for kind in related} == set(product((True, False), repeat=2))
    assert "difference" in {policy.object for policy in policies if policy}
    assert {"CHA004", "CHA017", "NAM001", "QUE012"} <= rules  # breaks of chlauth, parameters


def test_all_kinds_of_files_are_in_the_tables(generated: Path, on_spark: OnSpark) -> None:
    status = {row.path: row.status for row in on_spark(generated, 2).files()}
    home = "prod/PRDQM0001"
    assert status[f"{home}/picture.png"] == "not-recognised"
    assert status[f"{home}/utf16.mqsc"] == "checked"
    for name in ODD_NAMES:
        assert status[f"{home}/{name.replace(chr(10), chr(92) + 'n')}"] == "checked"
    assert status[f"{home}/gone.mqsc"] == "not-recognised"
