"""Limits of a query that DuckDB does not keep by itself: time, and memory outside its buffers.

DuckDB counts its buffers against `memory_limit`, but not the text that one call of a function
makes: `repeat('x', 3000000000)` takes 6 GB. The system's limit on the address space stops that.
An interrupt is seen between two blocks of rows, not inside one call, so that a process which does
not stop in time is ended.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final

from mqlint.dataclass import frozen

GRACE: Final = 10.0
"""Seconds from the first interrupt to the end of the process."""

_AGAIN: Final = 0.2
_MIB: Final = 1 << 20
_SLACK: Final = 1024 * _MIB
"""Address space that is not for rows: stacks and arenas of threads, code."""


@frozen
class Limits:
    """The limits of a query: rows of the answer, memory in MiB, threads, and seconds."""

    rows: int = 100_000
    memory: int = 1024
    threads: int = 2
    seconds: float = 60.0


class Deadline:
    """Interrupts a query when its time is over; `is_over` says that it was."""

    def __init__(self, seconds: float, interrupt: Callable[[], None]) -> None:
        """Start no clock: `watching` does."""
        self.seconds = seconds
        self.is_over = False
        self._interrupt = interrupt

    @contextmanager
    def watching(self) -> Iterator[None]:
        done = Event()
        thread = Thread(target=self._watch, args=(done,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join(1)

    def _watch(self, done: Event) -> None:
        if done.wait(self.seconds):
            return
        self.is_over = True
        for _ in range(int(GRACE / _AGAIN)):
            self._interrupt()
            if done.wait(_AGAIN):
                return
        error = f"Error: the query was stopped after {self.seconds:g} s\n".encode()
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, error)
        os._exit(2)


@contextmanager
def limited_memory(mebibytes: int) -> Iterator[None]:
    """Limit the address space of this process in the block, if the system can (Linux)."""
    try:
        import resource  # here, as only systems like Unix have it

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (ImportError, OSError, ValueError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + mebibytes * _MIB + _SLACK
    if soft != resource.RLIM_INFINITY and soft < most:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
