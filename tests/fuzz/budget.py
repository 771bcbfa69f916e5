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
MEMORY = 1 << 30
"""Bytes that all executions of a sitting may take beyond what is loaded."""
TIMES_THE_INPUT = 50
"""Bytes for each byte of the input, beyond those of an empty one."""
SLACK = 1 << 20
"""Bytes that do not count: tables that are of one size, whatever the input."""
CALLS, CALLS_A_BYTE = 3_000_000, 3_000
"""Calls of functions that one execution may make, and more for each byte of its input."""
LONG, TIMES = 1000, 4
"""Bytes that an input is repeated to, and how many times as much that is compared with."""
GROWTH, FEW = 7, 10_000
"""How many times as many calls that may make, where the square would be 16, and a few more."""
LEAST_A_BYTE = 10
"""Calls a byte that count as made: an input that is refused at its first fault says no more."""


class OverBudgetError(BaseException):
    """An execution costs too much. No handler of errors in the program may hide it."""


@contextmanager
def stopping() -> Iterator[None]:
    """Stop with OverBudgetError what is `ticking` for too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise OverBudgetError("it takes too many seconds of the processor")

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def ticking(seconds: float) -> Iterator[None]:
    """Allow so many processor seconds; a `stopping` is around it."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Calls:
    """Counts calls of functions, which are the same on every machine, however busy it is."""

    def __init__(self, most: int) -> None:
        """Stop with OverBudgetError what makes more than `most` calls."""
        self.most = most
        self.count = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Count one call, or one return."""
        self.count += 1
        if self.count > self.most:
            sys.setprofile(None)
            raise OverBudgetError(f"it makes more than {self.most:,} calls")


@contextmanager
def counted(most: int) -> Iterator[Calls]:
    """Count the calls that are made inside, and stop at `most`."""
    calls = Calls(most)
    before = sys.getprofile()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def calls_for(data: bytes) -> int:
    """Return how many calls an input of this size may make."""
    return CALLS + CALLS_A_BYTE * len(data)


def check_growth(work: Callable[[bytes], None], data: bytes) -> None:
    """OverBudgetError where an input that is repeated makes calls out of proportion.

    It is repeated an even number of times: after an odd one a quotation mark of it may be open.
    """
    once = data * (2 * max(1, LONG // (2 * len(data) or 1)))
    more = once * TIMES
    for text in (once, more):
        with counted(calls_for(text)):
            work(text)  # what is built once, or remembered, is so now
    with counted(calls_for(once)) as few:
        work(once)
    with counted(calls_for(more)) as many:
        work(more)
    if many.count > GROWTH * max(few.count, LEAST_A_BYTE * len(once)) + FEW:
        raise OverBudgetError(
            f"{len(once):,} bytes make {few.count:,} calls, {TIMES} times as many {many.count:,}"
        )


def peak(work: Callable[[bytes], None], data: bytes) -> int:
    """Return the bytes that `work` holds at most beyond what it found."""
    tracemalloc.start()
    try:
        start, _ = tracemalloc.get_traced_memory()
        work(data)
        return tracemalloc.get_traced_memory()[1] - start
    finally:
        tracemalloc.stop()


def check_memory(work: Callable[[bytes], None], data: bytes, slack: int = SLACK) -> None:
    """OverBudgetError where an input takes too much memory beyond an empty one."""
    work(data)  # what is built once is built now
    most = peak(work, b"") + TIMES_THE_INPUT * len(data) + slack
    held = peak(work, data)
    if held > most:
        raise OverBudgetError(f"{len(data)} bytes take {held:,} bytes of memory")


def limit_memory() -> None:
    """Let this process take no more than MEMORY beyond what it has; MemoryError from there on."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        taken = int(pages.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))
