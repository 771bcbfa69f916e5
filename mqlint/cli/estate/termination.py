"""SIGTERM, as schedulers send it: the same clean-up as Ctrl-C, with the status of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

STATUS = 128 + signal.SIGTERM
"""Exit status after SIGTERM: what shells give for a program that it ended."""


class _Terminated(KeyboardInterrupt):
    """SIGTERM; code that cleans up after Ctrl-C does so after it too."""


@contextmanager
def terminable() -> Iterator[None]:
    """End the block at SIGTERM as at Ctrl-C, then the process with its own exit status."""
    if current_thread() is not main_thread():  # only the main thread has signals
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    except _Terminated:
        raise SystemExit(STATUS) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not stop the clean-up
    raise _Terminated
