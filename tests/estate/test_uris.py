"""An estate at URIs: what a file system elsewhere has is read as if it were on a disk.

Object stores are in test_object_store.py. A real HDFS takes a download of 200 MB.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from getpass import getuser
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.estate.plan import plan_of

pytest.importorskip("pyspark")

from pyarrow.fs import LocalFileSystem
from pyspark.sql import SparkSession

from mqlint.estate.io.objects import object_rows
from mqlint.estate.io.sources import FOLDERS, Source
from mqlint.estate.io.store import ArrowStore, RemoteFile, host_and_path, read_object, reason_of
from mqlint.estate.scanning import scan
from mqlint.estate.spark.cluster import SparkEngine
from mqlint.estate.stages.frame import Engine
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan
from mqlint.source.read import Unreadable
from tests.estate.estates import as_tape, as_zip
from tests.estate.hdfs import hdfs
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


def scanned(
    engine: Engine, place: Path, base: str, out: str, more: str = "", folders: int = FOLDERS
) -> Scan:
    estate = place / f"{out}.yaml"
    estate.write_text(ESTATE.format(base) + more)
    plan = plan_of(
        estate,
        ProjectOptions(no_cache=True).session((str(place),)),
        PolicyChoice(),
        place / out,
        (),
    )
    sources = [replace(source, folders=folders) for source in plan.sources]
    return scan(engine, sources, plan.configure, place / out)


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


FORBIDDEN = "no permission to read it"
LOST = "a block of the file is missing or corrupt"
KIND = "mqlint reads no file system of this kind: hdfs, s3, gs and abfs are read"
UNREAD = {
    "noport": "the host does not answer",
    "nohost": "the host does not exist",
    "noway": KIND,
    "gone": "no such file or folder",
}
MORE = """\
  - {path: "hdfs://127.0.0.1:1/x", name: noport}
  - {path: "hdfs://nosuch.invalid:8020/x", name: nohost}
  - {path: "ftp://127.0.0.1/x", name: noway}
"""
BROKEN = {
    'RPCError("org.apache.hadoop.security.AccessControlException", "user=ada")': (
        "no permission to read it"
    ),
    'RPCError("org.apache.hadoop.ipc.RetriableException", "geheim")': (
        "HDFS cannot read it (RetriableException)"
    ),
    'DataTransferError("All DataNodes failed: [DatanodeInfoProto { id: 7 }]")': LOST,
    "ChecksumError": LOST,
    'InternalError("geheim")': "HDFS cannot read it (InternalError)",
}


@pytest.mark.parametrize(("text", "reason"), BROKEN.items())
def test_what_a_name_node_answers_is_said_in_few_words(text: str, reason: str) -> None:
    assert reason_of(RuntimeError(text)) == reason


@pytest.mark.slow
def test_no_more_of_a_file_is_read_than_its_listing_says(tmp_path: Path) -> None:
    path = tmp_path / "grows.mqsc"
    path.write_bytes(b"DEFINE")
    store = ArrowStore(LocalFileSystem())
    listed = store.file(str(path))
    assert listed is not None
    assert read_object(store, listed, 6) == b"DEFINE"
    path.write_bytes(b"DEFINE QLOCAL(A)")
    assert store.bytes_of(str(path), 7) == b"DEFINE "
    assert isinstance(read_object(store, listed, 100), Unreadable)
    assert isinstance(read_object(store, RemoteFile(str(path), 16, 0), 15), Unreadable)


@pytest.mark.slow
def test_what_does_not_answer_is_a_row(lake: Path, on_disk: Scan, tmp_path: Path) -> None:
    found = scanned(LocalEngine(tmp_path), tmp_path, str(lake), "out", MORE)
    assert reasons(found) == UNREAD
    assert facts(found) == facts(on_disk)


def test_a_client_that_is_not_installed_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hdfs_native", None)
    [row] = object_rows(Source("x", "uri", "hdfs://127.0.0.1:1/x"))
    assert "pip install 'mqlint[hdfs]'" in row.detail


ADDRESSES = {
    "hdfs://mq:8020/a b/%20/": ("mq:8020", "/a b/%20"),
    "hdfs:/a": ("", "/a"),
    "hdfs:///a": ("", "/a"),
    "hdfs://home": ("home", "/"),
}


@pytest.mark.parametrize(("uri", "place"), ADDRESSES.items())
def test_the_host_and_the_path_of_a_uri(uri: str, place: tuple[str, str]) -> None:
    assert host_and_path(uri) == place


REFUSED = {
    'dumps: ["hdfs://mq:geheim@host/x"]': "a password",
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


@pytest.mark.spark
@pytest.mark.huge
def test_hdfs_is_read_as_a_disk_and_a_lost_block_is_a_row(
    lake: Path, on_disk: Scan, spark: SparkSession, tmp_path: Path
) -> None:
    engines: dict[str, Engine] = {"here": LocalEngine(tmp_path), "spark": SparkEngine(spark, 2)}
    (tmp_path / "hdfs").mkdir()
    with hdfs(tmp_path / "hdfs") as there:
        there.shell("-put", "-p", lake, "/lake")
        there.shell("-chown", "-R", getuser(), "/lake")
        base = f"{there.address}/lake"
        for name, engine in engines.items():
            whole = scanned(engine, tmp_path, base, name)
            assert facts(whole) == facts(on_disk)
            assert files(whole) == files(on_disk)
            again = scanned(engine, tmp_path, base, name)
            assert (again.counts.read, again.counts.parsed, again.counts.judged) == (0, 0, 0)
        parts = scanned(engines["spark"], tmp_path, base, "parts", folders=1)
        assert facts(parts) == facts(on_disk)
        assert files(parts) == files(on_disk)
        for lost in ("night/QM3.mqsc", "night/_under.mqsc", "ord/.mqlint.yaml"):
            there.block_of(lake / lost).unlink()
        block = there.block_of(lake / "night/with blank.mqsc")
        block.write_bytes(block.read_bytes().lower())
        there.shell("-chmod", "000", "/lake/pay/prod", "/lake/night/.dot.mqsc")
        found = {
            name: scanned(engine, tmp_path, base, f"lost-{name}")
            for name, engine in engines.items()
        }
        found["parts"] = scanned(engines["spark"], tmp_path, base, "lost-parts", folders=1)
    other = ("pay/", "part/", "ord/", "night/QM3", "night/_under", "night/.dot", "night/with")
    for scan_of_some in found.values():
        unread = reasons(scan_of_some)
        assert LOST in (unread.pop("ord/.mqlint.yaml") or "")
        assert "see ord/.mqlint.yaml" in (unread.pop("ord/dr/QM1/c.mqsc") or "")
        assert unread == {
            "pay/prod": FORBIDDEN,
            "part/prod": FORBIDDEN,
            "night/.dot.mqsc": FORBIDDEN,
            "night/QM3.mqsc": LOST,
            "night/_under.mqsc": LOST,
            "night/with blank.mqsc": LOST,
            "gone": "no such file or folder",
        }
        assert facts(scan_of_some, other) == facts(on_disk, other)
