"""Documents read in other processes, each of which may die at the cost of one document.

The document of a process that dies is tried again in a new process, and is unreadable if that dies
too. The new process reads the documents after it.
"""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, cast

from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.assemble import Assembly
from mqlint.engine.load import Input, Loaded, typed, unreadable
from mqlint.engine.pack import unpack
from mqlint.engine.worker import OUT_OF_MEMORY, READY, Request, Response, receive, send
from mqlint.source.child import python_command, python_environment
from mqlint.source.fault import why_unread

_CHUNK = 16
_PATIENCE = 5
_DIED = "the process that reads it ended before it was complete"
_KILLED = "the process that reads it was ended by signal {}"
_NOT_STARTED = "no process can be started to read it"


def load_in_pool(
    inputs: Sequence[Input], settings: Settings, analyser: Analyser, jobs: int
) -> Iterator[tuple[str, Loaded]]:
    """Yield each input's path and its reading, from up to `jobs` processes."""
    assembly = Assembly(settings, analyser.vocabulary)
    requests = [request_of(document, assembly) for document in inputs]
    chunks = [requests[start : start + _CHUNK] for start in range(0, len(requests), _CHUNK)]
    jobs = min(jobs, len(chunks))
    workers = [Worker(analyser) for _ in range(jobs)]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def responses(chunk: Sequence[Request]) -> list[Response]:
        worker = idle.get()
        try:
            return worker.responses(chunk)
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(jobs)
    try:
        for chunk, found in zip(chunks, threads.map(responses, chunks), strict=True):
            for request, response in zip(chunk, found, strict=True):
                yield request.document.path, unpacked(request, response, analyser)
    finally:
        for worker in workers:
            worker.close()
        threads.shutdown(cancel_futures=True)


def request_of(document: Input, assembly: Assembly) -> Request:
    """Return the request with which a process reads a document."""
    document = typed(document, assembly)
    return Request(document, assembly.target(document.path), assembly.settings.forms)


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
        self._closed = False

    def load(self, request: Request) -> Loaded:
        """Return what became of one document."""
        return unpacked(request, self.responses([request])[0], self._analyser)

    def responses(self, requests: Sequence[Request]) -> list[Response]:
        """Return the answers to all questions, in their order."""
        found: list[Response] = []
        died_at = -1
        while len(found) < len(requests) and not self._closed:
            at = len(found)
            found.extend(self._some(requests[at:]))
            if len(found) == len(requests):
                break
            reason = self._end()
            if died_at != len(found):
                died_at = len(found)  # to be tried once more
            else:
                found.append((unreadable(requests[died_at].document.path, reason), None))
                died_at = -1
        return found

    def close(self) -> None:
        """End the process without an answer for its present document."""
        self._closed = True
        if self._process is not None:
            self._process.end()

    def _some(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Yield answers, as long as the process lives."""
        with suppress(EOFError, OSError, MemoryError):
            process = self._process
            if process is None:
                process = self._process = _Process(pickle.dumps(self._analyser.vocabulary))
            if not self._closed:
                yield from process.responses(requests)

    def _end(self) -> str:
        """End the process, and say why it gave no answer."""
        process, self._process = self._process, None
        patience = 0 if self._closed else _PATIENCE
        return _NOT_STARTED if process is None else process.end(patience)


class _Process:
    """A process that runs `mqlint.engine.worker`."""

    def __init__(self, vocabulary: bytes) -> None:
        """Start it and give it the vocabulary; OSError or EOFError when it does not start."""
        self._process = subprocess.Popen(  # noqa: S603 this Python, no shell
            python_command("mqlint.engine.worker", "work"),
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

    def responses(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Yield the answers in order; EOFError or OSError when the process dies."""
        send(self._stdin, pickle.dumps(requests))
        for _ in requests:
            yield receive(self._stdout)

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
