"""Copies of this process, each with an object that answers questions.

Nothing is sent to make a copy (`os.fork`); later only questions and answers are sent.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Thread
from typing import Any, NoReturn

from mqlint.engine.loading.memory_limit import die_first
from mqlint.engine.loading.messages import receive, send


class Copy:
    """A copy of this process that answers questions to one object."""

    def __init__(self, make: Callable[[], object]) -> None:
        """Start it; its object is what `make` returns there. OSError if the system has no room."""
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe()
            self._process = os.fork()
        except OSError:
            for end in ends:
                os.close(end)
            raise
        questions, ask, answer, answers, life, self._life = ends
        if not self._process:
            _work(make, questions, answers, life, (ask, answer, self._life))
        for end in (questions, answers, life):
            os.close(end)
        self._ask, self._answer = os.fdopen(ask, "wb"), os.fdopen(answer, "rb")

    def send(self, question: object) -> None:
        """Send a question, which a copy that died does not answer."""
        with suppress(OSError):
            send(self._ask, pickle.dumps(question, pickle.HIGHEST_PROTOCOL))

    def receive(self) -> Any:  # noqa: ANN401 whatever the copy answers
        """Return the next answer; EOFError or OSError if the copy has died."""
        return receive(self._answer)

    def end(self) -> None:
        """End the process, also in the middle of an answer, and close the pipes to it."""
        os.close(self._life)
        # If SIGCHLD is ignored, which programs inherit, processes that ended are unknown.
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        for stream in (self._ask, self._answer):
            with suppress(OSError):  # what was written and not sent goes nowhere
                stream.close()


def _work(
    make: Callable[[], object], questions: int, answers: int, life: int, others: Iterable[int]
) -> NoReturn:
    """Answer questions in a copy until the process ends that it is a copy of.

    `others` are the ends of pipes that are for that process.
    """
    try:
        for end in others:
            os.close(end)
        die_first()
        with suppress(RuntimeError):  # no room for a thread: it ends when it has answered
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
