"""What takes long to build, kept as JSON in the user's own cache folder."""

from __future__ import annotations

import json
import os
import stat
from binascii import crc32
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mqlint.config.json_reader import read_json

if TYPE_CHECKING:
    from typing import BinaryIO

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]
"""What JSON holds."""

_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cached(
    folder: Path | None,
    name: str,
    key: str,
    build: Callable[[], JsonValue],
    kind: type = object,
) -> JsonValue:
    """Return what `build` returns, from the file `name`.json in `folder` if it carries `key`.

    `key` is a digest of all that the value depends on, `kind` the type that it has. The file is
    trusted only in an `own_folder`. If it cannot be trusted, read or understood, or is damaged,
    the value is built again, and stored if possible. Without a folder nothing is stored.
    """
    if folder is None or not own_folder(folder):
        return build()
    path = folder / f"{name}.json"
    found = value_in(read_own(path), key)
    if found is not None and isinstance(found[0], kind):
        return found[0]
    value = build()
    _store(path, sealed(key, value))
    return value


def cached_lines(
    folder: Path | None, name: str, key: str, build: Callable[[], Sequence[JsonValue]]
) -> list[str]:
    """Return what `build` returns, each value as JSON in a line, by the rules of `cached`.

    So a reader takes apart only those values that it needs.
    """
    if folder is None or not own_folder(folder):
        return _lines(build())
    path = folder / f"{name}.jsonl"
    found = lines_in(read_own(path), key)
    if found is not None:
        return found
    data = sealed_lines(key, build())
    _store(path, data)
    return lines_in(data, key) or []


def _lines(values: Sequence[JsonValue]) -> list[str]:
    return [json.dumps(value) for value in values]


def sealed_lines(key: str, values: Sequence[JsonValue]) -> bytes:
    body = "\n".join(_lines(values)).encode()
    return _seal(key, body) + b"\n" + body


def lines_in(data: bytes | None, key: str) -> list[str] | None:
    """Return the lines that `sealed_lines` put into a file; None if it is another or damaged."""
    head, _, body = (data or b"").partition(b"\n")
    return body.decode().split("\n") if data is not None and head == _seal(key, body) else None


def _seal(key: str, body: bytes) -> bytes:
    """The first line of such a file: what lines depend on, and a sum that tells damaged ones."""
    return json.dumps([key, len(body), crc32(body)]).encode()


def sealed(key: str, value: JsonValue) -> bytes:
    """Return a file of a value: what it depends on, and a sum that tells a damaged one, first."""
    body = json.dumps(value).encode()
    return _start(key, body) + body + _END


def _start(key: str, body: bytes) -> bytes:
    return f'{{"key": {json.dumps(key)}, "sum": {crc32(body)}, "value": '.encode()


_END = b"}\n"
_VALUE = b', "value": '


def own_folder(folder: Path) -> bool:
    """Return whether a folder is this user's own, not a symbolic link, and not writable by others.

    A missing folder is created.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(state.st_mode) and is_ours(state)


def is_ours(state: os.stat_result) -> bool:
    """Return whether a file or a folder is this user's own, and others may not write to it."""
    getuid = getattr(os, "getuid", None)
    if getuid is None:  # Windows: a profile's folders are its user's by their access lists
        return True
    return state.st_uid == getuid() and not state.st_mode & _OTHERS_MAY_WRITE


def value_in(data: bytes | None, key: str) -> tuple[JsonValue] | None:
    """Return the value that `sealed` put into a file; None if it is another or damaged."""
    if data is None:
        return None
    head, _, rest = data.partition(_VALUE)
    body = rest.removesuffix(_END)
    if head + _VALUE != _start(key, body):
        return None
    try:
        return (read_json(body),)
    except ValueError:
        return None


def read_own(path: Path) -> bytes | None:
    """Return what a file holds, None if it is not there, or others may have written it."""
    file = open_own(path)
    if file is None:
        return None
    with file:
        try:
            return file.read()
        except OSError:
            return None


def open_own(path: Path) -> BinaryIO | None:
    """Return a file for reading, None if it is not there, or others may have written it."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        file = os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb")
    except (OSError, ValueError):
        return None
    state = os.fstat(file.fileno())
    if stat.S_ISREG(state.st_mode) and is_ours(state):
        return file
    file.close()
    return None


def _store(path: Path, data: bytes) -> None:
    """Write beside the file, then rename: a reader sees the old file or the new one, whole."""
    other = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        try:
            with os.fdopen(os.open(other, flags, 0o600), "wb") as file:
                file.write(data)
            other.replace(path)
        except OSError:
            other.unlink(missing_ok=True)
    except OSError:
        return  # a full or read-only disk costs time, not the run
