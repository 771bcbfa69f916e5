"""A cluster of one master and one worker on this machine finds what one process finds."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.generate import generate_estate

pyspark = pytest.importorskip("pyspark")

pytestmark = [pytest.mark.spark, pytest.mark.slow]

HOME = "127.0.0.1"
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"


@contextmanager
def running(log: Path, said: str, name: str, *words: str) -> Iterator[None]:
    """One of Spark's own programs, from when it has said something until the block ends."""
    command = [str(SPARK_CLASS), f"org.apache.spark.deploy.{name}", *words]
    common = ["--host", HOME, "--webui-port", "0"]
    with log.open("wb") as stream:
        process = subprocess.Popen([*command, *common], stdout=stream, stderr=stream)
        try:
            deadline = time.monotonic() + 30
            while said not in log.read_text("utf-8", "replace"):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            process.wait(20)


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The address of a master that has one worker."""
    with socket.create_server((HOME, 0)) as free:
        port = free.getsockname()[1]
    url = f"spark://{HOME}:{port}"
    place = ("--cores", "2", "--memory", "1g", "--work-dir", str(tmp_path / "work"))
    with (
        running(tmp_path / "m.log", "I have been elected", "master.Master", "--port", str(port)),
        running(tmp_path / "w.log", "Successfully registered", "worker.Worker", url, *place),
    ):
        yield url


def test_cluster_finds_the_same(master: str, tmp_path: Path) -> None:
    folder = generate_estate(tmp_path / "estate", 4, 1)
    mqlint = [sys.executable, "-m", "mqlint"]
    common = [str(folder), "--fail-on", "never", "--format"]
    scan = [*mqlint, "estate", "scan", "--out", "out", "--master", master, *common]
    check = [*mqlint, "check", *common]
    for command, report in ((scan, "scan.json"), (check, "check.json")):
        done = subprocess.run(
            [*command, f"json={report}"], cwd=tmp_path, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stderr
    found, wanted = (
        json.loads((tmp_path / one).read_text()) for one in ("scan.json", "check.json")
    )
    assert found == wanted
    assert found["findings"]
