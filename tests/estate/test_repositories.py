"""An estate of repositories and dumps of every kind, in one process and on Spark."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.estate.plan import EstatePlan, plan_of
from mqlint.config.errors import ConfigError

pytest.importorskip("pyspark")

import pyarrow.parquet as parquet
from pyspark.sql import SparkSession

from mqlint.estate.io.listing import list_sources
from mqlint.estate.io.sources import LISTED, ListedFile, row_of
from mqlint.estate.scanning import scan
from mqlint.estate.spark.cluster import SparkEngine
from mqlint.estate.stages.frame import Engine
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan
from mqlint.estate.tables.batches import records
from mqlint.estate.tables.schema import TABLES
from tests.files import git, write
from tests.policy.making import policy

pytestmark = pytest.mark.spark

CONFIG = """\
sites:
  leeds: {role: production, paths: ["prod/**"]}
  derby: {role: dr, stands_in_for: leeds, paths: ["dr/**"]}
queue_managers: "{site}/{queue_manager}/*"
"""
SCRIPT = "DEFINE QLOCAL({0}.IN) MAXDEPHT(5)\n"
DUMP = (
    "* Queue manager name: {0}\n* Command issued: dmpmqcfg -m {0} -a\n"
    "DEFINE QLOCAL(Q) MAXDEPHT(5)\n"
)
RECEIVER = (
    "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) TRPTYPE(TCP) CLUSTER(DEMO) CONNAME('{0}(1414)')\n"
)
ODD = 'it\'s "new"\nline очередь 日本.mqsc'
NO_TEXT = os.fsdecode(b"caf\xe9.mqsc")

ESTATE = """\
labels: {tier: gold}
repositories:
  - {path: checkouts/*, team: payments}
  - {path: mirrors/orders.git, ref: main, team: orders, labels: {tier: silver}}
  - {path: archives/stock.tar.gz, override: {target: {level: 9.4.0}}}
  - {path: checkouts/payments/../../gone, name: gone}
  - {path: mirrors/broken.git, ref: main}
dumps:
  - {path: dumps/night, name: night, team: audit, defaults: {repository: night}}
  - {path: "dumps/*.zip", name: zipped}
  - {path: "file:URI", name: lake}
"""


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def mirror(work: Path, bare: Path, files: dict[str, str]) -> None:
    """A bare repository with one commit."""
    write(work, files)
    git("init", "-q", cwd=work)
    git("add", "-A", cwd=work)
    git("commit", "-q", "-m", "x", cwd=work)
    bare.parent.mkdir(parents=True, exist_ok=True)
    git("clone", "-q", "--bare", work, bare, cwd=work)


def packed(tape: tarfile.TarFile, name: str, text: str, kind: bytes = tarfile.REGTYPE) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = len(text), kind, "/etc/passwd"
    tape.addfile(info, io.BytesIO(text.encode()))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Everything that ESTATE names, and what it had better not."""
    payments = tmp_path / "checkouts" / "payments"
    put(payments / "mqlint.yaml", CONFIG)
    put(payments / "prod" / "QM1" / "a.mqsc", SCRIPT.format("PAY") + RECEIVER.format("a"))
    put(payments / "prod" / "QM1" / ODD, SCRIPT.format("ODD"))
    put(payments / "prod" / "QM1" / NO_TEXT, SCRIPT.format("BYTES"))
    put(tmp_path / "checkouts" / "wrong" / "mqlint.yaml", "sites: [leeds]\n")
    put(tmp_path / "checkouts" / "wrong" / "b.mqsc", SCRIPT.format("WRONG"))
    put(tmp_path / "checkouts" / "no-repository.txt", "")
    orders = {"mqlint.yaml": CONFIG, "dr/QM1/c.mqsc": SCRIPT.format("ORD") + RECEIVER.format("b")}
    mirror(tmp_path / "work", tmp_path / "mirrors" / "orders.git", orders)
    (tmp_path / "mirrors" / "broken.git").mkdir()
    (tmp_path / "archives").mkdir()
    with tarfile.open(tmp_path / "archives" / "stock.tar.gz", "w:gz") as tape:
        packed(tape, "mqlint.yaml", "target: {level: 9.2.0}\n" + CONFIG)
        packed(tape, "prod/QM2/d.mqsc", SCRIPT.format("STK"))
        packed(tape, f"prod/QM2/{NO_TEXT}", SCRIPT.format("BYTES"))
        packed(tape, "../../outside.mqsc", SCRIPT.format("OUT"))
        packed(tape, "link.mqsc", "", tarfile.SYMTYPE)
    put(tmp_path / "dumps" / "night" / "x" / "QM3.mqsc", DUMP.format("QM3"))
    put(tmp_path / "dumps" / "night" / "loose.mqsc", SCRIPT.format("LOOSE"))
    with zipfile.ZipFile(tmp_path / "dumps" / "all.zip", "w") as zipped:
        zipped.writestr("QM4.mqsc", DUMP.format("QM4"))
    put(tmp_path / "lake dir" / "deep" / "QM5 [x].mqsc", DUMP.format("QM5"))
    put(tmp_path / "lake dir" / "mqlint.yaml", "severity: {VOC002: note, VOC021X: error}\n")
    uri = f"file:{tmp_path}/lake dir"
    for folder in (tmp_path / "dumps" / "night", tmp_path / "lake dir"):
        with (folder / "huge.mqsc").open("wb") as file:
            file.truncate(200 << 20)
    put(tmp_path / "estate.yaml", ESTATE.replace("file:URI", uri))
    time.sleep(0.2)  # a file changed a moment ago is not trusted to stay as it is
    return tmp_path


Run = Callable[..., Scan]


@pytest.fixture
def run(place: Path) -> Run:
    def scanned(engine: Engine, out: str = "out") -> Scan:
        plan = plan_in(place)
        return scan(engine, plan.sources, plan.configure, place / out)

    return scanned


def plan_in(place: Path) -> EstatePlan:
    estate, out = place / "estate.yaml", place / "out"
    return plan_of(
        estate, ProjectOptions(no_cache=True).session((str(place),)), PolicyChoice(), out, ()
    )


@pytest.fixture
def local(tmp_path: Path) -> LocalEngine:
    (tmp_path / "scratch").mkdir()
    return LocalEngine(tmp_path / "scratch")


OF_A_SCAN = ("scan", "scanned", "first_seen", "last_seen")


def rows(found: Scan, table: str) -> list[dict[str, Any]]:
    """The rows of a table, less what tells one scan from another."""
    folder = found.out / found.manifest.folder / table
    return [
        {name: cell for name, cell in row.items() if name not in OF_A_SCAN}
        for file in folder.glob("*.parquet")
        for row in parquet.read_table(file).to_pylist()
    ]


READ = {
    "payments/mqlint.yaml": "without-mq",
    "payments/prod/QM1/a.mqsc": "checked",
    "payments/prod/QM1/" + ODD.replace("\n", "\\n"): "checked",
    "payments/prod/QM1/caf\\xe9.mqsc": "checked",
    "wrong/mqlint.yaml": "unreadable",
    "wrong/b.mqsc": "unreadable",
    "orders/mqlint.yaml": "without-mq",
    "orders/dr/QM1/c.mqsc": "checked",
    "stock/mqlint.yaml": "without-mq",
    "stock/prod/QM2/d.mqsc": "checked",
    "stock/prod/QM2/caf\\xe9.mqsc": "checked",
    "stock/../../outside.mqsc": "unreadable",
    "stock/link.mqsc": "unreadable",
    "gone": "unreadable",
    "broken": "unreadable",
    "night/x/QM3.mqsc": "checked",
    "night/loose.mqsc": "checked",
    "night/huge.mqsc": "unreadable",
    "zipped/all.zip/QM4.mqsc": "checked",
    "lake/mqlint.yaml": "without-mq",
    "lake/huge.mqsc": "unreadable",
    "lake/deep/QM5 [x].mqsc": "checked",
}


def test_each_file_is_a_row_whatever_became_of_it(run: Run, local: LocalEngine) -> None:
    found = run(local)
    assert {file.path: file.status for file in found.files()} == READ
    assert all(file.reason for file in found.files() if file.status == "unreadable")
    reasons = {file.path: file.reason or "" for file in found.files()}
    assert "no such file or folder" in reasons["gone"]
    assert reasons["night/huge.mqsc"] == "larger than the limit of 67,108,864 bytes"
    assert reasons["lake/huge.mqsc"] == reasons["night/huge.mqsc"]
    assert "wrong/mqlint.yaml:1:8: " in reasons["wrong/mqlint.yaml"]
    assert reasons["wrong/b.mqsc"].endswith("not valid: see wrong/mqlint.yaml")


def test_labels_are_in_the_tables(run: Run, local: LocalEngine) -> None:
    found = run(local)
    said = {
        row["repository"]: (row["team"], dict(row["labels"])) for row in rows(found, "findings")
    }
    assert said["payments"] == ("payments", {"tier": "gold"})
    assert said["orders"] == ("orders", {"tier": "silver"})
    assert said["night"] == ("audit", {"tier": "gold"})
    assert said["stock"] == (None, {"tier": "gold"})
    for table in ("files", "queue_managers", "objects", "coverage"):
        teams = {row["repository"]: row["team"] for row in rows(found, table)}
        assert teams["orders"] == "orders"


def test_repositories_are_compared_with_each_other(run: Run, local: LocalEngine) -> None:
    """One cluster-receiver name at two sites that stand in two repositories."""
    found = [finding for finding in run(local).findings if finding.rule.id == "DR001"]
    assert {finding.location.path.partition("/")[0] for finding in found} == {"payments", "orders"}
    assert len({finding.incident for finding in found}) == 1


def test_settings_are_those_of_the_repository(run: Run, local: LocalEngine) -> None:
    found = run(local)
    severity = {
        finding.location.path.partition("/")[0]: finding.severity.word
        for finding in found.findings
        if finding.rule.id == "VOC002"
    }
    assert (severity["lake"], severity["payments"]) == ("note", "error")
    assert any("target of stock overridden" in note for note in found.configuration.notes)
    assert found.configuration.setup.repositories["wrong"].fault
    unknown = "lake: severity: rule 'VOC021X' does not exist: did you mean 'VOC021'?"
    assert unknown in found.configuration.notes
    assert "night" in {finding.repository for finding in found.findings}


def facts(found: Scan) -> list[tuple[object, ...]]:
    return [
        (finding.fingerprint, finding.location, finding.severity, finding.message)
        for finding in found.findings
    ]


def zones(found: Scan) -> set[str]:
    """The zones of the times in the tables."""
    folder = found.out / found.manifest.folder
    schemas = [parquet.read_schema(file) for file in folder.glob("*/*.parquet")]
    return {str(schema.field("scanned").type.tz) for schema in schemas}


def test_spark_reads_the_same(
    run: Run, local: LocalEngine, spark: SparkSession, place: Path
) -> None:
    alone = run(local)
    on_spark = run(SparkEngine(spark, 3), "spark")
    assert facts(on_spark) == facts(alone)
    assert sorted(on_spark.files(), key=repr) == sorted(alone.files(), key=repr)
    for table in TABLES:
        assert sorted(map(str, rows(on_spark, table))) == sorted(map(str, rows(alone, table)))
    assert zones(on_spark) == zones(alone) == {"UTC"}
    again = run(SparkEngine(spark, 2), "spark")
    assert (again.counts.read, again.counts.parsed, again.counts.judged) == (0, 0, 0)
    assert facts(again) == facts(alone)


class TwoAtOnce(LocalEngine):
    """Lists as an engine does that has tasks side by side."""

    is_parallel = True


IN_PARTS = {
    "payments/rules/deep/own001.yaml": policy(
        id="OWN001",
        name="too-shallow",
        summary="A queue that holds little",
        check={"attributes": {"MAXDEPTH": {"ge": 7}}},
        message="{name} is shallow",
    ),
    "payments/mqlint.yaml": CONFIG + "policies: [rules/deep]\nexclude: [prod/QM8]\n",
    "payments/prod/QM8/a.mqsc": SCRIPT.format("NOT"),
    "payments/prod/QM9/deep/a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(5)\n",
    "payments/venv/lib/b.mqsc": SCRIPT.format("JUNK"),
    "payments/vendor/one/x.txt": "x",
    "payments/vendor/two/x.txt": "x",
    "empty/one/two/three/x.kdb": "",
}


@pytest.fixture(params=["process", "spark"])
def side_by_side(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """An engine that lists parts of a source at once."""
    if request.param == "process":
        (tmp_path / "parts").mkdir()
        return TwoAtOnce(tmp_path / "parts")
    return SparkEngine(request.getfixturevalue("spark"), 3)


@pytest.mark.parametrize(
    ("side_by_side", "folders"),
    [
        *(("process", 1), ("process", 3), ("spark", 1)),
        pytest.param("spark", 3, marks=pytest.mark.long),
    ],
    indirect=["side_by_side"],
)
def test_a_source_is_listed_in_parts_as_it_is_whole(
    folders: int, side_by_side: Engine, place: Path, local: LocalEngine
) -> None:
    write(place / "checkouts", IN_PARTS)
    for name in ("one", "two"):  # checkouts without files: notes of a folder
        git("init", "-q", cwd=place / "checkouts" / "payments" / "vendor" / name)
    (place / "checkouts" / "payments" / "prod" / "out").symlink_to(place / "estate.yaml")
    (place / "dumps" / "night" / "y" / "z").mkdir(parents=True)
    with zipfile.ZipFile(place / "dumps" / "night" / "y" / "z" / "some.zip", "w") as zipped:
        zipped.writestr("QM6.mqsc", DUMP.format("QM6"))
    time.sleep(0.2)
    plan = plan_in(place)
    whole = scan(local, plan.sources, plan.configure, place / "out")
    sources = [replace(source, folders=folders) for source in plan.sources]
    listing = list_sources(place / "listed", split=True)
    rows_of_sources = local.rows([*map(row_of, sources)], LISTED).through(listing)
    parts = [*records(rows_of_sources.where("kind", "source").batches(), ListedFile)]
    assert {row.repository for row in parts} >= {"payments", "night"}
    found = scan(side_by_side, sources, plan.configure, place / "again")
    assert facts(found) == facts(whole)
    assert found.assumed == whole.assumed
    assert found.counts == whole.counts
    for table in TABLES:
        assert sorted(map(str, rows(found, table))) == sorted(map(str, rows(whole, table)))
    again = scan(side_by_side, sources, plan.configure, place / "again")
    assert (again.counts.read, again.counts.parsed, again.counts.judged) == (0, 0, 0)


def test_only_what_has_changed_is_read(run: Run, local: LocalEngine, place: Path) -> None:
    first = run(local)
    assert first.counts.read == first.counts.documents - 8
    again = run(local)
    assert (again.counts.read, again.counts.parsed, again.counts.judged) == (0, 0, 0)
    assert facts(again) == facts(first)
    put(place / "work" / "dr" / "QM1" / "c.mqsc", SCRIPT.format("NEW"))
    git("commit", "-q", "-a", "-m", "y", cwd=place / "work")
    git("push", "-q", place / "mirrors" / "orders.git", "main", cwd=place / "work")
    third = run(local)
    assert (third.counts.read, third.counts.parsed, third.counts.judged) == (1, 1, 1)
    assert not [finding for finding in third.findings if finding.rule.id == "DR001"]


def test_a_folder_of_repositories_is_an_estate(place: Path, local: LocalEngine) -> None:
    folder = place / "checkouts"
    (folder / "loose.mqsc").write_text(DUMP.format("QM9"))
    plan = plan_of(
        folder,
        ProjectOptions(no_cache=True).session((str(folder),)),
        PolicyChoice(),
        place / "o",
        (),
    )
    found = scan(local, plan.sources, plan.configure, place / "o")
    names = {file.path.partition("/")[0] for file in found.files()}
    assert names == {"payments", "wrong", "no-repository.txt", "loose.mqsc"}
    assert {finding.location.path for finding in found.findings} >= {"payments/prod/QM1/a.mqsc"}


CLASHES = {
    "repositories: [a/x, b/x]": "two repositories are named 'x'",
    "repositories: [{path: a, name: x}, {path: b, name: x/y}]": "begins with the name 'x'",
}


@pytest.mark.parametrize(("text", "said"), CLASHES.items())
def test_names_that_clash_are_refused(text: str, said: str, place: Path) -> None:
    put(place / "estate.yaml", text)
    with pytest.raises(ConfigError, match=said):
        plan_in(place)


def test_a_repository_that_goes_leaves_no_finding(
    run: Run, local: LocalEngine, place: Path
) -> None:
    first = run(local)
    shutil.rmtree(place / "checkouts" / "payments" / "prod")
    shutil.rmtree(place / "mirrors" / "orders.git")
    second = run(local)
    assert {finding.location.path for finding in first.findings} >= {"orders/dr/QM1/c.mqsc"}
    left = {finding.location.path.partition("/")[0] for finding in second.findings}
    assert left == {"stock", "night", "zipped", "lake"}
    status = {file.path: file.status for file in second.files()}
    assert status["orders"] == "unreadable"
    assert second.counts.judged == 0
