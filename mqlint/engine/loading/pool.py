"""Documents read in other processes, each of which may die at the cost of one document.

The document of a process that dies is tried again in a new process, and is unreadable if that dies
too. The new process reads the documents after it.
"""

from __future__ import annotations

import pickle
import subprocess
from contextlib import suppress
from typing import IO, cast

from mqlint.engine.document.analyse import Analyser
from mqlint.engine.document.pack import unpack
from mqlint.engine.loading.load import Loaded, unreadable
from mqlint.engine.loading.messages import receive, send
from mqlint.engine.loading.worker import OUT_OF_MEMORY, READY, Request, Response
from mqlint.source.child import python_command, python_environment
from mqlint.source.fault import why_unread

_PATIENCE = 5
_DIED = "the process that reads it ended before it was complete"
_KILLED = "the process that reads it was ended by signal {}"
_NOT_STARTED = "no process can be started to read it"


def unpacked(request: Request, response: Response, analyser: Analyser) -> Loaded:
    """Return what became of a document that another process has read."""
    loaded, reading = response
    try:
        if reading is not None:
            loaded.reading = unpack(reading, analyser.parser)
    except Exception as error:
        return unreadable(request.document.path, why_unread(error))
    return loaded


class Worker:
    """Reads documents in a process of its own, and in a new one if that dies."""

    def __init__(self, analyser: Analyser) -> None:
        """No process is started before there is something to read."""
        self._analyser = analyser
        self._process: _Process | None = None

    def load(self, request: Request) -> Loaded:
        """Return what became of one document, which is tried twice."""
        for _ in range(2):
            with suppress(EOFError, OSError, MemoryError):
                if self._process is None:
                    self._process = _Process(pickle.dumps(self._analyser.vocabulary))
                return unpacked(request, self._process.response(request), self._analyser)
            process, self._process = self._process, None
            reason = _NOT_STARTED if process is None else process.end(_PATIENCE)
        return unreadable(request.document.path, reason)

    def close(self) -> None:
        """End the process without an answer for its present document."""
        if self._process is not None:
            self._process.end()


class _Process:
    """A process that runs `mqlint.engine.loading.worker`."""

    def __init__(self, vocabulary: bytes) -> None:
        """Start it and give it the vocabulary; OSError or EOFError when it does not start."""
        self._process = subprocess.Popen(  # noqa: S603 this Python, no shell
            python_command("mqlint.engine.loading.worker", "work"),
            env=python_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback may quote a file
        )
        self._stdin = cast("IO[bytes]", self._process.stdin)
        self._stdout = cast("IO[bytes]", self._process.stdout)
        try:
            send(self._stdin, vocabulary)
            if receive(self._stdout) != READY:
                raise EOFError
        except BaseException:
            self.end()
            raise

    def response(self, request: Request) -> Response:
        """Return the answer; EOFError or OSError when the process dies."""
        send(self._stdin, pickle.dumps(request))
        return cast("Response", receive(self._stdout))

    def end(self, patience: float = 0) -> str:
        """End the process if it does not end by itself, and say what that means for a document."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._process.kill()
        status = self._process.wait()
        for stream in (self._stdin, self._stdout):
            with suppress(OSError):  # what was written and not sent goes nowhere
                stream.close()
        if status == OUT_OF_MEMORY:
            return why_unread(MemoryError())
        return _KILLED.format(-status) if status < 0 else _DIED
