"""Readings kept in memory for the next command: those of documents that have not changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from mqlint.source.digest import hex_digest

if TYPE_CHECKING:
    from mqlint.engine.load import Input, Loaded
    from mqlint.language.mqsc import Parser

_LARGEST = 1 << 18
"""Bytes of a document that is kept: few are larger, and reading those is the least of the work."""
_ROOM = 8 << 20
"""Bytes of all of them: their readings take some fifteen times as much."""


class KeptReadings:
    """What became of documents, by all that it depends on; without room all are dropped.

    Like all readings, they hold no secrets that were found.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: dict[Hashable, Loaded] = {}
        self._size = 0
        self._new: list[tuple[Hashable, int]] = []

    def of(
        self, source: Input, data: bytes, judged_by: Hashable, read: Callable[[], Loaded]
    ) -> Loaded:
        """Return what became of a document with these bytes; `read` if that is not known.

        `judged_by` is what it is judged by.
        """
        if len(data) > _LARGEST:
            return read()
        key = (source.path, source.language, source.named, hex_digest(data), judged_by)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = read()
            self._new.append((key, len(data)))
        return found

    def packed(self) -> list[tuple[Hashable, int, Loaded, Any]]:
        """Return what was read here, to be pickled; it is of no use here any more."""
        from mqlint.engine.pack import pack

        rows = []
        for key, size in self._new:
            loaded = self._kept[key]
            reading, loaded.reading = loaded.reading, None
            rows.append((key, size, loaded, None if reading is None else pack(reading)))
        return rows

    def add(self, rows: list[tuple[Hashable, int, Loaded, Any]], parser: Parser) -> None:
        """Take in what another process has `packed`."""
        from mqlint.engine.pack import unpack

        for key, size, loaded, reading in rows:
            if self._size + size > _ROOM:
                self._kept.clear()
                self._size = 0
            if reading is not None:
                loaded.reading = unpack(reading, parser)
            self._kept[key] = loaded
            self._size += size
