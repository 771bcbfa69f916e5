"""A cache in memory of readings, for documents that do not change between commands."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from mqlint.source.digest import hex_digest

if TYPE_CHECKING:
    from mqlint.engine.loading.load import Input, Loaded
    from mqlint.language.mqsc import Parser

_LARGEST = 1 << 18
"""Limit of the bytes of a document in the cache. Few documents are larger."""
_ROOM = 8 << 20
"""Limit of the bytes of all documents in the cache. Their readings need about 15 times as much."""


class ReadingCache:
    """Loaded documents, by everything that they depend on. A full cache is emptied.

    Like all readings, they contain no secret that mqlint recognised.
    """

    def __init__(self) -> None:
        self._loaded: dict[Hashable, Loaded] = {}
        self._size = 0
        self._new: list[tuple[Hashable, int]] = []

    def of(
        self, source: Input, data: bytes, settings: Hashable, read: Callable[[], Loaded]
    ) -> Loaded:
        """Return the loaded document with these bytes; call `read` if the cache does not have it.

        `settings` are the target and the templates with which it is read, and if it is judged.
        """
        if len(data) > _LARGEST:
            return read()
        key = (source.path, source.language, source.named, hex_digest(data), settings)
        found = self._loaded.get(key)
        if found is None:
            found = self._loaded[key] = read()
            self._new.append((key, len(data)))
        return found

    def packed(self) -> list[tuple[Hashable, int, Loaded, Any]]:
        """Return the new documents, ready to be pickled. The cache cannot be used afterwards."""
        from mqlint.engine.document.pack import pack

        rows = []
        for key, size in self._new:
            loaded = self._loaded[key]
            reading, loaded.reading = loaded.reading, None
            rows.append((key, size, loaded, None if reading is None else pack(reading)))
        return rows

    def add(self, rows: list[tuple[Hashable, int, Loaded, Any]], parser: Parser) -> None:
        """Add documents that another process has `packed`."""
        from mqlint.engine.document.pack import unpack

        for key, size, loaded, reading in rows:
            if self._size + size > _ROOM:
                self._loaded.clear()
                self._size = 0
            if reading is not None:
                loaded.reading = unpack(reading, parser)
            self._loaded[key] = loaded
            self._size += size
