"""Objects of one kind that share the work of a run, each in a copy of this process.

Nothing is sent to make a copy (`os.fork`); later only questions and answers are sent. What a copy
does not do, because it cannot be made or is killed, this process does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from mqlint.engine.loading.memory_limit import GROUP, free_memory, number_in

if TYPE_CHECKING:
    from mqlint.engine.judgement.copies import Copy

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")

CAN_COPY = hasattr(os, "fork")
"""Whether this system has copies of processes. Without them, shares are asked one by one."""

_ROUNDS = 8
"""Stretches of the items in each share, so that one with more work for its size does not count."""
_EACH = 4_000
"""The work of a small document, in bytes of a large one."""


def work_of(size: int) -> int:
    """Return the work of a document of `size` bytes, in bytes of a large one."""
    return _EACH + size


def dealt(items: Sequence[T], jobs: int, size: Callable[[T], int]) -> list[list[T]]:
    """Return the items in up to `jobs` shares of about the same work; `size` is in bytes.

    Neighbours are mostly in one share, as files of one folder are about one queue manager.
    """
    jobs = min(jobs, len(items)) if CAN_COPY else 1
    if jobs <= 1:
        return [[*items]]
    work = [work_of(size(item)) for item in items]
    stretch = sum(work) / (jobs * _ROUNDS)
    shares: list[list[T]] = [[] for _ in range(jobs)]
    loads = [0] * jobs
    share, room = 0, stretch
    for item, more in zip(items, work, strict=True):
        if more > room:
            share, room = loads.index(min(loads)), stretch
        shares[share].append(item)
        loads[share] += more
        room -= more
    return [share for share in shares if share]


class Shares(Generic[S]):
    """Objects that answer the same questions, each in a process of its own; a single one is here.

    A question is a method of their class. Answers do not depend on the process, so an object whose
    process dies is made again here, and asked all that it was asked before.
    """

    def __init__(
        self, make: Sequence[Callable[[], S]], again: Sequence[Callable[[], S]] = ()
    ) -> None:
        """Let each function make an object, in its process. No other thread may be running.

        `again` are those that make it here after its process died, if they are others.
        """
        self._members: list[_Member[S]] = []
        is_copy = CAN_COPY and len(make) > 1
        try:
            for function, second in zip(make, again or make, strict=True):
                self._members.append(_Member(function, second, is_copy=is_copy))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._members)

    def ask(
        self, question: Callable[Concatenate[S, P], R], *words: P.args, **_: P.kwargs
    ) -> list[R]:
        """Return the answers of all to one question, in their order."""
        return self._ask(question.__name__, [words] * len(self))

    def ask_each(self, question: Callable[..., R], arguments: Sequence[tuple[Any, ...]]) -> list[R]:
        return self._ask(question.__name__, arguments)

    def close(self) -> None:
        """End all copies, also in the middle of an answer."""
        for member in self._members:
            member.end()

    def _ask(self, question: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        for member, words in zip(self._members, arguments, strict=True):
            member.ask(question, words)
        return [member.answer() for member in self._members]


class _Member(Generic[S]):
    """One object, in a copy of this process or here."""

    def __init__(self, make: Callable[[], S], again: Callable[[], S], *, is_copy: bool) -> None:
        self._make = make
        self._object: S | None = None
        self._asked: list[tuple[str, tuple[Any, ...]]] = []
        self._copy: Copy | None = None
        if is_copy:
            from mqlint.engine.judgement.copies import Copy  # here, as most runs are in one process

            with suppress(OSError):  # no room for a copy
                self._copy, self._make = Copy(make), again

    def ask(self, question: str, words: tuple[Any, ...]) -> None:
        """Send a question to a copy, so that it works on it until `answer` is called."""
        self._asked.append((question, words))
        if self._copy is not None:
            self._copy.send((question, words))

    def answer(self) -> Any:  # noqa: ANN401 whatever the method returns
        if self._copy is not None:
            try:
                return self._copy.receive()
            except Exception:
                self.end()
        asked = self._asked[-1:]
        if self._object is None:
            self._object, asked = self._make(), self._asked
        for question, words in asked:
            found = getattr(self._object, question)(*words)
        return found

    def end(self) -> None:
        self._object = None
        if self._copy is not None:
            self._copy.end()
            self._copy = None


_WORTH = 1_000_000
"""The least work for each process, in bytes of a large document: about half a second.

A process loads the modules and makes ready the policies that it meets, which takes a tenth.
"""
_MOST = 8
"""More processes hardly help: what is not shared is a tenth of a run."""
_MEMORY = 256 << 20
"""Free memory for each process, in bytes; most need less than half of it."""


def processes_for(sizes: Sequence[int]) -> int:
    """Return how many processes pay off to read and judge documents of these sizes, in bytes.

    It is one for few documents, so that hooks start nothing, and for one large document beside
    small ones, as no document is shared. It depends on the processors and the memory that this
    process may use.
    """
    work = [work_of(size) for size in sizes]
    beside_largest = sum(work) - max(work, default=0)
    worth = min(sum(work) // _WORTH, 1 + beside_largest // _WORTH)
    if not CAN_COPY or worth < 2:
        return 1
    free = free_memory()
    room = _MOST if free is None else free // _MEMORY
    return max(1, min(worth, len(sizes), processors(), room, _MOST))


def processors(group: Path = GROUP) -> int:
    """Return the number of processors that this process may use, at least 1.

    On Linux that is limited by the affinity of the process and by its control group, of which
    `group` is the folder: `cpu.max` of version 2, `cpu.cfs_quota_us` of version 1
    (Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst of Linux).
    """
    affinity = getattr(os, "sched_getaffinity", None)
    number = os.cpu_count() or 1 if affinity is None else len(affinity(0))
    for quota, period in (
        (number_in(group / "cpu.max"), number_in(group / "cpu.max", 1)),
        (number_in(group / "cpu/cpu.cfs_quota_us"), number_in(group / "cpu/cpu.cfs_period_us")),
    ):
        if quota is not None and quota > 0 and period:
            number = min(number, -(-quota // period))
    return max(1, number)
