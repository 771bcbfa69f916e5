"""What one execution may cost: time, memory, and steps where time says nothing."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS = 1.0
"""Processor seconds of one execution in a campaign."""
INSTRUMENTED = 2.0
"""How many times as long a program takes whose edges are counted."""
MEMORY = 1 << 30
"""Bytes that all executions of a sitting may take beyond what is loaded."""
TIMES_THE_INPUT = 50
"""Bytes for each byte of the input, beyond those of an empty one."""
SLACK = 1 << 20
"""Bytes that do not count: tables that are built once, whatever the input."""
CALLS, CALLS_A_BYTE = 3_000_000, 3_000
"""Calls of functions that one execution may make, and more for each byte of its input."""


class OverBudgetError(BaseException):
    """An execution costs too much. No handler of errors in the program may hide it."""


@contextmanager
def timed(seconds: float) -> Iterator[None]:
    """Stop with OverBudgetError what takes more processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise OverBudgetError(f"it takes more than {seconds:.0f} s of the processor")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def counted(size: int) -> Iterator[None]:
    """Stop with OverBudgetError what makes more calls than an input of `size` bytes needs.

    The same on every machine, however busy it is.
    """
    most = CALLS + CALLS_A_BYTE * size
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1
        if calls > most:
            sys.setprofile(None)
            raise OverBudgetError(f"{size} bytes make more than {most:,} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


def peak(work: Callable[[bytes], None], data: bytes) -> int:
    """Return the bytes that `work` holds at most beyond what it found."""
    tracemalloc.start()
    try:
        start, _ = tracemalloc.get_traced_memory()
        work(data)
        return tracemalloc.get_traced_memory()[1] - start
    finally:
        tracemalloc.stop()


def check_memory(work: Callable[[bytes], None], data: bytes) -> None:
    """OverBudgetError where an input takes too much memory beyond an empty one."""
    work(data)  # what is built once is built now
    most = peak(work, b"") + TIMES_THE_INPUT * len(data) + SLACK
    held = peak(work, data)
    if held > most:
        raise OverBudgetError(f"{len(data)} bytes take {held:,} bytes of memory")


def limit_memory() -> None:
    """Let this process take no more than MEMORY beyond what it has; MemoryError from there on."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        taken = int(pages.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))
