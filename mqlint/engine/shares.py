"""Work shared with copies of this process, which know all that it has read.

Nothing is sent to a copy (`os.fork`), and only its result comes back. What a copy does not do,
because it cannot be made or is killed, this process does.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Generic, NoReturn, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def in_shares(work: Callable[[Sequence[T]], R], items: Sequence[T], jobs: int) -> list[R]:
    """Return what `work` makes of each share of the items, in up to `jobs` processes.

    The first share has every `jobs`th item from the first on, the next those from the second on.
    What `work` returns is pickled. No other thread may be running.
    """
    jobs = max(1, min(jobs, len(items))) if hasattr(os, "fork") else 1
    own, *others = (items[start::jobs] for start in range(jobs))
    copies: list[_Copy[R]] = []
    try:
        for share in others:
            copies.append(_Copy(work, share))  # noqa: PERF401 all that were started are ended
        return [work(own), *(copy.result() for copy in copies)]
    finally:
        for copy in copies:
            copy.end()


class _Copy(Generic[R]):
    """A copy of this process at work on a share."""

    def __init__(self, work: Callable[[Sequence[T]], R], share: Sequence[T]) -> None:
        """Start it, if the system has room for another process."""
        self._here: Callable[[], R] = partial(work, share)
        self._process = 0
        self._results, results = os.pipe()
        life, self._life = os.pipe()
        with suppress(OSError):
            self._process = os.fork()
            if not self._process:
                os.close(self._life)
                _work(self._here, results, life)
        os.close(results)
        os.close(life)

    def result(self) -> R:
        """Return what the copy has made of its share; made here if it died."""
        with open(self._results, "rb", closefd=False) as pipe:
            packed = pipe.read()
        try:
            return pickle.loads(packed)  # type: ignore[no-any-return] # noqa: S301 of our own copy
        except Exception:
            return self._here()

    def end(self) -> None:
        """End it, wherever it is."""
        os.close(self._results)
        os.close(self._life)
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def _work(make: Callable[[], object], results: int, life: int) -> NoReturn:
    """Write a result in a copy, and end it; so does the end of the process that it is a copy of."""
    try:
        Thread(target=_end_with, args=(life,), daemon=True).start()
        with os.fdopen(results, "wb") as pipe:
            pickle.dump(make(), pipe, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)


def _end_with(life: int) -> None:
    os.read(life, 1)
    os._exit(1)
