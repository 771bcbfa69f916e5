"""Limits of what is stored of one text, so that memory stays in proportion to its size.

No configuration reaches these limits. Text beyond them is counted and reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later
from mqlint.vocabulary.limits import COMMAND

LONG = 1 << 16
"""Characters of a slice that is checked before it is cut up: see `can_be_cut`."""

SHORT = 3
"""Characters of a text of values that commands share: see `Shared`."""

WIDE = 96
"""Characters of a slice whose values stay separate, because they are long and soon asked for."""

_SHARED = 1 << 14

MOST_VALUES = COMMAND // len("(\0)") + 1
"""So many values, even empty ones, make a command longer than one may be."""

MOST_OF_A_KIND = 5_000
"""Limit of the diagnostics of one kind for one text."""

MOST_UNKNOWN = 10_000
"""Limit of the commands without a verb and a noun of one text."""

_ROOM = 1 << 23
_ROOM_EACH = 8
_FORM = 1200
_WORD_OF_FORM = 128
_WORD = later(r"[^ \t\r\n\f\v,]+")


class Shared(dict[str, str]):
    """Short texts of values, each stored once; without room, texts are returned unchanged."""

    __slots__ = ()

    def __missing__(self, text: str) -> str:
        """Keep `text` for the next that is equal to it."""
        if len(self) < _SHARED:
            self[text] = text
        return text


class Counts:
    """The number of diagnostics of each kind for one text, with their limits."""

    __slots__ = ("_counts", "_first")

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, tuple[int, int]] = {}

    def has_room(self, code: str) -> bool:
        return self._counts[code] < MOST_OF_A_KIND

    def takes(self, code: str, start: int, end: int, count: int = 1) -> bool:
        """Count a diagnostic, or `count` of them at one place; return whether it is stored."""
        self._counts[code] += count
        if self._counts[code] <= MOST_OF_A_KIND:
            return True
        self._first.setdefault(code, (start, end))
        return False

    def rest(self) -> Iterator[Diagnostic]:
        """Yield, for each kind beyond its limit, how many more there are."""
        for code, span in self._first.items():
            count = self._counts[code] - MOST_OF_A_KIND
            what = f"{count:,} more errors of the same kind ({code}) begin here"
            yield diagnostic("beyond-limits", span, what=what)


class FormQuota:
    """The limit of new forms of one text, in proportion to its length.

    Which forms are refused depends on the text alone, not on earlier texts.
    """

    __slots__ = ("_least", "_met", "_room")

    def __init__(self, size: int) -> None:
        """Make room for the forms of a text of `size` characters."""
        self._met: set[str] = set()
        self._room = _ROOM + _ROOM_EACH * size
        self._least = self._room

    def admits(self, skeleton: str) -> bool:
        """Whether the form of `skeleton` was admitted before, or there is room for it."""
        if skeleton in self._met:
            return True
        most = _FORM + 2 * _WORD_OF_FORM * len(skeleton)
        if most <= self._least:  # most texts have room for more words than they have characters
            self._least -= most
            self._met.add(skeleton)
            return True
        if self._least >= 0:
            self._least = -1
            self._room -= sum(map(_cost, self._met))
        cost = _cost(skeleton)
        if cost > self._room:
            return False
        self._room -= cost
        self._met.add(skeleton)
        return True


def _cost(skeleton: str) -> int:
    words = sum(1 for _ in _WORD.finditer(skeleton)) + skeleton.count("\0")
    return _FORM + _WORD_OF_FORM * words


def can_be_cut(chunk: str) -> bool:
    """Whether a slice has not more lines and values than a command can have."""
    return chunk.count("(") + chunk.count("\n") < MOST_VALUES


def is_too_long(words: str) -> bool:
    """Return whether a skeleton with single blanks between its words is longer than a command.

    Each value counts as three characters, as in the text of a shape.
    """
    if len(words) + 2 * words.count("\0") <= COMMAND:
        return False
    size = 2 * words.count("\0") - 1
    for word in _WORD.finditer(words):
        size += word.end() - word.start() + 1
        if size > COMMAND:
            return True
    return False
