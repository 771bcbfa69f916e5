"""Single files of object stores, as Arrow's own client reads them."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
from pyarrow.fs import FileInfo, FileSystem

from mqlint.config.object_store import answer_of
from mqlint.source.read import Unreadable, too_large

FAILED: Final = (OSError, ValueError, pa.ArrowException)


class Objects:
    """Reads files of object stores; keeps the clients that it made."""

    def __init__(self) -> None:
        """Begin without a client."""
        self._stores: dict[str, FileSystem] = {}

    def read(self, address: str, path: str, limit: int) -> bytes | Unreadable:
        """Return the bytes of a file of the store at `address`, or why there are none."""
        try:
            if address not in self._stores:
                self._stores[address], _ = FileSystem.from_uri(address)
            [info] = self._stores[address].get_file_info([path])
        except FAILED as error:
            return Unreadable(reason_of(error))
        return read_object(self._stores[address], info, limit)


def read_object(store: FileSystem, info: FileInfo, limit: int) -> bytes | Unreadable:
    """Return the bytes of a file of at most `limit` bytes, or why there are none."""
    if info.size > limit:
        return too_large(limit)
    try:
        with store.open_input_stream(info.path) as stream:
            data = bytes(stream.read())
    except FAILED as error:
        return Unreadable(reason_of(error))
    return data if len(data) == info.size else Unreadable("it changed while it was read")


def reason_of(error: Exception) -> str:
    is_missing = isinstance(error, FileNotFoundError)
    return "no such file or folder" if is_missing else answer_of(error)
