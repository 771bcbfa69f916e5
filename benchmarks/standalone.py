"""A Spark cluster on this machine: a master and two workers on the loopback interface.

The pip package has no scripts that start one, but its `spark-class` starts the same programs.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOME: Final = "127.0.0.1"
QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options for a Java that runs for a short time, or does little: it compiles quickly."""
PATIENCE: Final = 1800
"""Seconds after which a start is given up: many times what it takes on a machine of its own."""
_EXECUTOR: Final = b"CoarseGrainedExecutorBackend"
"""The class that Spark runs as an executor."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The address of a master, and its workers."""

    master: str
    master_log: Path
    workers: list[subprocess.Popen[bytes]]

    def executors(self) -> list[int]:
        """The processes of the executors that the workers run."""
        started = [child for worker in self.workers for child in children(worker.pid)]
        return [process for process in started if _EXECUTOR in _command_of(process)]

    def log(self) -> str:
        """What the master has written so far."""
        return self.master_log.read_text("utf-8")


def _command_of(process: int) -> bytes:
    """The command of a process; empty for one that has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


def children(parent: int) -> list[int]:
    """The processes that a process has started, where the system shows them as files.

    They may have ended: the shell that `spark-class` replaces by Java leaves one that has.
    """
    found: list[int] = []
    with suppress(OSError):
        for file in Path(f"/proc/{parent}/task").glob("*/children"):
            found += map(int, file.read_text().split())
    return found


def program(name: str) -> Path:
    """A program of the pip package's Spark."""
    import pyspark

    return Path(pyspark.__file__).parent / "bin" / name


@contextmanager
def started(place: Path) -> Iterator[Cluster]:
    """A master that has two workers of one core each; their logs and files are in `place`.

    RuntimeError with the log of the one that does not start.
    """
    with socket.create_server((HOME, 0)) as free:
        port = free.getsockname()[1]
    url = f"spark://{HOME}:{port}"
    with ExitStack() as stack:
        words = ("master.Master", "--port", str(port))
        master_log = place / "m.log"
        stack.enter_context(_running(master_log, "I have been elected", *words))
        workers = []
        for number in range(2):
            log, said = place / f"w{number}.log", "Successfully registered"
            given = ("--cores", "1", "--memory", "1g", "--work-dir", str(place / f"w{number}"))
            workers.append(stack.enter_context(_running(log, said, "worker.Worker", url, *given)))
        yield Cluster(url, master_log, workers)


@contextmanager
def _running(log: Path, said: str, name: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of Spark's own programs, from when it has said something until the block ends."""
    command = [str(program("spark-class")), f"org.apache.spark.deploy.{name}", *words]
    common = ["--host", HOME, "--webui-port", "0"]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*command, *common],
            env={**os.environ, "SPARK_DAEMON_JAVA_OPTS": QUICK},
            stdout=stream,
            stderr=stream,
        )
        try:
            deadline = time.monotonic() + PATIENCE
            while said not in (text := log.read_text("utf-8", "replace")):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{name} did not start: {text}")
                time.sleep(0.1)
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)
