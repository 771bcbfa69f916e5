"""A cluster of one master and two workers on this machine finds what one process finds.

It does so too when the driver, an executor or a worker is killed in the middle.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.generate import generate_estate
from benchmarks.standalone import PATIENCE, QUICK, Cluster, started

pytest.importorskip("pyspark")

from mqlint.estate.history.store import NoScanError, latest
from tests.estate.estates import as_folder
from tests.estate.test_inputs import corrupt
from tests.files import write

pytestmark = [pytest.mark.spark, pytest.mark.slow]

COLLIDING = 42
"""The seed of an estate some of whose DR queue managers collide with production."""


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
SCAN = ("--out", "out", "--exit-zero", "--format", "json=scan.json")


@dataclass(frozen=True)
class Estate:
    """A folder, and the report of what one process finds in it."""

    folder: Path
    report: Mapping[str, Any]


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> Estate:
    work = tmp_path_factory.mktemp("standalone")
    folder = generate_estate(work / "estate", 24, COLLIDING)
    words = ("check", str(folder), "--exit-zero", "--format", "json=check.json")
    subprocess.run([*MQLINT, *words], cwd=work, check=True, timeout=PATIENCE)
    return Estate(folder, json.loads((work / "check.json").read_text()))


def scanned(
    estate: Estate,
    cluster: Cluster,
    work: Path,
    sign: str = "",
    disturb: Callable[[Cluster], None] = lambda cluster: None,
) -> Mapping[str, Any]:
    """The report of a scan on the cluster, disturbed once a file fits `sign` in its cache."""
    with scanning(*scan_of(estate.folder, cluster, work), work, sign) as scan:
        disturb(cluster)
        return report_of(scan, work)


def scan_of(folder: Path, cluster: Cluster, work: Path) -> tuple[list[str], dict[str, str]]:
    """A command that scans a folder on the cluster, and its environment."""
    settings = {"spark-defaults.conf": f"spark.executor.extraJavaOptions {QUICK}\n"}
    command = [*MQLINT, "estate", "scan", str(folder), *SCAN, "--master", cluster.master]
    return command, {**os.environ, "SPARK_CONF_DIR": str(write(work / "settings", settings))}


@contextmanager
def scanning(
    command: Sequence[str], env: Mapping[str, str], work: Path, sign: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A scan in the folder `work` that runs, and has come so far that a file fits `sign`."""
    with (
        (work / "log").open("wb") as log,
        subprocess.Popen(command, cwd=work, env=env, stdout=log, stderr=subprocess.STDOUT) as scan,
    ):
        deadline = time.monotonic() + PATIENCE
        while sign and not list((work / "out" / "cache").glob(sign)):
            assert scan.poll() is None, (work / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield scan


def report_of(scan: subprocess.Popen[bytes], work: Path) -> Mapping[str, Any]:
    """What a scan has found once it ends."""
    assert scan.wait(PATIENCE) == 0, (work / "log").read_text()
    report: Mapping[str, Any] = json.loads((work / "scan.json").read_text("utf-8"))
    return report


def kill_an_executor(cluster: Cluster) -> None:
    """Kill one, and wait until the master misses it: else the scan may end before it is missed."""
    missed = cluster.log().count(EXITED)
    os.kill(cluster.executors()[0], signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while cluster.log().count(EXITED) == missed:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def kill_a_worker(cluster: Cluster) -> None:
    cluster.workers[0].kill()


PARSING, JUDGING = "facts/*/*", "judged/*/*"
EXITED = "because it is EXITED"
"""What a master writes of an executor that ended."""
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


@pytest.mark.long
def test_cluster_finds_the_same(estate: Estate, shared: Cluster, tmp_path: Path) -> None:
    assert scanned(estate, shared, tmp_path) == estate.report


@pytest.fixture(scope="module")
def harmed(tmp_path_factory: pytest.TempPathFactory, estate: Estate) -> Estate:
    """An estate of repositories of which one alone is as it should be."""
    work = tmp_path_factory.mktemp("harmed")
    odd = as_folder(
        work / "odd", {'prod/QM1/it\'s "odd"\n日本 é.mqsc': "DEFINE QLOCAL(A) MAXDEPHT(5)\n"}
    )
    with (odd / "prod" / "QM1" / "large.mqsc").open("wb") as large:
        large.truncate(200 << 20)
    places = (estate.folder, odd, corrupt(work / "corrupt"), work / "gone")
    listing = work / "estate.yaml"
    listing.write_text(
        "repositories:\n" + "".join(f"  - {json.dumps(str(place))}\n" for place in places)
    )
    words = ("estate", "scan", str(listing), "--out", "out", "--engine=process", "--quiet")
    told = ("--exit-zero", "--format", "json=process.json")
    subprocess.run([*MQLINT, *words, *told], cwd=work, check=True, timeout=PATIENCE)
    return Estate(listing, json.loads((work / "process.json").read_text()))


@pytest.mark.long
def test_cluster_says_what_cannot_be_read(harmed: Estate, shared: Cluster, tmp_path: Path) -> None:
    found = scanned(harmed, shared, tmp_path)
    assert found == harmed.report
    unread = {one["path"] for one in found["coverage"]["not_checked"] if one["reason"]}
    assert {"corrupt", "gone", "odd/prod/QM1/large.mqsc"} <= unread
    assert any("日本 é" in one["path"] for one in found["findings"])


@pytest.mark.long
def test_a_repository_that_vanishes_is_missed_alone(
    estate: Estate, shared: Cluster, tmp_path: Path
) -> None:
    odd = as_folder(
        tmp_path / "going", {f"QM{n}/a.mqsc": f"DEFINE QLOCAL(A{n})\n" for n in range(99)}
    )
    listing = tmp_path / "estate.yaml"
    listing.write_text(f"repositories:\n  - {estate.folder}\n  - {odd}\n")
    going = Estate(listing, {})
    found = scanned(going, shared, tmp_path, PARSING, lambda cluster: shutil.rmtree(odd))
    own = [one for one in found["findings"] if one["path"].startswith("estate/")]
    assert len(own) == len(estate.report["findings"])


@pytest.mark.long
def test_a_driver_that_is_killed_leaves_nothing_half(
    estate: Estate, shared: Cluster, tmp_path: Path
) -> None:
    with scanning(*scan_of(estate.folder, shared, tmp_path), tmp_path, JUDGING) as scan:
        scan.kill()
    assert not (tmp_path / "scan.json").exists()
    with pytest.raises(NoScanError):
        latest(tmp_path / "out")
    assert scanned(estate, shared, tmp_path) == estate.report


@needs_proc
@pytest.mark.long
def test_a_worker_that_is_killed_loses_nothing(
    estate: Estate, shared: Cluster, tmp_path: Path
) -> None:
    assert scanned(estate, shared, tmp_path, PARSING, kill_a_worker) == estate.report


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
