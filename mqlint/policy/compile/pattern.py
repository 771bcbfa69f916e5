r"""The regular expressions of the condition `matches`.

`re` goes back to its last choice when it fails, which takes exponential time for some patterns.
Therefore a pattern is checked when a policy is loaded (`check_pattern`):

- Inside a repetition the next character decides each choice: alternatives begin with different
  characters, and what is repeated there cannot go on with a character that may follow it.
- Of two unbounded repetitions that a character in common may follow each other by, one must be
  kept apart by a character between them which it cannot contain.
- All other choices together make at most `MAX_WAYS` ways.

What remains takes time in line with the length of a value from one place. A search begins at every
place, which multiplies it by the length again, unless the pattern begins with `^` or with a
character that its repetition cannot contain. Longer values than `LONGEST` (`LONGEST_ANYWHERE`) are
not matched: the answer is unknown.

`\d`, `\w` and `\s` are those of ASCII; `.` is anything but a line feed; `$` is the very end of the
value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from itertools import combinations

from mqlint.dataclass import frozen
from mqlint.policy.compile.logic import Truth
from mqlint.policy.compile.pattern_syntax import (
    LAST,
    PatternError,
    PatternNode,
    Ranges,
    parse_pattern,
    united,
)

__all__ = [
    "LONGEST",
    "LONGEST_ANYWHERE",
    "Pattern",
    "PatternError",
    "compile_pattern",
    "pattern_of",
]

LONGEST = 16_384
"""The most characters of a value that a pattern is matched against."""

LONGEST_ANYWHERE = 1_024
"""The same for a pattern that may read a value again from each of its places."""

MAX_WAYS = 100
"""In how many ways the bounded choices of a pattern may be made."""


class Pattern:
    """A pattern that is read and compiled when it first meets a value: most never do."""

    __slots__ = ("_longest", "_search", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._longest = 0
        self._search: Callable[[str], object] | None = None

    def compile(self) -> Callable[[str], object]:
        """Return the search; PatternError if it is not in the subset, or not matched fast."""
        if self._search is None:
            node = parse_pattern(self.text)
            self._longest = LONGEST_ANYWHERE if _reads_again(node) else LONGEST
            self._search = re.compile(node.source, re.ASCII).search
        return self._search

    def search(self, value: str) -> Truth:
        """Whether the pattern occurs anywhere in `value`; None for a value that is too long."""
        search = self._search or self.compile()
        return None if len(value) > self._longest else search(value) is not None

    @property
    def longest(self) -> int:
        """The most characters of a value that it is matched against."""
        self.compile()
        return self._longest

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"


pattern_of = lru_cache(maxsize=4096)(Pattern)
"""Returns the pattern of a text that was checked before, the same one for all policies."""


def compile_pattern(text: str) -> Pattern:
    """Return the pattern written as `text`; PatternError when it is refused."""
    pattern = pattern_of(text)
    pattern.compile()
    return pattern


def _reads_again(pattern: PatternNode) -> bool:
    """Whether a search may read a value from many places; PatternError for worse than that."""
    if _ways(pattern, ()) > MAX_WAYS:
        raise PatternError(f"more than {MAX_WAYS} ways to match the same text", pattern.offset)
    rows = _Rows()
    rows.after(pattern, {_ANYWHERE: _Open(((0, LAST),))})
    return rows.reads_again


def _ways(node: PatternNode, follow: Ranges) -> int:
    """In how many ways bounded choices are made before text that begins with one of `follow`.

    PatternError for a choice inside a repetition that the next character does not decide.
    """
    if node.kind == "sequence":
        ways = 1
        for item in reversed(node.items):
            ways *= _ways(item, follow)
            if ways > MAX_WAYS:
                raise PatternError(f"more than {MAX_WAYS} ways to match the same text", item.offset)
            follow = united(follow + item.first) if item.nullable else item.first
        return ways
    if node.kind == "choice":
        ways_of_items = [_ways(item, follow) for item in node.items]
        return max(ways_of_items) if _is_decided(node, follow) else sum(ways_of_items)
    if node.kind != "repeat" or node.high == 0:
        return 1
    (item,) = node.items
    ends_early = node.low != node.high and _overlap(item.first, follow)
    if node.high == 1:
        return _ways(item, follow) + ends_early
    _require_decided(item, item.first, node)
    return node.high - node.low + 1 if ends_early and node.high is not None else 1


def _is_decided(choice: PatternNode, follow: Ranges) -> bool:
    """Whether the next character says which of the alternatives to take."""
    nullable = [item for item in choice.items if item.nullable]
    return (
        not any(_overlap(item.first, other.first) for item, other in combinations(choice.items, 2))
        and len(nullable) <= 1
        and not (nullable and _overlap(choice.first, follow))
    )


def _require_decided(node: PatternNode, follow: Ranges, outer: PatternNode) -> None:
    """Refuse a part of the repetition `outer` with a choice that the next character leaves open."""
    if outer.items[0].nullable:
        raise PatternError("the repeated part can match empty text", outer.offset)
    if node.kind == "choice" and not _is_decided(node, follow):
        raise PatternError(
            "alternatives in a repetition must begin with different characters", node.offset
        )
    if node.kind == "repeat" and node.low != node.high and _overlap(node.first, follow):
        raise PatternError(
            "a repetition in a repetition must end where no character of its own can follow",
            node.offset,
        )
    if node.kind == "repeat" and node.high != 1:
        follow = united(follow + node.first)
    for item in reversed(node.items):
        _require_decided(item, follow, outer)
        if node.kind == "sequence":
            follow = united(follow + item.first) if item.nullable else item.first
    if node.kind == "repeat" and node.items[0].nullable and node.high != 1:
        raise PatternError("the repeated part can match empty text", node.offset)


@frozen
class _Open:
    """An unbounded repetition of `chars` that `re` can still go back into.

    `between` are the classes of characters that have come after it, on each way through the
    pattern.
    """

    chars: Ranges
    between: frozenset[Ranges] = frozenset()


_Row = Mapping[int, _Open]
"""The repetitions that are open at a place in the pattern, by their offsets."""

_ANYWHERE = -1
"""The offset of the start of a search: like a repetition of any character before the pattern."""


class _Rows:
    """Finds unbounded repetitions that are in a row with nothing to keep them apart."""

    def __init__(self) -> None:
        self.reads_again = False

    def after(self, node: PatternNode, row: _Row) -> _Row:
        """Return the repetitions that are open after `node`, given those that are open before."""
        if node.kind == "start":
            return {offset: loop for offset, loop in row.items() if offset != _ANYWHERE}
        if node.kind == "chars":
            return {
                offset: _Open(loop.chars, loop.between | {node.chars})
                for offset, loop in row.items()
                if _overlap(loop.chars, node.chars)
            }
        if node.kind == "choice":
            return reduce(_merged, (self.after(item, row) for item in node.items))
        if node.kind == "sequence":
            return reduce(lambda before, item: self.after(item, before), node.items, row)
        if node.kind != "repeat" or node.high == 0:
            return row
        is_loop = node.high != 1 and _is_unbounded(node)
        after = self._after_loop(node, row) if is_loop else self.after(node.items[0], row)
        return _merged(after, row) if node.low == 0 else after

    def _after_loop(self, node: PatternNode, row: _Row) -> _Row:
        """The same for an unbounded repetition; PatternError when it is not kept apart."""
        shared = {at: loop for at, loop in row.items() if _overlap(loop.chars, node.first)}
        for offset, loop in shared.items():
            if any(not _overlap(chars, node.chars) for chars in loop.between):
                continue
            if offset != _ANYWHERE:
                message = (
                    f"this repetition and the one at character {offset + 1} can take the same text:"
                    " put a character between them that one of them cannot contain"
                )
                raise PatternError(message, node.offset)
            self.reads_again = True
        return {**shared, node.offset: _Open(node.chars)}


def _merged(row: _Row, other: _Row) -> _Row:
    """The repetitions that are open on one of two ways, with what is between on both."""
    both = {
        at: _Open(row[at].chars, row[at].between & other[at].between)
        for at in row.keys() & other.keys()
    }
    return {**row, **other, **both}


def _is_unbounded(node: PatternNode) -> bool:
    """Whether a node repeats something without bound."""
    return (node.kind == "repeat" and node.high is None) or any(map(_is_unbounded, node.items))


def _overlap(chars: Ranges, others: Ranges) -> bool:
    return any(
        low <= other_high and other_low <= high
        for low, high in chars
        for other_low, other_high in others
    )
