"""One line on a terminal that says how far a long run has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

Tasks = Callable[[], tuple[int, int]]
"""Returns how many pieces of work are done, and how many there are."""

_EVERY = 0.5
_CLEAR = "\r\x1b[K"


class Progress:
    """Shows the stage of a run, its tasks and the seconds since the start on standard error.

    Nothing is shown where standard error is no terminal.
    """

    def __init__(self) -> None:
        """Start the clock."""
        self._begin = time.monotonic()
        self._shown = sys.stderr.isatty()
        self._stage = ""

    def tell(self, stage: str) -> None:
        """Say that a stage begins."""
        self._stage = stage
        self._show("")

    @contextmanager
    def watching(self, tasks: Tasks) -> Iterator[None]:
        """Show every half second how many tasks are done; clear the line at the end."""
        over = Event()
        thread = Thread(target=self._watch, args=(tasks, over), daemon=True)
        if self._shown:
            thread.start()
        try:
            yield
        finally:
            over.set()
            if self._shown:
                thread.join(_EVERY * 4)
                self.clear()

    def clear(self) -> None:
        """Leave the line empty for what comes next."""
        if self._shown:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    def _watch(self, tasks: Tasks, over: Event) -> None:
        with suppress(Exception):  # the session ends while it is asked: there is nothing to say
            while not over.wait(_EVERY):
                done, total = tasks()
                self._show(f", {done:,} of {total:,} parts" if total else "")

    def _show(self, tasks: str) -> None:
        if self._shown:
            seconds = int(time.monotonic() - self._begin)
            line = f"{_CLEAR}{self._stage}{tasks} ({seconds} s)"
            print(line, end="", file=sys.stderr, flush=True)
