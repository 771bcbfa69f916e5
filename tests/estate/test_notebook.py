"""`mqlint.estate.scan`: from Python, in the caller's session."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
from pyspark.sql import SparkSession

import mqlint.estate
from mqlint.estate.spark.cluster import SparkEngine
from mqlint.estate.spark.session import SessionError, configuration, session
from mqlint.estate.tables.batches import Batches, InputBatches, Stage
from tests.files import write

ESTATE = {
    "mqlint.yaml": 'queue_managers: "{queue_manager}/*"\n',
    "QM1/a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\nDEFINE QLOCAL(B) MAXDEPTH(5)\n",
    "QM2/a.mqsc": "DEFINE QLOCAL(A) BOQNAME(GONE)\n",
}
CONNECT = """\
import sys, mqlint.estate
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote("local[1]").getOrCreate()
done = mqlint.estate.scan(spark, *sys.argv[1:])
print(sorted(finding.fingerprint for finding in done.findings))
print(spark.read.parquet(done.path("findings")).count())
"""


def fingerprints(done: mqlint.estate.EstateScan) -> list[str]:
    return sorted(finding.fingerprint for finding in done.findings)


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("notebook") / "estate", ESTATE)


@pytest.fixture(scope="module")
def alone(estate: Path) -> mqlint.estate.EstateScan:
    return mqlint.estate.scan(None, estate, estate.parent / "out")


def test_scan_in_this_process(alone: mqlint.estate.EstateScan) -> None:
    assert alone.status == 1
    assert {"VOC002"} <= {finding.rule.id for finding in alone.findings}
    assert alone.tables["findings"] == len(alone.findings)
    assert Path(alone.path("judgements")).is_dir()
    assert alone.verdicts["pass"] > 0
    assert "in 2 files" in alone.summary


@pytest.mark.parametrize(
    ("estate_name", "select", "reason"),
    [
        ("gone", (), "gone does not exist"),
        ("estate", ("NOPE",), "rule or group 'NOPE' does not exist"),
    ],
)
def test_scan_that_cannot_be_done_raises(
    estate: Path, estate_name: str, select: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(mqlint.estate.ScanError, match=reason):
        mqlint.estate.scan(None, estate.parent / estate_name, estate.parent / "out", select=select)


def test_a_password_in_the_uri_of_tables_raises_and_is_not_shown(estate: Path) -> None:
    with pytest.raises(mqlint.estate.ScanError, match="passwords are for") as raised:
        mqlint.estate.scan(None, estate, "s3://ada:geheim@tables/mq")
    assert "geheim" not in str(raised.value)


@pytest.mark.spark
def test_scan_by_a_given_session(
    spark: SparkSession, estate: Path, alone: mqlint.estate.EstateScan, tmp_path: Path
) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        done = mqlint.estate.scan(spark, estate, tmp_path / "out")
        assert spark.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert fingerprints(done) == fingerprints(alone)
    assert done.verdicts == alone.verdicts
    assert spark.read.parquet(done.path("findings")).count() == len(done.findings)


@pytest.mark.spark
def test_a_scan_that_fails_leaves_nothing_in_the_session(
    spark: SparkSession, estate: Path, tmp_path: Path
) -> None:
    (tmp_path / "out" / "scan.json").mkdir(parents=True)
    context = spark.sparkContext._jsc
    before = context.getPersistentRDDs().size()
    with pytest.raises(mqlint.estate.ScanError, match="is a directory"):
        mqlint.estate.scan(spark, estate, tmp_path / "out")
    assert context.getPersistentRDDs().size() == before


@pytest.mark.spark
@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_the_jobs_of_spark(spark: SparkSession, tmp_path: Path) -> None:
    schema = pa.schema([pa.field("row", pa.int64())])

    def work(given: InputBatches) -> Batches:
        for batch in given:
            (tmp_path / "begun").touch()
            time.sleep(60)
            (tmp_path / "done").touch()
            yield batch

    def interrupt() -> None:
        while not (tmp_path / "begun").exists():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    frame = SparkEngine(spark).frame(spark.range(1).withColumnRenamed("id", "row"))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            list(frame.through(Stage(schema, work)).batches())
    finally:
        signal.signal(signal.SIGINT, before)
        thread.join()
    assert not (tmp_path / "done").exists()


@pytest.mark.spark
@pytest.mark.long
def test_scan_by_spark_connect(
    estate: Path, alone: mqlint.estate.EstateScan, tmp_path: Path
) -> None:
    """Needs `pip install 'pyspark[connect]'`, which the extra `dev` has in parts."""
    pytest.importorskip("grpc")
    pytest.importorskip("zstandard")
    done = subprocess.run(
        [sys.executable, "-c", CONNECT, str(estate), str(tmp_path / "out")],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )
    found, rows = done.stdout.splitlines()[-2:]
    assert found == str(fingerprints(alone))
    assert int(rows) == len(alone.findings)


@pytest.mark.parametrize(
    ("master", "reason"),
    [
        ("spark://127.0.0.1:1", "no master answers (127.0.0.1:1: "),
        ("spark://127.0.0.1:1,127.0.0.1:2", "; 127.0.0.1:2: "),
        ("spark://127.0.0.1", "127.0.0.1 is not HOST:PORT"),
    ],
)
def test_master_that_does_not_answer_is_named(master: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(SessionError) as refused, session(master, log=tmp_path / "log"):
        pass
    assert reason in str(refused.value)


def test_settings_of_the_user_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    names = ("spark.driver.memory", "spark.ui.enabled", "spark.app.name", "spark.driver.host")
    before = configuration("local[2]", tmp_path)
    assert all(before.contains(name) for name in names)
    lines = f"{names[0]}  6g\n {names[1]}=true\n#{names[2]} x\n{names[3]}:h\n"
    (tmp_path / "spark-defaults.conf").write_text(lines)
    after = configuration("local[2]", tmp_path)
    assert [after.contains(name) for name in names] == [False, False, True, False]
