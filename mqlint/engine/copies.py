"""Copies of this process, each with an object that answers questions.

Nothing is sent to make a copy (`os.fork`); later only questions and answers are sent.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, NoReturn

from mqlint.engine.memory_limit import die_first
from mqlint.engine.messages import receive, send


class Copy:
    """A copy of this process that answers questions to one object."""

    def __init__(self, make: Callable[[], object]) -> None:
        """Start it; its object is what `make` returns there. See `is_started`."""
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

    @property
    def is_started(self) -> bool:
        """Whether the system had room for another process."""
        return bool(self._process)

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
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        for stream in (self._ask, self._answer):
            with suppress(OSError):  # what was written and not sent goes nowhere
                stream.close()


def _work(make: Callable[[], object], questions: int, answers: int, life: int) -> NoReturn:
    """Answer questions in a copy until the process ends that it is a copy of."""
    try:
        die_first()
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
