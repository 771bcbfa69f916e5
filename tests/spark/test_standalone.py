"""A cluster of one master and two workers on this machine finds what one process finds.

It does so too when an executor or a worker is killed in the middle.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.generate import generate_estate

pyspark = pytest.importorskip("pyspark")

pytestmark = [pytest.mark.spark, pytest.mark.slow]

HOME = "127.0.0.1"
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
PATIENCE = 400
"""Seconds after which a test is given up: many times what it takes on a machine of its own."""

COLLIDING = 42
"""The seed of an estate some of whose DR queue managers collide with production."""


@contextmanager
def running(log: Path, said: str, name: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of Spark's own programs, from when it has said something until the block ends."""
    command = [str(SPARK_CLASS), f"org.apache.spark.deploy.{name}", *words]
    common = ["--host", HOME, "--webui-port", "0"]
    with log.open("wb") as stream:
        process = subprocess.Popen([*command, *common], stdout=stream, stderr=stream)
        try:
            deadline = time.monotonic() + PATIENCE
            while said not in log.read_text("utf-8", "replace"):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
            yield process
        finally:
            process.terminate()
            process.wait(20)


@dataclass(frozen=True)
class Cluster:
    """The address of a master, and its workers."""

    master: str
    workers: list[subprocess.Popen[bytes]]

    def executors(self) -> list[int]:
        """The processes that the workers have started."""
        return [child for worker in self.workers for child in children(worker.pid)]


def children(parent: int) -> list[int]:
    """The processes that a process has started, where the system shows them as files."""
    found: list[int] = []
    with suppress(OSError):
        for file in Path(f"/proc/{parent}/task").glob("*/children"):
            found += map(int, file.read_text().split())
    return found


@contextmanager
def started(place: Path) -> Iterator[Cluster]:
    """A master that has two workers."""
    with socket.create_server((HOME, 0)) as free:
        port = free.getsockname()[1]
    url = f"spark://{HOME}:{port}"
    with ExitStack() as stack:
        words = ("master.Master", "--port", str(port))
        stack.enter_context(running(place / "m.log", "I have been elected", *words))
        workers = []
        for number in range(2):
            log, said = place / f"w{number}.log", "Successfully registered"
            given = ("--cores", "1", "--memory", "1g", "--work-dir", str(place / f"w{number}"))
            workers.append(stack.enter_context(running(log, said, "worker.Worker", url, *given)))
        yield Cluster(url, workers)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for the tests that leave something of it."""
    with started(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster for a test that may break it."""
    with started(tmp_path) as cluster:
        yield cluster


MQLINT = (sys.executable, "-m", "mqlint")


@dataclass(frozen=True)
class Estate:
    """A folder, and the report of what one process finds in it."""

    folder: Path
    report: object


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> Estate:
    work = tmp_path_factory.mktemp("standalone")
    folder = generate_estate(work / "estate", 24, COLLIDING)
    words = ("check", str(folder), "--fail-on", "never", "--format", "json=check.json")
    subprocess.run([*MQLINT, *words], cwd=work, check=True, timeout=100)
    return Estate(folder, json.loads((work / "check.json").read_text()))


def scanned(
    estate: Estate,
    cluster: Cluster,
    work: Path,
    sign: str = "",
    disturb: Callable[[Cluster], None] = lambda cluster: None,
) -> object:
    """The report of a scan on the cluster, disturbed once a file fits `sign` in its cache."""
    words = ("--master", cluster.master, "--fail-on", "never", "--format", "json=scan.json")
    command = [*MQLINT, "estate", "scan", str(estate.folder), "--out", "out", *words]
    with subprocess.Popen(command, cwd=work, stderr=subprocess.PIPE, text=True) as scan:
        deadline = time.monotonic() + PATIENCE
        while sign and not list((work / "out" / "cache").glob(sign)):
            assert scan.poll() is None, scan.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        disturb(cluster)
        said = scan.communicate(timeout=PATIENCE)[1]
    assert scan.returncode == 0, said
    return json.loads((work / "scan.json").read_text())


def kill_an_executor(cluster: Cluster) -> None:
    os.kill(cluster.executors()[0], signal.SIGKILL)


def kill_a_worker(cluster: Cluster) -> None:
    cluster.workers[0].kill()


PARSING, JUDGING = "facts/*/*", "judged/*/*"
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


def test_cluster_finds_the_same(estate: Estate, shared: Cluster, tmp_path: Path) -> None:
    assert scanned(estate, shared, tmp_path) == estate.report


@needs_proc
@pytest.mark.parametrize(
    "disturb", [kill_an_executor, pytest.param(kill_a_worker, marks=pytest.mark.huge)]
)
def test_what_is_killed_loses_nothing(
    disturb: Callable[[Cluster], None], estate: Estate, shared: Cluster, tmp_path: Path
) -> None:
    assert scanned(estate, shared, tmp_path, PARSING, disturb) == estate.report


@needs_proc
@pytest.mark.huge
@pytest.mark.parametrize("disturb", [kill_an_executor, kill_a_worker])
@pytest.mark.parametrize("sign", [PARSING, JUDGING])
@pytest.mark.parametrize("turn", range(3))
def test_it_does_so_time_and_again(
    turn: int,
    disturb: Callable[[Cluster], None],
    sign: str,
    estate: Estate,
    cluster: Cluster,
    tmp_path: Path,
) -> None:
    assert scanned(estate, cluster, tmp_path, sign, disturb) == estate.report
