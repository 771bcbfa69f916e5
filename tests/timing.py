"""How time grows with the input, measured so that a busy machine does not decide the outcome."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

BOUND = 3.0
"""Twice the input may take this many times as long: linear is 2, quadratic 4."""

TRIES = 12
LEAST = 0.005
"""Seconds below which a measurement says nothing about growth."""


def seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds that `work` takes; time spent waiting does not count.

    The garbage collector waits too: what it takes depends on all that other tests left behind.
    """
    gc.disable()
    try:
        start = process_time()
        work()
        return process_time() - start
    finally:
        gc.enable()


def growth(once: Callable[[], object], twice: Callable[[], object], bound: float = BOUND) -> float:
    """Return how many times the time of `once` the other takes: the least of a few tries."""
    least = float("inf")
    for _ in range(TRIES):
        least = min(least, seconds(twice) / max(seconds(once), LEAST))
        if least <= bound:
            break
    return least


def grows_linearly(work: Callable[[int], object], size: int, bound: float = BOUND) -> bool:
    """Whether `work(2 * size)` takes no more than `bound` times as long as `work(size)`."""
    return growth(lambda: work(size), lambda: work(2 * size), bound) <= bound
