"""One request, answered by a copy of the server in the place of its client."""

from __future__ import annotations

import fcntl
import marshal
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType

from mqlint.server.client import GO, READY, STREAMS

_PATIENCE = 5
"""Seconds in which a client must say what it wants."""
_MOST = 1 << 26
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
        _exactly(connection, min(int.from_bytes(size, "big"), _MOST))
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
