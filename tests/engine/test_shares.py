"""Work that processes share: the results are those of one process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial

import pytest

from mqlint.engine.judgement.shares import Shares, dealt

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of processes")


class Counter:
    """Counts what it is given; `deadly` is a number that a copy does not survive."""

    def __init__(self, start: int, deadly: int | None = None) -> None:
        self.sum = start
        self.deadly = deadly
        self.home = os.getpid()

    def add(self, number: int) -> int:
        if number == self.deadly and os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        self.sum += number
        return self.sum

    def process(self) -> int:
        return self.home


HERE = os.getpid()


@pytest.fixture
def counters() -> Iterator[Shares[Counter]]:
    with Shares([partial(Counter, start, 7) for start in (0, 10, 20)]) as shares:
        yield shares


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("size", [0, 1, 5, 100])
def test_each_item_is_in_one_share(jobs: int, size: int) -> None:
    shares = dealt(range(size), jobs, lambda number: number * 1_000)
    assert sorted(number for share in shares for number in share) == [*range(size)]
    assert len(shares) == max(1, min(jobs, size))
    assert all(sorted(share) == share for share in shares)


def test_shares_have_about_the_same_work() -> None:
    shares = dealt(range(1_000), 2, lambda number: number * 100)
    first, second = map(sum, shares)
    assert abs(first - second) < 0.2 * first


def test_objects_keep_their_state_in_processes_of_their_own(counters: Shares[Counter]) -> None:
    assert counters.ask(Counter.add, 1) == [1, 11, 21]
    assert counters.ask_each(Counter.add, [(1,), (2,), (3,)]) == [2, 13, 24]
    processes = {HERE, *counters.ask(Counter.process)}
    assert len(processes) == 4


def test_what_a_copy_that_dies_knew_is_worked_out_here(counters: Shares[Counter]) -> None:
    assert counters.ask(Counter.add, 1) == [1, 11, 21]
    assert counters.ask_each(Counter.add, [(2,), (7,), (2,)]) == [3, 18, 23]
    assert counters.ask(Counter.add, 1) == [4, 19, 24]
    assert counters.ask(Counter.process)[1] == HERE


def test_an_error_leaves_no_process(counters: Shares[Counter]) -> None:
    processes = counters.ask(Counter.process)
    with pytest.raises(TypeError), counters:
        counters.ask_each(Counter.add, [("text",), (1,), (1,)])
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
