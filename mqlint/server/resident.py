"""The server: waits for requests, and makes a copy of itself that answers each."""

from __future__ import annotations

import fcntl
import marshal
import os
import pickle
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from mqlint.server.client import GO, READY, STREAMS
from mqlint.server.place import is_of_this_user

_PATIENCE = 5
"""Seconds in which a client must say what it wants."""
_MOST_BYTES = 1 << 26
_INTERRUPTED = 130
_FAILED = 2


def answer(connection: socket.socket, run: Callable[[], int]) -> None:
    """Run a command as its client would, and send its exit status."""
    for inherited in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(inherited, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection.settimeout(_PATIENCE)
    size, files, _, _ = socket.recv_fds(connection, 8, len(STREAMS) + 1)
    arguments, environment, umask, encodings = marshal.loads(  # noqa: S302 a process of this user
        _exactly(connection, min(int.from_bytes(size, "big"), _MOST_BYTES))
    )
    *streams, folder = files
    os.fchdir(folder)
    os.close(folder)
    os.umask(umask)
    os.environ.clear()
    os.environb.update(environment)
    time.tzset()
    sys.argv[:] = arguments
    for number, (stream, (encoding, errors)) in enumerate(zip(streams, encodings, strict=True)):
        os.dup2(stream, number)
        os.close(stream)
        _reopen(number, encoding, errors)
    connection.sendall(READY)
    if _exactly(connection, 1) != GO:
        return
    connection.settimeout(None)
    _end_with(connection)
    status = _FAILED
    try:
        status = run()
    finally:
        with suppress(OSError):
            sys.stderr.flush()
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        connection.sendall(bytes([status & 0xFF]))


def _reopen(number: int, encoding: str, errors: str) -> None:
    """Make a stream as Python makes it at its start."""
    is_by_line = number == 2 or os.isatty(number)
    stream = TextIOWrapper(
        open(number, "wb" if number else "rb", closefd=False),  # noqa: SIM115 a stream
        encoding,
        errors,
        "\n",
        line_buffering=is_by_line,
    )
    setattr(sys, STREAMS[number], stream)
    setattr(sys, f"__{STREAMS[number]}__", stream)


def _end_with(connection: socket.socket) -> None:
    """End this process when its client ends, and interrupt it when the client says so."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        with suppress(BlockingIOError):
            if connection.recv(1, socket.MSG_DONTWAIT):
                raise KeyboardInterrupt
            os._exit(_INTERRUPTED)

    signal.signal(signal.SIGIO, handle)
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(connection, fcntl.F_GETFL)
    fcntl.fcntl(connection, fcntl.F_SETFL, flags | os.O_ASYNC)
    handle(0, None)  # what came before


def _exactly(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


_COPIES = 16
"""Commands that run at the same time; others wait, or run without the server."""
_MOST = 256 << 20
"""Bytes that a copy may leave for the next ones."""
_PIECE = 1 << 20


class Program(Protocol):
    def run(self) -> int:
        """Run the command line in `sys.argv` and return its exit status."""

    def packed_readings(self) -> object:
        """Return the documents that a copy has read, ready to be pickled."""

    def add_readings(self, found: Any) -> None:  # noqa: ANN401 of `packed_readings`
        """Add the documents that a copy has read."""

    def is_current(self) -> bool:
        """Whether the program is still the one that was loaded."""


class InUseError(Exception):
    """Another server has the socket."""


def serve(path: Path, program: Program, idle: float) -> None:
    """Run requests that come by the socket at `path`, until none came for `idle` seconds.

    InUseError if another process does so.
    """
    with _listening(path) as listener:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the server does not wait for its copies
        _Server(listener, program).run(idle)


@contextmanager
def _listening(path: Path) -> Iterator[socket.socket]:
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise InUseError from None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        path.unlink(missing_ok=True)  # of a server that was killed
        umask = os.umask(0o177)
        listener.bind(str(path))
        os.umask(umask)
        listener.listen()
        listener.setblocking(False)
        try:
            yield listener
        finally:
            path.unlink(missing_ok=True)
            os.close(lock)


class _Server:
    """The process that waits; `_copies` are the pipes of its copies, with what came of each."""

    def __init__(self, listener: socket.socket, program: Program) -> None:
        self._listener = listener
        self._program = program
        self._copies: dict[int, bytearray] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ)

    def run(self, idle: float) -> None:
        """Answer until nothing comes for so many seconds, or the program has changed."""
        while True:
            ready = self._selector.select(idle)
            if not ready and not self._copies:
                return
            for key, _ in ready:
                if key.fd in self._copies:
                    self._listen_to(key.fd)
                elif not self._accept():
                    return

    def _accept(self) -> bool:
        """Let a copy answer a request; False if the program has been replaced."""
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return True
        with connection:
            if not self._program.is_current():
                return False
            if is_of_this_user(connection) and len(self._copies) < _COPIES:
                self._copy(connection)
        return True

    def _copy(self, connection: socket.socket) -> None:
        results, writing = os.pipe()
        try:
            process = os.fork()
        except OSError:
            os.close(results)
            os.close(writing)
            return
        if process:
            os.close(writing)
            os.set_blocking(results, False)
            self._copies[results] = bytearray()
            self._selector.register(results, selectors.EVENT_READ)
            return
        try:
            self._selector.close()
            for open_file in (self._listener.fileno(), results, *self._copies):
                os.close(open_file)
            answer(connection, self._program.run)
            with open(writing, "wb") as pipe:  # noqa: PTH123 a pipe
                pickle.dump(self._program.packed_readings(), pipe, pickle.HIGHEST_PROTOCOL)
        finally:
            os._exit(0)

    def _listen_to(self, results: int) -> None:
        """Receive a part of the documents that a copy has read; add them when it ends."""
        found = self._copies[results]
        piece = b""
        with suppress(OSError):
            piece = os.read(results, _PIECE)
        found += piece
        if piece and len(found) <= _MOST:
            return
        self._selector.unregister(results)
        os.close(results)
        del self._copies[results]
        if not piece:
            with suppress(Exception):  # a copy that was killed leaves half of it
                self._program.add_readings(pickle.loads(found))  # noqa: S301 of our own copy
