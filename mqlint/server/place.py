"""Where the socket of the server is: one for each user, release and Python."""

from __future__ import annotations

import os
import socket
import stat
import struct
import sys
from pathlib import Path

import mqlint
from mqlint.config.user_cache import user_cache
from mqlint.source.digest import hex_digest

_LONGEST = 100
"""Bytes of a socket's path: systems allow 104 to 108."""
_CREDENTIALS = struct.Struct("3i")
"""Process, user and group of the other end, as Linux gives them."""


def is_available() -> bool:
    """Whether the system has what the server needs: copies of a process, and local sockets."""
    return hasattr(os, "fork") and hasattr(socket, "AF_UNIX")


def is_usual() -> bool:
    """Whether this Python was started without options that the server may not have."""
    return not (sys.flags.optimize or sys.flags.dev_mode or sys.warnoptions or sys._xoptions)


def socket_path() -> Path | None:
    """Return the path of the socket, in a folder that is this user's alone; None if none can be.

    Its name tells this release and this Python from all others, so that one never talks to another.
    """
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    folder = runtime / "mqlint" if runtime.is_absolute() else user_cache() / "server"
    path = folder / f"{_identity()[:24]}.socket"
    return path if len(os.fsencode(path)) <= _LONGEST and _is_private(folder) else None


def is_own(path: Path, kind: int) -> bool:
    """Whether a path leads, by no symbolic link, to something of this user's of one kind.

    `kind` is a value of `stat.S_IFMT`. Others may have no rights to it.
    """
    try:
        state = path.lstat()
    except OSError:
        return False
    return (
        stat.S_IFMT(state.st_mode) == kind
        and state.st_uid == os.geteuid()
        and not state.st_mode & 0o077
    )


def is_of_this_user(connection: socket.socket) -> bool:
    """Whether a process of this user is at the other end; true where the system cannot tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    found = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(found)[1] == os.geteuid())


def _is_private(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return is_own(folder, stat.S_IFDIR)


def _identity() -> str:
    parts = (
        *(mqlint.__version__, mqlint.__file__, sys.executable, sys.version),
        *(sys.getfilesystemencoding(), sys.flags.utf8_mode),
    )
    return hex_digest(repr(parts).encode("utf-8", "surrogatepass"))
