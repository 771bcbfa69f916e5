"""A process and all that it starts, with what they cost: needs the /proc of Linux."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Final

INTERVAL: Final = 0.25
"""Seconds between two looks at the processes."""

_LOOP: Final = 12_000
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and all that it started took.

    Seconds of wall and of CPU (user and system), the latter also of Java and of all else alone;
    bytes: the most that all had in memory at one moment (pages that they share count for each),
    and the most that the process itself, and its Java, had. `pace` is the mean time that a fixed
    small loop took meanwhile, in seconds: a shared machine is not as fast at all times.
    """

    wall: float
    cpu: float
    java_cpu: float
    python_cpu: float
    peak: int
    own_peak: int
    java_peak: int
    pace: float


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended: its exit status, what it said on both streams, what it took."""

    status: int
    said: str
    usage: Usage


def run(command: Sequence[str], log: Path, more: Mapping[str, str] | None = None) -> Ended:
    """Run a command to its end, with `more` in its environment; what it says goes to `log`."""
    with log.open("wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(more or {})},
            start_new_session=True,
        )
        try:
            watch = _watched(process.pid)
            wall = time.perf_counter() - start
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    said = log.read_text("utf-8", "replace")
    return Ended(process.returncode, said, watch.usage(wall, used.ru_utime + used.ru_stime))


def _watched(pid: int) -> _Watch:
    """Look at a session of processes until its first one ends."""
    watch = _Watch(pid)
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        watch.look()
        time.sleep(INTERVAL)
    watch.look()
    return watch


@dataclass(slots=True)
class _Watch:
    """What was seen of the session that `leader` leads; CPU seconds are by kind and process."""

    leader: int
    java: dict[tuple[int, str], float] = field(default_factory=dict)
    other: dict[tuple[int, str], float] = field(default_factory=dict)
    peak: int = 0
    own_peak: int = 0
    java_peak: int = 0
    paces: list[float] = field(default_factory=list)

    def look(self) -> None:
        """Look at all processes of the session once."""
        resident = 0
        for entry in _PROC.iterdir():
            # A process may end at any moment between two calls.
            with suppress(OSError):
                if entry.name.isdigit() and os.getsid(int(entry.name)) == self.leader:
                    resident += self._seen(int(entry.name))
        self.peak = max(self.peak, resident)
        self.paces.append(_pace())

    def _seen(self, pid: int) -> int:
        """Note one process and return the bytes that it has in memory."""
        head, _, tail = (_PROC / str(pid) / "stat").read_text().rpartition(")")
        is_java, words = head.endswith("(java"), tail.split()
        spent = (int(words[11]) + int(words[12])) / _TICKS
        (self.java if is_java else self.other)[pid, words[19]] = spent
        if is_java:
            self.java_peak = max(self.java_peak, _most(pid))
        if pid == self.leader:
            self.own_peak = max(self.own_peak, _most(pid))
        return int(words[21]) * _PAGE

    def usage(self, wall: float, reaped: float) -> Usage:
        """The sum; `reaped` is what the system counted for those that were waited for.

        Neither count has all: a look misses what comes after it, and nobody waits for the
        Pythons that a Java leaves.
        """
        java, other = sum(self.java.values()), sum(self.other.values())
        cpu = max(java + other, reaped)
        memory = self.peak, self.own_peak, self.java_peak
        return Usage(wall, cpu, java, cpu - java, *memory, mean(self.paces))


def _pace() -> float:
    """The seconds of a core that a fixed loop takes now, about two thousandths."""
    _loop()  # a core that was idle is slow at first
    start = time.thread_time()
    _loop()
    return time.thread_time() - start


def _loop() -> None:
    known = {}
    for number in range(_LOOP):
        known[number % 100] = str(number)


def _most(pid: int) -> int:
    """The most memory that a process has had, in bytes; 0 of one that has ended."""
    for line in (_PROC / str(pid) / "status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0
