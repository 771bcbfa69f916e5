"""How far a long run has come: one line on a terminal, a line for each stage elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

Done = Callable[[], tuple[int, int]]
"""Returns how many pieces of the stage's work are done, and how many there are (0: not known)."""

_EVERY = 0.5
_CLEAR = "\r\x1b[K"
_ESTIMABLE = 3.0
"""Seconds of a stage after which its duration can be estimated."""


class Progress:
    """Shows the stage of a run, how much of it is done, and when it will be, on standard error.

    If that is not a terminal, each stage is a line of its own; with `quiet` nothing is shown.
    """

    def __init__(self, quiet: bool = False) -> None:
        """Start the clock."""
        self._start = self._since = time.monotonic()
        self._terminal = sys.stderr.isatty() and not quiet
        self._lines = not sys.stderr.isatty() and not quiet
        self._stage = ""
        self._total = 0

    def begin(self, stage: str, total: int = 0) -> None:
        """Say that a stage begins, of `total` files where it is about files."""
        self._stage, self._total, self._since = stage, total, time.monotonic()
        self._show("")
        if self._lines:
            print(f"mqlint: {stage} ({self._seconds} s)", file=sys.stderr, flush=True)

    @contextmanager
    def watching(self, done: Done) -> Iterator[None]:
        """Show every half second how much is done; clear the line at the end."""
        over = Event()
        thread = Thread(target=self._watch, args=(done, over), daemon=True)
        if self._terminal:
            thread.start()
        try:
            yield
        finally:
            over.set()
            if self._terminal:
                thread.join(_EVERY * 4)
                self.clear()

    def clear(self) -> None:
        """Leave the line empty for what comes next."""
        if self._terminal:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    @property
    def _seconds(self) -> int:
        return int(time.monotonic() - self._start)

    def _watch(self, done: Done, over: Event) -> None:
        with suppress(Exception):  # the session ends while it is asked: there is nothing to say
            while not over.wait(_EVERY):
                seconds = time.monotonic() - self._since
                self._show(words(*done(), self._total, seconds))

    def _show(self, more: str) -> None:
        if self._terminal:
            line = f"{_CLEAR}{self._stage}{more} ({self._seconds} s)"
            print(line, end="", file=sys.stderr, flush=True)


def words(done: int, total: int, files: int, seconds: float) -> str:
    """Return how much is done, at what rate, and how long the rest will take.

    `files` are those of the stage, 0 if it is not about files: the share of its pieces of work that
    are done then stands for that of its files.
    """
    if not total:
        return ""
    share = min(done / total, 1.0)
    text = f": {share:.0%}"
    if not share or seconds < _ESTIMABLE:
        return text
    if files:
        text += f", {share * files / seconds:,.0f} files/s"
    left = seconds / share - seconds
    return f"{text}, {_time(left)} left"


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
