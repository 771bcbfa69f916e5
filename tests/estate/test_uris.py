"""An estate at URIs: Spark reads, from a file system that is not of this machine, what a disk has.

The other side is a small server of WebHDFS, asked by Hadoop's own client; hdfs itself needs a
cluster of Hadoop, and s3a a package that no test has.
"""

from __future__ import annotations

import json
import os
import shutil
from getpass import getuser
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.estate.plan import plan_of

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from mqlint.estate.scanning import scan
from mqlint.estate.spark.cluster import SparkEngine
from mqlint.estate.stages.frame import Engine
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan
from tests.estate.estates import as_tape, as_zip
from tests.estate.hdfs import hdfs
from tests.estate.webhdfs import serving
from tests.files import write
from tests.policy.making import policy

CONFIG = """\
sites:
  leeds: {role: production, paths: ["prod/**"]}
  derby: {role: dr, stands_in_for: leeds, paths: ["dr/**"]}
queue_managers: "{site}/{queue_manager}/*"
policies: [rules]
"""
POLICY = policy(
    id="OWN001",
    name="too-shallow",
    summary="A queue that holds little",
    check={"attributes": {"MAXDEPTH": {"ge": 7}}},
    message="{name} is shallow",
)
WRONG = "DEFINE QLOCAL({0}.IN) MAXDEPTH(5) MAXDEPHT(5)\n"
DUMP = (
    "* Queue manager name: {0}\n* Command issued: dmpmqcfg -m {0} -a\n"
    "DEFINE QLOCAL(Q) MAXDEPHT(5)\n"
)
RECEIVER = (
    "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) TRPTYPE(TCP) CLUSTER(DEMO) CONNAME('{0}(1414)')\n"
)
ODD = (
    "with blank",
    "per%20cent%",
    "очередь 日本",
    "signs [1] {a,b} *?",
    'it\'s "so"',
    "back\\slash",
    "new\nline",
    "hash#+&=;,",
    "_under",
    ".dot",
    "_folder/inside",
    "k=1/partition",
    "k=x/partition",
)
"""Names of files, less their ending."""

ESTATE = """\
repositories:
  - {{path: "{0}/pay", name: pay}}
  - {{path: "{0}/ord", name: ord}}
  - {{path: "{0}/archives/stock.tar.xz", name: stock}}
dumps:
  - {{path: "{0}/night", name: night, defaults: {{severity: {{VOC002: note}}}}}}
  - {{path: "{0}/archives/*.zip", name: zipped}}
  - {{path: "{0}/pay/pr*/**", name: part}}
  - {{path: "{0}/gone", name: gone}}
"""


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """All that ESTATE names, as it is on a disk."""
    lake = tmp_path / "lake"
    pay = {"mqlint.yaml": CONFIG, "rules/own001.yaml": POLICY}
    write(lake / "pay", {**pay, "prod/QM1/a.mqsc": WRONG.format("PAY") + RECEIVER.format("a")})
    own = {".mqlint.yaml": CONFIG.replace("policies: [rules]\n", "")}
    write(lake / "ord", {**own, "dr/QM1/c.mqsc": WRONG.format("ORD") + RECEIVER.format("b")})
    dumps = {f"{name}.mqsc": WRONG.format(f"ODD{at}") for at, name in enumerate(ODD)}
    write(lake / "night", {**dumps, "QM3.mqsc": DUMP.format("QM3"), "empty.mqsc": "", "x.kdb": "x"})
    write(lake / "archives", {})
    as_zip(lake / "night" / "inside", {"QM4.mqsc": DUMP.format("QM4")})
    (lake / "archives").mkdir()
    as_zip(lake / "archives" / "week", {"дом/QM5.mqsc": DUMP.format("QM5")})
    stock = {**own, "prod/QM2/d.mqsc": WRONG.format("STK")}
    work = as_tape(tmp_path / "stock", stock)
    shutil.move(work, lake / "archives" / "stock.tar.xz")
    for file in lake.rglob("*"):
        os.utime(file, (1_700_000_000, 1_700_000_000.123))
    return lake


def scanned(engine: Engine, place: Path, base: str, out: str, more: str = "") -> Scan:
    estate = place / f"{out}.yaml"
    estate.write_text(ESTATE.format(base) + more)
    plan = plan_of(
        estate,
        ProjectOptions(no_cache=True).session((str(place),)),
        PolicyChoice(),
        place / out,
        (),
    )
    return scan(engine, plan.sources, plan.configure, place / out)


@pytest.fixture
def on_disk(lake: Path, tmp_path: Path) -> Scan:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return scanned(LocalEngine(scratch), tmp_path, str(lake), "disk")


def facts(found: Scan, without: tuple[str, ...] = ()) -> list[tuple[object, ...]]:
    return [
        (finding.fingerprint, finding.location, finding.severity, finding.message)
        for finding in found.findings
        if not finding.location.path.startswith(without or ("\0",))
    ]


def files(found: Scan) -> list[str]:
    return sorted(map(repr, found.files()))


def reasons(found: Scan) -> dict[str, str | None]:
    return {file.path: file.reason for file in found.files() if file.status == "unreadable"}


@pytest.mark.spark
def test_what_is_found_is_what_a_disk_has(
    lake: Path, on_disk: Scan, spark: SparkSession, tmp_path: Path
) -> None:
    engine = SparkEngine(spark, 2)
    assert {"OWN001", "DR001", "VOC002"} <= {finding.rule.id for finding in on_disk.findings}
    with serving(lake) as there:
        first = scanned(engine, tmp_path, there.address, "out")
        assert facts(first) == facts(on_disk)
        assert files(first) == files(on_disk)
        assert "night/x.kdb" not in there.opened
        there.opened.clear()
        again = scanned(engine, tmp_path, there.address, "out")
        assert facts(again) == facts(on_disk)
        assert (again.counts.read, again.counts.parsed, again.counts.judged) == (0, 0, 0)
        always = (".zip", ".xz", "mqlint.yaml", "own001.yaml")
        assert [one for one in there.opened if not one.endswith(always)] == []


@pytest.mark.spark
@pytest.mark.huge
def test_bytes_are_fetched_again_where_they_are_needed(
    lake: Path, on_disk: Scan, spark: SparkSession, tmp_path: Path
) -> None:
    """Files have not changed, but how they are read has; or what was kept of them is forgotten."""
    engine, cache = SparkEngine(spark, 2), tmp_path / "out" / "cache"
    with serving(lake) as there:
        scanned(engine, tmp_path, there.address, "out")
        other = scanned(engine, tmp_path, there.address, "out", OLDER)
        assert facts(other) == facts(
            scanned(LocalEngine(tmp_path), tmp_path, str(lake), "o", OLDER)
        )
        assert other.counts.parsed == on_disk.counts.parsed
        shutil.rmtree(cache / "facts")
        shutil.rmtree(cache / "judged")
        forgotten = scanned(engine, tmp_path, there.address, "out", OLDER)
    assert facts(forgotten) == facts(other)
    assert files(forgotten) == files(other)


UNREAD = {
    "pay/prod": "no permission to read it",
    "part/prod": "no permission to read it",
    "night/QM3.mqsc": "no permission to read it",
    "night/_under.mqsc": "no permission to read it",
    "night/with blank.mqsc": "Spark could not read it: its log says why",
    "nohost": "the host does not exist",
    "noport": "the host does not answer",
    "noway": "Spark knows no file system of this kind",
    "package": "Spark lacks the package that reads this kind of file system",
    "nothing": "no file was found in it",
    "gone": "no such file or folder",
}
OLDER = "override: {target: {level: 9.2.0}}\n"
MORE = """\
  - {path: "webhdfs://nosuch.invalid:9870/x", name: nohost}
  - {path: "webhdfs://127.0.0.1:1/x", name: noport}
  - {path: "noway://host/x", name: noway}
  - {path: "s3a://bucket/x", name: package}
"""


@pytest.mark.spark
def test_what_cannot_be_read_is_told(
    lake: Path, on_disk: Scan, spark: SparkSession, tmp_path: Path
) -> None:
    with serving(lake) as there:
        there.forbidden = {"pay/prod", "night/QM3.mqsc", "night/_under.mqsc"}
        there.broken = {"night/with blank.mqsc"}
        nothing = f'  - {{path: "{there.address}/night/none*", name: nothing}}\n'
        found = scanned(SparkEngine(spark, 2), tmp_path, there.address, "out", MORE + nothing)
    assert reasons(found) == UNREAD
    lost = ("pay/", "part/", "ord/", "night/QM3", "night/_under", "night/with")
    assert facts(found, lost) == facts(on_disk, lost)


@pytest.mark.spark
def test_a_file_that_shrinks_or_goes_while_it_is_read_is_a_row(
    lake: Path, spark: SparkSession, tmp_path: Path
) -> None:
    changing = {"night/QM3.mqsc": "it changed while it was read"}
    with serving(lake) as there:
        there.shrunk, there.gone = {"night/QM3.mqsc"}, {"night/with blank.mqsc"}
        estate = tmp_path / "estate.yaml"
        estate.write_text(f'dumps:\n  - {{path: "{there.address}/night", name: night}}\n')
        options = ProjectOptions(no_cache=True)
        session = options.session((str(tmp_path),))
        plan = plan_of(estate, session, PolicyChoice(), tmp_path / "out", ())
        found = scan(SparkEngine(spark, 2), plan.sources, plan.configure, tmp_path / "out")
    unread = {path: reason for path, reason in reasons(found).items() if "inside" not in path}
    assert unread.keys() == {*changing, "night/with blank.mqsc"}
    assert unread["night/QM3.mqsc"] == changing["night/QM3.mqsc"]
    assert len([file for file in found.files() if file.status == "checked"]) > len(ODD) - 2


@pytest.mark.spark
@pytest.mark.huge
def test_a_server_that_goes_away_loses_no_row(
    lake: Path, on_disk: Scan, spark: SparkSession, tmp_path: Path
) -> None:
    with serving(lake) as there:
        there.ends_after = 14
        found = scanned(SparkEngine(spark, 2), tmp_path, there.address, "out")
        there.ends_after = None
        whole = scanned(SparkEngine(spark, 2), tmp_path, there.address, "out")
    wanted = {file.path for file in on_disk.files()}
    unread = reasons(found)
    assert len(unread) > 5
    told = {file.path for file in found.files()}
    assert [
        path for path in wanted - told if not any(path.startswith(reason) for reason in unread)
    ] == []
    assert facts(whole) == facts(on_disk)


@pytest.mark.spark
@pytest.mark.huge
def test_a_change_within_a_coarse_tick_is_seen(
    lake: Path, spark: SparkSession, tmp_path: Path
) -> None:
    """A file system that tells minutes only shows no change that keeps the length."""
    file = lake / "night" / "QM3.mqsc"
    os.utime(file)
    with serving(lake) as there:
        there.tick = 60_000
        first = scanned(SparkEngine(spark, 2), tmp_path, there.address, "out")
        file.write_text(DUMP.format("QM3").replace("MAXDEPHT(5)", "MAXDEPTH(5)"))
        second = scanned(SparkEngine(spark, 2), tmp_path, there.address, "out")
    gone = {finding.fingerprint for finding in first.findings} - {
        finding.fingerprint for finding in second.findings
    }
    assert len(gone) == 1


REFUSED = {
    'dumps: ["ftp://mq:geheim@host/x"]': "a password",
    'dumps: ["s3a://KEY:ge/heim@bucket/x"]': "a password",
    'dumps: ["abfs://c@a.dfs.core.windows.net/x?sv=1&sig=geheim"]': "a password",
    'dumps: ["file://other/x"]': "another machine",
    'repositories: ["hdfs://host/x/*"]': "name each of them",
    'repositories: [{path: "hdfs://host/x.git", ref: main}]': "git is read on paths only",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items())
def test_a_uri_that_cannot_be_right_is_refused(text: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, {"estate.yaml": text})
    words = ("estate", "scan", str(tmp_path / "estate.yaml"), "--out", str(tmp_path / "out"))
    done = CliRunner(env={"COLUMNS": "1000"}).invoke(main, [*words, "--engine=process"])
    assert done.exit_code == 2
    assert said in done.output
    assert "heim" not in done.output


@pytest.mark.parametrize("option", ["--out", "--cache", "--sarif"])
def test_nothing_is_written_to_a_uri(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"lake/a.mqsc": DUMP.format("QM1")})
    words = ["estate", "scan", str(tmp_path / "lake"), "--engine=process"]
    words += ["--out", str(tmp_path / "out"), option, "hdfs://mq:geheim@host/x"]
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    done = CliRunner().invoke(main, words)
    assert list(Path.cwd().iterdir()) == []
    assert done.exit_code == 2
    assert "a URI is not read or written here" in done.output
    assert "geheim" not in done.output


def test_without_spark_a_uri_is_a_row(lake: Path, tmp_path: Path) -> None:
    report = tmp_path / "found.json"
    write(tmp_path, {"estate.yaml": f'dumps: ["hdfs://host/x", "file:{lake}/night"]\n'})
    words = ["estate", "scan", str(tmp_path / "estate.yaml"), "--engine=process", "--quiet"]
    words += ["--out", str(tmp_path / "out"), f"--format=json={report}", "--exit-zero"]
    assert CliRunner().invoke(main, words).exit_code == 0
    found = json.loads(report.read_text("utf-8"))
    told = {load["path"]: load["reason"] for load in found["coverage"]["not_checked"]}
    assert told["x"] == "only Spark reads a path of this kind"
    assert "night/inside.zip/QM4.mqsc" in {load["path"] for load in found["findings"]}


LOST = "a block of the file is missing or corrupt"


@pytest.mark.spark
@pytest.mark.huge
def test_hdfs_is_read_as_a_disk_and_a_lost_block_is_a_row(
    lake: Path, on_disk: Scan, spark: SparkSession, tmp_path: Path
) -> None:
    engine = SparkEngine(spark, 2)
    (tmp_path / "hdfs").mkdir()
    with hdfs(tmp_path / "hdfs") as there:
        there.shell("-put", "-p", lake, "/lake")
        there.shell("-chown", "-R", getuser(), "/lake")
        base = f"{there.address}/lake"
        whole = scanned(engine, tmp_path, base, "whole")
        assert facts(whole) == facts(on_disk)
        assert files(whole) == files(on_disk)
        for lost in ("night/QM3.mqsc", "night/_under.mqsc", "ord/.mqlint.yaml"):
            there.block_of(lake / lost).unlink()
        block = there.block_of(lake / "night/with blank.mqsc")
        block.write_bytes(block.read_bytes().lower())
        there.shell("-chmod", "000", "/lake/pay/prod", "/lake/night/.dot.mqsc")
        found = scanned(engine, tmp_path, base, "out")
    forbidden = "no permission to read it"
    unread = reasons(found)
    assert "see ord/.mqlint.yaml" in (unread.pop("ord/dr/QM1/c.mqsc") or "")
    assert unread == {
        "pay/prod": forbidden,
        "part/prod": forbidden,
        "night/.dot.mqsc": forbidden,
        "ord/.mqlint.yaml": LOST,
        "night/QM3.mqsc": LOST,
        "night/_under.mqsc": LOST,
        "night/with blank.mqsc": LOST,
        "gone": "no such file or folder",
    }
    other = ("pay/", "part/", "ord/", "night/QM3", "night/_under", "night/.dot", "night/with")
    assert facts(found, other) == facts(on_disk, other)
