"""The secrets that readers find in one document, as stretches of its text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.lines import Span

if TYPE_CHECKING:
    from mqlint.language.script.step import Embedded

_RUN = later(r"[^\W_]+")
_AROUND = " \t\r\n'\""
_SHORTEST = 4
"""Values of fewer characters are not looked for elsewhere in the text: they are in many words."""


class Secrets:
    """Collects the stretches, and the values that variables bring to secret attributes."""

    __slots__ = ("_encoded", "_found", "_text", "_values")

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Span] = []
        self._values: set[str] = set()
        self._encoded: list[Span] = []

    def add(self, spans: Iterable[Span]) -> None:
        self._found += spans

    def add_encoded(self, inner: Embedded) -> None:
        """Add a text in base64: it is read, and masked as a whole when all has been read."""
        self._encoded.append((inner.host(0), inner.end))

    def add_inner(self, inner: Embedded, spans: Iterable[Span]) -> None:
        """Add places of a text inside this one.

        If the document has other words at a place, such as `$NAME`, the value is elsewhere. Places
        of a text in base64 are approximate: replaced there, it could not be decoded.
        """
        if inner.encoded:
            return
        for start, end in spans:
            value = inner.text[start:end]
            begin, stop = inner.host(start), inner.host(max(end - 1, start)) + 1
            if self._text[begin:stop] == value:
                self._found.append((begin, stop))
            elif is_known(value) and len(value.strip(_AROUND)) >= _SHORTEST:
                self._values.add(value.strip(_AROUND))
            else:
                self._found.append((begin, max(stop, begin + 1)))

    def encoded(self) -> Sequence[Span]:
        return self._encoded

    def unread(self, places: Iterable[Span]) -> Iterator[Span]:
        """Yield the places that are in no text in base64 that is read."""
        ends = dict(sorted(self._encoded))
        starts = [*ends]
        for place in places:
            number = bisect_right(starts, place[0]) - 1
            if number < 0 or place[0] >= ends[starts[number]]:
                yield place

    def spans(self) -> Iterator[Span]:
        yield from self._found
        if self._values:
            yield from self._copies()

    def _copies(self) -> Iterator[Span]:
        """Yield the places of a value as a word, found by its first run of letters and digits."""
        by_run: dict[str, set[tuple[int, str]]] = {}
        for value in self._values:
            first = _RUN.search(value)
            if first is not None:
                by_run.setdefault(first.group(), set()).add((first.start(), value))
        for run in _RUN.finditer(self._text):
            for offset, value in by_run.get(run.group(), ()):
                start = run.start() - offset
                if start >= 0 and self._text.startswith(value, start):
                    yield start, start + len(value)
