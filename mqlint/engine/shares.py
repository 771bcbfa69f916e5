"""Objects of one kind that share the work of a run: one here, the others in copies of this process.

Nothing is sent to make a copy (`os.fork`); later only questions and answers are sent. What a copy
does not do, because it cannot be made or is killed, this process does.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from threading import Thread
from types import TracebackType
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, Self, TypeVar

from mqlint.engine.messages import receive, send

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


def dealt(items: Sequence[T], jobs: int, size: Callable[[T], int]) -> list[list[T]]:
    """Return the items in up to `jobs` shares of about the same work; `size` is in bytes.

    Neighbours are mostly in one share, as files of one folder are about one queue manager.
    """
    jobs = min(jobs, len(items)) if CAN_COPY else 1
    if jobs <= 1:
        return [[*items]]
    ends = list(accumulate(_EACH + size(item) for item in items))
    shares: list[list[T]] = [[] for _ in range(jobs)]
    for item, end in zip(items, ends, strict=True):
        stretch = (end - 1) * _ROUNDS * jobs // ends[-1]
        shares[stretch % jobs].append(item)
    return [share for share in shares if share]


class Shares(Generic[S]):
    """Objects that answer the same questions, each in a process of its own; the first one is here.

    A question is a method of their class. Answers do not depend on the process, so an object whose
    process dies is made again here, and asked all that it was asked before.
    """

    def __init__(self, make: Sequence[Callable[[], S]]) -> None:
        """Let each function make an object, in its process. No other thread may be running."""
        self._members: list[_Member[S]] = []
        try:
            for number, function in enumerate(make):
                self._members.append(_Member(function, is_copy=CAN_COPY and number > 0))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Return the shares, for a block in which they are asked."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all copies."""
        self.close()

    def __len__(self) -> int:
        """Return their number."""
        return len(self._members)

    def ask(
        self, question: Callable[Concatenate[S, P], R], *words: P.args, **_: P.kwargs
    ) -> list[R]:
        """Return the answers of all to one question, in their order."""
        return self._ask(question.__name__, [words] * len(self))

    def ask_each(self, question: Callable[..., R], arguments: Sequence[tuple[Any, ...]]) -> list[R]:
        """Return the answers to one question with other arguments for each."""
        return self._ask(question.__name__, arguments)

    def close(self) -> None:
        """End all copies, whatever they do."""
        for member in self._members:
            member.end()

    def _ask(self, question: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        for member, words in zip(self._members, arguments, strict=True):
            member.ask(question, words)
        return [member.answer() for member in self._members]


class _Member(Generic[S]):
    """One object, in a copy of this process or here."""

    def __init__(self, make: Callable[[], S], *, is_copy: bool) -> None:
        self._make = make
        self._object: S | None = None
        self._asked: list[tuple[str, tuple[Any, ...]]] = []
        self._copy = _Copy(make) if is_copy else None

    def ask(self, question: str, words: tuple[Any, ...]) -> None:
        """Send a question to a copy, so that it works on it until `answer` is called."""
        self._asked.append((question, words))
        if self._copy is not None:
            self._copy.send((question, words))

    def answer(self) -> Any:  # noqa: ANN401 whatever the method returns
        """Return the answer to the last question."""
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
        """End the copy, if there is one."""
        if self._copy is not None:
            self._copy.end()
            self._copy = None


class _Copy(Generic[S]):
    """A copy of this process that answers questions to one object."""

    def __init__(self, make: Callable[[], S]) -> None:
        """Start it, if the system has room for another process."""
        questions, ask = os.pipe()
        answer, answers = os.pipe()
        life, self._life = os.pipe()
        self._process = 0
        with suppress(OSError):
            self._process = os.fork()
            if not self._process:
                for end in (ask, answer, self._life):
                    os.close(end)
                _work(make, questions, answers, life)
        for end in (questions, answers, life):
            os.close(end)
        self._ask, self._answer = os.fdopen(ask, "wb"), os.fdopen(answer, "rb")

    def send(self, question: object) -> None:
        """Send a question, which a copy that died does not answer."""
        with suppress(OSError):
            send(self._ask, pickle.dumps(question, pickle.HIGHEST_PROTOCOL))

    def receive(self) -> Any:  # noqa: ANN401 whatever the copy answers
        """Return the next answer; EOFError if the copy has died."""
        return receive(self._answer)

    def end(self) -> None:
        """End it, wherever it is."""
        os.close(self._life)
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        for stream in (self._ask, self._answer):
            with suppress(OSError):  # what was written and not sent goes nowhere
                stream.close()


def _work(make: Callable[[], object], questions: int, answers: int, life: int) -> NoReturn:
    """Answer questions in a copy until the process ends that it is a copy of."""
    try:
        Thread(target=_end_with, args=(life,), daemon=True).start()
        with os.fdopen(questions, "rb") as asked, os.fdopen(answers, "wb") as answered:
            share = make()
            while True:
                question, words = receive(asked)
                found = getattr(share, question)(*words)
                send(answered, pickle.dumps(found, pickle.HIGHEST_PROTOCOL))
    finally:
        os._exit(0)


def _end_with(life: int) -> None:
    os.read(life, 1)
    os._exit(1)
