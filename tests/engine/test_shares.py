"""Work that processes share: the results are those of one process."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

import pytest

from mqlint.engine.shares import in_shares

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of processes")


def squares(numbers: Sequence[int]) -> dict[int, int]:
    return {number: number**2 for number in numbers}


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("size", [0, 1, 5])
def test_each_item_is_in_one_share(jobs: int, size: int) -> None:
    shares = in_shares(squares, range(size), jobs)
    assert {key: value for share in shares for key, value in share.items()} == squares(range(size))
    assert sum(map(len, shares)) == size


def test_copies_work_in_processes_of_their_own() -> None:
    processes = in_shares(lambda _: os.getpid(), range(3), 3)
    assert (processes[0], len(set(processes))) == (os.getpid(), 3)


def test_what_a_copy_that_dies_leaves_is_done_here() -> None:
    here = os.getpid()

    def work(numbers: Sequence[int]) -> list[int]:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return [*numbers]

    assert in_shares(work, range(5), 2) == [[0, 2, 4], [1, 3]]


def test_an_error_here_leaves_no_process() -> None:
    here = os.getpid()
    reading, writing = os.pipe()

    def work(_: Sequence[int]) -> int:
        if os.getpid() == here:
            raise ValueError(os.read(reading, 20).decode())
        os.write(writing, str(os.getpid()).encode())
        signal.pause()
        return 0

    with pytest.raises(ValueError, match=r"\d+") as raised:
        in_shares(work, range(2), 2)
    with pytest.raises(ProcessLookupError):
        os.kill(int(str(raised.value)), 0)
    os.close(reading)
    os.close(writing)
