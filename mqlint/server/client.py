"""The client: hands a command line to the server, with all that it depends on."""

from __future__ import annotations

import _socket
import marshal
import os
import stat
import struct
import sys

from mqlint.server.place import is_available, is_of_this_user, is_own, is_usual, socket_path

READY, GO, INTERRUPT = b"R", b"G", b"I"
"""What the server says before it begins, and what the client answers, or says on Ctrl-C."""
STREAMS = ("stdin", "stdout", "stderr")
_PATIENCE = 2
"""Seconds in which a server must begin; after that the command runs without it."""
_FAILED = 2


def ask() -> int | None:
    """Have the server run this command; return its exit status, None if it did not begin.

    Without a server one is started, for the next command.
    """
    path = socket_path() if is_available() and is_usual() else None
    if path is None:
        return None
    status = _asked(path)
    if status is None:
        from mqlint.server.launch import launch

        launch()
    return status


def _asked(path: str) -> int | None:
    if not is_own(path, stat.S_IFSOCK):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(_PATIENCE)
        connection.connect(path)
        if not is_of_this_user(connection) or not _is_begun(connection):
            return None
        connection.settimeout(None)
        connection.sendall(GO)
    except (OSError, ValueError):
        return None
    else:
        return _status(connection)
    finally:
        connection.close()


def _is_begun(connection: _socket.socket) -> bool:
    """Send the command line, the streams and the working folder; OSError if one is closed."""
    folder = os.open(".", os.O_RDONLY)
    try:
        streams = [getattr(sys, name) for name in STREAMS]
        request = marshal.dumps(
            (
                sys.argv,
                dict(os.environb),
                _umask(),
                [(stream.encoding, stream.errors) for stream in streams],
            )
        )
        files = [*(stream.fileno() for stream in streams), folder]
        rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack(f"{len(files)}i", *files))
        connection.sendmsg([len(request).to_bytes(8, "big")], [rights])
        connection.sendall(request)
    except AttributeError:  # a stream is closed
        return False
    finally:
        os.close(folder)
    return connection.recv(1) == READY


def _umask() -> int:
    umask = os.umask(0o077)
    os.umask(umask)
    return umask


def _status(connection: _socket.socket) -> int:
    """Wait for the end of the command; Ctrl-C interrupts it there."""
    while True:
        try:
            status = connection.recv(1)
        except KeyboardInterrupt:
            try:
                connection.sendall(INTERRUPT)
            except OSError:
                pass  # it has ended meanwhile
            continue
        except OSError:
            status = b""
        if not status:
            os.write(2, b"mqlint: the server ended before the command was complete\n")
            return _FAILED
        return status[0]
