"""How work grows with its input: in steps, or in processor time where one step can be long.

A test asserts on no number of seconds: machines differ. Work on four times the input is compared
with work on the input once: linear work grows by 4, quadratic work by 16.

- Steps are the lines and calls of Python that run. They are the same on every machine and in every
  run, so prefer them. They do not see what happens inside one call of C: a regular expression that
  goes back, a slice of the rest of the text.
- Processor time includes C. The best of several runs counts, and the bound is wide, so that a
  machine with other work to do does not decide the outcome.

Time is for code whose work is inside single calls of C: the readers in tests/language and
tests/validity (scanners are regular expressions, and values are sliced from the text), masking and
decoding (regular expressions and translations over a whole text), path patterns (one regular
expression each), and the texts of a hundred megabytes, where counting steps takes too long. The
policies, waivers, baselines, suppressions and tests/growth count steps.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from types import FrameType
from typing import Any

FACTOR = 4
STEPS = 5.0
"""The steps of linear work grow by at most `FACTOR`; this leaves room for sorting."""
LEAST_STEPS = 2_000
"""A number of steps below this says nothing about growth."""
TIME = 8.0
LEAST_TIME = 0.005
"""Seconds. A measurement below this says nothing about growth."""
TRIES = 12

Work = Callable[[int], object]


def steps(work: Callable[[], object]) -> int:
    """Return how many lines and calls of Python `work` runs."""
    count = 0

    def step(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ANN401 as sys.settrace
        nonlocal count
        count += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def growth_in_steps(work: Work, size: int) -> float:
    """Return how many times the steps of `work(size)` the steps of `work(4 * size)` are.

    Both run once before they are counted, so that what is kept from one run to the next (imports,
    caches) counts in neither.
    """
    for times in (1, FACTOR):
        work(times * size)
    once, more = (steps(partial(work, times * size)) for times in (1, FACTOR))
    return more / max(once, LEAST_STEPS)


def growth_in_time(work: Work, size: int, bound: float = TIME) -> float:
    """Return how many times as long as `work(size)` the work on four times the size takes.

    The best time of each size counts. Tries end as soon as the growth is within `bound`.
    """
    once = more = least = float("inf")
    for _ in range(TRIES):
        once = min(once, _seconds(lambda: work(size)))
        more = min(more, _seconds(lambda: work(FACTOR * size)))
        least = more / max(once, LEAST_TIME)
        if least <= bound:
            break
    return least


def is_linear_in_steps(work: Work, size: int) -> bool:
    """Whether the steps of `work` grow in line with its size."""
    return growth_in_steps(work, size) <= STEPS


def is_linear_in_time(work: Work, size: int) -> bool:
    """Whether the processor time of `work` grows in line with its size."""
    return growth_in_time(work, size) <= TIME


def _seconds(work: Callable[[], object]) -> float:
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
