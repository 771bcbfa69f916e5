"""Bytes of one file, or the reason why there are none."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mqlint.dataclass import frozen

LIMIT = 256 * 1024 * 1024
"""The size of the largest file that is read by default, in bytes."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


_FOLDER = "it is a folder"


@frozen
class Unreadable:
    """A file that was not read; `reason` completes "not read: " for a person."""

    reason: str


def read(path: Path | str, *, limit: int = LIMIT) -> bytes | Unreadable:
    """Return the bytes of the file `path`, or why it was not read; never raises.

    Only regular files are opened (a symbolic link counts as what it points to). A file of more
    than `limit` bytes is not read.
    """
    try:
        # Asked before it is opened: opening alone can start a tape or wake a reader of a pipe.
        reason = _not_a_file(os.stat(path).st_mode)  # noqa: PTH116 a str is read as it is
        if reason == _FOLDER:
            os.scandir(path).close()  # OSError if it may not be listed
        if reason is not None:
            return Unreadable(reason)
        return _read_open(os.open(path, _FLAGS), limit)
    except OSError as error:
        return Unreadable(why_unread(error))
    except ValueError:
        return Unreadable("the name is not a file name (it has a NUL character)")
    except MemoryError:
        return Unreadable("not enough memory for a file of this size")


def _read_open(handle: int, limit: int) -> bytes | Unreadable:
    try:
        state = os.fstat(handle)
        reason = _not_a_file(state.st_mode)  # again, as the name may have changed hands
        if reason is not None:
            return Unreadable(reason)
        if state.st_size > limit:
            return too_large(limit)
        # The size is a hint only: a log grows while it is read, and /proc says 0.
        chunks: list[bytes] = []
        wanted = min(state.st_size, limit) + 1
        left = limit + 1
        while left > 0 and (chunk := os.read(handle, min(wanted, left))):
            chunks.append(chunk)
            left -= len(chunk)
            wanted = 1 << 16
        if left <= 0:
            return too_large(limit)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)
    finally:
        os.close(handle)


def too_large(limit: int) -> Unreadable:
    return Unreadable(f"larger than the limit of {limit:,} bytes")


def _not_a_file(mode: int) -> str | None:
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return _FOLDER
    if stat.S_ISFIFO(mode):
        return "it is a pipe (give its text on standard input instead)"
    if stat.S_ISSOCK(mode):
        return "it is a socket"
    return "it is a device"


def why_unread(error: OSError) -> str:
    """Return why the system does not let a file be read, in few words."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    return (error.strerror or str(error)).lower()
