"""Where the socket of the server is: one for each user, release and Python.

The client imports this. `pathlib` and `socket` would take most of its time.
"""

from __future__ import annotations

import _socket
import os
import stat
import struct
import sys

import mqlint
from mqlint.config.user_cache import user_cache
from mqlint.source.digest import hex_digest

_LONGEST = 100
"""Bytes of a socket's path: systems allow 104 to 108."""
_CREDENTIALS = struct.Struct("3i")
"""Process, user and group of the other end, as Linux gives them."""


def is_available() -> bool:
    """Whether the system has what the server needs: copies of a process, and local sockets."""
    return hasattr(os, "fork") and hasattr(_socket, "AF_UNIX")


def is_usual() -> bool:
    """Whether this Python was started without options that the server may not have."""
    return not (sys.flags.optimize or sys.flags.dev_mode or sys.warnoptions or sys._xoptions)


def socket_path() -> str | None:
    """Return the path of the socket, in a folder that is this user's alone; None if none can be.

    Its name tells this release and this Python from all others, so that one never talks to another.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = f"{runtime}/mqlint" if os.path.isabs(runtime) else f"{user_cache()}/server"
    path = f"{folder}/{_identity()[:24]}.socket"
    return path if len(os.fsencode(path)) <= _LONGEST and _is_private(folder) else None


def is_own(path: str, kind: int) -> bool:
    """Whether a path leads, by no symbolic link, to something of this user's of one kind.

    `kind` is a value of `stat.S_IFMT`. Others may have no rights to it.
    """
    try:
        state = os.lstat(path)
    except OSError:
        return False
    return (
        stat.S_IFMT(state.st_mode) == kind
        and state.st_uid == os.geteuid()
        and not state.st_mode & 0o077
    )


def is_of_this_user(connection: _socket.socket) -> bool:
    """Whether a process of this user is at the other end; true where the system cannot tell."""
    option = getattr(_socket, "SO_PEERCRED", None)
    if option is None:
        return True
    found = connection.getsockopt(_socket.SOL_SOCKET, option, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(found)[1] == os.geteuid())


def _is_private(folder: str) -> bool:
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError:
        return False
    return is_own(folder, stat.S_IFDIR)


def _identity() -> str:
    parts = (
        *(mqlint.__version__, mqlint.__file__, sys.executable, sys.version),
        *(sys.getfilesystemencoding(), sys.flags.utf8_mode),
    )
    return hex_digest(repr(parts).encode("utf-8", "surrogatepass"))
