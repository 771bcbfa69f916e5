"""What becomes of a run when a process of it dies, or a document is too much for it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.process.runs import BAD, PATIENCE, SCRIPT, children_of, end, environment, is_alive, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

DATA = 320 << 20
TOO_MUCH = "* a snowman \U0001f600\n" + "*" * (60 << 20)
"""A comment of which each sign takes four bytes in memory: a document of 60 MB takes 240."""


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    """Files that keep two processes busy for a while."""
    folder = tmp_path / "estate"
    folder.mkdir()
    for number in range(40):
        (folder / f"small{number:02}.mqsc").write_text(BAD)
    text = "DEFINE QLOCAL(ORDERS) REPLACE MAXDEPTH(5)\n" * 30_000
    for number in (1, 18, 33):
        (folder / f"small{number:02}.mqsc").write_text(text + BAD)
    return folder


def checked(words: Sequence[str], cwd: Path, home: Path, limit: int | None = None) -> object:
    """What a check reports, with at most `limit` bytes of memory for each process."""

    def limited() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    words = [str(SCRIPT), "check", ".", "--format", "json", *words]
    done = run(words, cwd, environment(home), setup=limited)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def started(home: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts mqlint, and ends it and its children after the test."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(*words: str, cwd: Path, **more: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [str(SCRIPT), *words],
            cwd=cwd,
            env=environment(home, **more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        end({process.pid} | children_of(process.pid))
        process.communicate()


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)  # each look reads all of /proc


def test_killed_processes_cost_no_result(
    estate: Path, home: Path, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    wanted = checked((), estate, home)
    process = started("check", ".", "--format", "json", "--jobs", "2", cwd=estate)
    wait_for(lambda: len(children_of(process.pid)) == 2)
    time.sleep(0.5)  # so that they are at something
    for child in children_of(process.pid):
        os.kill(child, signal.SIGKILL)
    assert json.loads(process.communicate(timeout=PATIENCE)[0]) == wanted


def ignore_children() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def allow_few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))


def allow_no_process() -> None:
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


@pytest.mark.parametrize("setup", [ignore_children, allow_few_files, allow_no_process])
def test_what_a_process_inherits_costs_no_result(
    setup: Callable[[], None], tmp_path: Path, home: Path
) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.mqsc").write_text(BAD)
    words = [str(SCRIPT), "check", str(tmp_path), "--format", "json", "--jobs"]
    wanted = run([*words, "1"], tmp_path, environment(home))
    done = run([*words, "12"], tmp_path, environment(home), setup=setup)
    assert (done.stderr, done.stdout) == (wanted.stderr, wanted.stdout)
    assert done.returncode == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_document_that_takes_all_memory_costs_that_document(
    estate: Path, home: Path, jobs: str
) -> None:
    (estate / "more.mqsc").write_text(TOO_MUCH)
    report = checked(("--jobs", jobs), estate, home, DATA)
    assert isinstance(report, Mapping)
    assert report["coverage"]["not_checked"] == [
        {
            "path": "more.mqsc",
            "status": "unreadable",
            "reason": "reading it needs more memory than allowed for its size",
        }
    ]
    assert len(report["findings"]) == 40


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT], ids=str
)
def test_no_process_outlives_the_one_that_started_it(
    estate: Path,
    started: Callable[..., subprocess.Popen[bytes]],
    number: signal.Signals,
) -> None:
    process = started("check", ".", "--jobs", "2", cwd=estate)
    wait_for(lambda: len(children_of(process.pid)) == 2)
    children = children_of(process.pid)
    process.send_signal(number)
    process.wait(PATIENCE)
    try:
        wait_for(lambda: not any(map(is_alive, children)))
    finally:
        end(children)


@pytest.mark.spark
@pytest.mark.long  # `make test` sends SIGINT, in tests/estate/test_estate.py
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=str)
def test_spark_ends_with_mqlint(
    estate: Path,
    tmp_path: Path,
    started: Callable[..., subprocess.Popen[bytes]],
    number: signal.Signals,
) -> None:
    words = ("estate", "scan", ".", "--quiet", "--master", "local[2]")
    process = started(*words, "--out", str(tmp_path / "out"), cwd=estate)
    wait_for(lambda: _has_workers(process))
    children = children_of(process.pid)
    process.send_signal(number)
    process.wait(PATIENCE)
    try:
        wait_for(lambda: not any(map(is_alive, children)))
    finally:
        end(children)


@pytest.mark.spark
@pytest.mark.long
def test_a_java_that_starts_ends_with_mqlint(
    estate: Path, tmp_path: Path, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    words = ("estate", "scan", ".", "--quiet", "--master", "local[1]")
    process = started(*words, "--out", str(tmp_path / "out"), cwd=estate)
    wait_for(lambda: any(map(_is_gateway, children_of(process.pid))))
    (java,) = filter(_is_gateway, children_of(process.pid))
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    try:
        wait_for(lambda: not is_alive(java))
    finally:
        end({java})


def _is_gateway(process: int) -> bool:
    """Whether it is the Java that pyspark starts, not the shell or the Java that look for it."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    program, *words = command.split(b"\0")
    is_java = program.endswith(b"/java") and b"org.apache.spark.launcher.Main" not in words
    return is_java and b"pyspark-shell" in words


def _pythons_of_spark(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that run tasks of Spark, and the one that they are forked from, first."""
    found = []
    for child in sorted(children_of(process.pid)):
        with suppress(OSError):
            if b"pyspark.daemon" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def _has_workers(process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None
    return len(_pythons_of_spark(process)) >= 2


@pytest.mark.spark
@pytest.mark.long
def test_a_killed_process_of_spark_costs_no_result(
    estate: Path,
    home: Path,
    tmp_path: Path,
    started: Callable[..., subprocess.Popen[bytes]],
) -> None:
    wanted = checked((), estate, home)
    assert isinstance(wanted, Mapping)
    words = ("estate", "scan", ".", "--quiet", "--master", "local[2]", "--format", "json")
    process = started(*words, "--out", str(tmp_path / "out"), cwd=estate)
    wait_for(lambda: _has_workers(process))
    time.sleep(0.5)
    for child in _pythons_of_spark(process)[1:]:
        os.kill(child, signal.SIGKILL)
    report = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert report["findings"] == wanted["findings"]
