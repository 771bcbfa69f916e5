"""The text of a pattern to a tree: the closed subset of regular expressions of `matches`.

Literals, escapes, classes, `.`, groups, alternation, `* + ? {m} {m,} {m,n}`, `^` and `$`.
Everything else that `re` knows is refused by name. `re._parser` makes a tree too, but one without
offsets, and its form changes with the release of Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from mqlint.dataclass import frozen
from mqlint.patterns import later

MAX_STATES = 1_000
"""The largest size of a pattern once its counted repetitions are written out."""

MAX_COUNT = 255
"""The largest number in `{m,n}`."""

MAX_DEPTH = 40
"""Limit of nested groups."""

LAST = 0x10FFFF

Ranges = tuple[tuple[int, int], ...]
"""Code points as sorted, disjoint, inclusive ranges."""


class PatternError(ValueError):
    """A pattern that is not in the subset; `offset` counts characters from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} (at character {offset + 1})")
        self.message = message
        self.offset = offset


@frozen
class PatternNode:
    """A part of a pattern, and what its check needs to know of the text it matches.

    A repetition has one item and repeats it `low` to `high` times, without limit when `high` is
    None. `offset` is the place in the pattern, `size` the number of states, `source` the text for
    `re`. `first` are the characters that a match may begin with, `chars` all that it may contain.
    """

    kind: Literal["chars", "start", "end", "sequence", "choice", "repeat"]
    offset: int
    source: str
    first: Ranges = ()
    chars: Ranges = ()
    nullable: bool = True
    size: int = 1
    items: tuple[PatternNode, ...] = ()
    low: int = 1
    high: int | None = 1


def united(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return `ranges` sorted, overlapping and adjoining ones made one."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return tuple(result)


def inverted(ranges: Ranges) -> Ranges:
    """Return every code point that is not in `ranges`."""
    starts = [0, *(high + 1 for _, high in ranges)]
    ends = [*(low - 1 for low, _ in ranges), LAST]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


_SETS: dict[str, Ranges] = {
    "d": ((0x30, 0x39),),
    "w": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)),
    "s": ((0x09, 0x0D), (0x20, 0x20)),
}
_SETS |= {letter.upper(): inverted(ranges) for letter, ranges in _SETS.items()}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_NOT_NEWLINE: Ranges = inverted(((0x0A, 0x0A),))
_BOUNDS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}

_COUNT = later(r"\{([0-9]{1,10})(,?)([0-9]{0,10})\}")
_CLASS = later(r"(?s)\[(\^?+)((?:\\.|[^\]\\])+)\]")
_ITEM = later(r"(?s)(\\.|.)(?:-(\\.|.))?")
_GROUP = later(r"\((\?:)?(?!\?)")
_REFUSED = (
    (r"\(\?[=!]", "look-ahead is not supported"),
    (r"\(\?<[=!]", "look-behind is not supported"),
    (r"\(\?[P<']", "named groups are not supported"),
    (r"\(", "flags and other groups with (? are not supported"),
    (r"\[\^?\]", r"an empty class matches nothing; write \] for a bracket"),
    (r"\[", "this class is not closed"),
    (r"\\\Z", "a backslash ends the pattern"),
    (r"\\[\dgk]", "back-references are not supported"),
    (r"\\[bBAZz]", "the assertion {0} is not supported; use ^ and $"),
    (r"\\.", "the escape {0} is not supported"),
)
"""Signs that are refused, with the reason; the first that matches counts."""


def parse_pattern(text: str) -> PatternNode:
    """Return the tree of the pattern `text`; PatternError when it is not in the subset."""
    parser = _Parser(text)
    node = parser.choice()
    if parser.at < len(text):
        raise PatternError("unbalanced ')'; write \\) for it", parser.at)
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        """Return the next character, nothing at the end."""
        return self.text[self.at : self.at + 1]

    def choice(self) -> PatternNode:
        """Read alternatives up to the end of the text or of the group."""
        start = self.at
        items = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            items.append(self.sequence())
        if len(items) == 1:
            return items[0]
        size = self._fitting(sum(item.size for item in items) + len(items) - 1, self.at)
        first = united(pair for item in items for pair in item.first)
        if all(item.kind == "chars" for item in items):  # one way to match instead of several
            ranges = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in first)
            return _chars(start, f"[{ranges}]", first, size)
        return PatternNode(
            kind="choice",
            offset=start,
            source=f"(?:{'|'.join(item.source for item in items)})",
            first=first,
            chars=united(pair for item in items for pair in item.chars),
            nullable=any(item.nullable for item in items),
            size=size,
            items=tuple(items),
        )

    def sequence(self) -> PatternNode:
        """Read up to a bar or the end of the group."""
        start, size = self.at, 0
        items: list[PatternNode] = []
        first: Ranges = ()
        nullable = True
        while (char := self.peek()) and char not in "|)":
            item = self._repeated(self._atom())
            size = self._fitting(size + item.size, self.at)
            items.append(item)
            if nullable:
                first, nullable = united(first + item.first), item.nullable
        if len(items) == 1:
            return items[0]
        return PatternNode(
            kind="sequence",
            offset=start,
            source="".join(item.source for item in items),
            first=first,
            chars=united(pair for item in items for pair in item.chars),
            nullable=nullable,
            size=max(size, 1),
            items=tuple(items),
        )

    def _repeated(self, item: PatternNode) -> PatternNode:
        """Read the repetition sign after `item`, if there is one."""
        start, char = self.at, self.peek()
        if not char or char not in "*+?{":
            return item
        if item.kind in ("start", "end"):
            raise PatternError(f"nothing to repeat before {char!r}", start)
        low, high = self._bounds(char)
        following = self.peek()
        if following and following in "*+?{":
            kind = {"?": "lazy repetition", "+": "possessive repetition"}.get(following)
            message = f"{kind} is not supported" if kind else "a repetition cannot be repeated"
            raise PatternError(message, self.at)
        copies = max(low + 1 if high is None else high, 1)
        return PatternNode(
            kind="repeat",
            offset=start,
            source=f"(?:{item.source}){self.text[start : self.at]}",
            first=item.first if high != 0 else (),
            chars=item.chars if high != 0 else (),
            nullable=item.nullable or low == 0,
            size=self._fitting(item.size * copies + copies, start),
            items=(item,),
            low=low,
            high=high,
        )

    def _bounds(self, char: str) -> tuple[int, int | None]:
        """Read one repetition sign and return the least and the greatest number."""
        if char != "{":
            self.at += 1
            return _BOUNDS[char]
        count = _COUNT.match(self.text, self.at)
        if count is None:
            raise PatternError("expected {m}, {m,} or {m,n}; write \\{ for a brace itself", self.at)
        low = int(count[1])
        high = int(count[3]) if count[3] else (None if count[2] else low)
        if max(low, high or 0) > MAX_COUNT:
            raise PatternError(f"a count is at most {MAX_COUNT}", self.at)
        if high is not None and high < low:
            raise PatternError("the greatest count is smaller than the least", self.at)
        self.at = count.end()
        return low, high

    def _atom(self) -> PatternNode:
        """Read one character, class, anchor or group."""
        start, char = self.at, self.peek()
        if char in "*+?{":
            raise PatternError(f"nothing to repeat before {char!r}; write \\{char} for it", start)
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        self.at += 1
        if char in "^$":
            return PatternNode(
                "start" if char == "^" else "end", start, "^" if char == "^" else r"\Z"
            )
        if char == ".":
            return _chars(start, ".", _NOT_NEWLINE)
        if char == "\\":
            self.at += 1
            return _chars(start, *self._char(self.text[start : self.at], start))
        return _chars(start, *self._char(char, start))

    def _group(self) -> PatternNode:
        """Read `( )` or `(?: )`."""
        start = self.at
        opening = _GROUP.match(self.text, start)
        if opening is None:
            raise self._refused(start)
        self.at = opening.end()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PatternError(f"groups are nested more than {MAX_DEPTH} deep", start)
        inner = self.choice()
        if self.peek() != ")":
            raise PatternError("this group is not closed", start)
        self.at += 1
        self.depth -= 1
        return inner

    def _class(self) -> PatternNode:
        """Read `[...]`; what `re` may once read as a set operation is escaped in the source."""
        start = self.at
        found = _CLASS.match(self.text, start)
        if found is None:
            raise self._refused(start)
        ranges: list[tuple[int, int]] = []
        source = ""
        for item in _ITEM.finditer(found[2]):
            offset = found.start(2) + item.start()
            written, low = self._char(item[1], offset)
            if item[2] is not None:
                last, high = self._char(item[2], found.start(2) + item.start(2))
                if any(len(end) != 1 or end[0][0] != end[0][1] for end in (low, high)):
                    raise PatternError("a range needs a single character at both ends", offset)
                if high[0][0] < low[0][0]:
                    raise PatternError("this range is reversed", offset)
                written, low = f"{written}-{last}", ((low[0][0], high[0][0]),)
            ranges += low
            source += written
        self.at = found.end()
        chars = inverted(united(ranges)) if found[1] else united(ranges)
        return _chars(start, f"[{found[1]}{source}]", chars)

    def _char(self, text: str, offset: int) -> tuple[str, Ranges]:
        """Return a character or escape as `re` reads it, and the code points it stands for."""
        if text[0] != "\\":
            return re.escape(text), ((ord(text), ord(text)),)
        char = text[1:]
        if char in _SETS:
            return text, _SETS[char]
        if not char or (char.isalnum() and char not in _CONTROLS):
            raise self._refused(offset)
        char = _CONTROLS.get(char, char)
        return re.escape(char), ((ord(char), ord(char)),)

    def _refused(self, offset: int) -> PatternError:
        """The fault in the text at `offset`, which is known to have one."""
        for form, message in _REFUSED:
            found = re.compile(form, re.DOTALL).match(self.text, offset)
            if found is not None:
                return PatternError(message.format(found[0]), offset)
        raise AssertionError(f"nothing is wrong with {self.text!r} at {offset}")

    def _fitting(self, size: int, offset: int) -> int:
        """Return `size`, or refuse a pattern that would grow too large."""
        if size > MAX_STATES:
            message = f"the pattern is too large: more than {MAX_STATES} states written out"
            raise PatternError(message, offset)
        return size


def _chars(offset: int, source: str, ranges: Ranges, size: int = 1) -> PatternNode:
    return PatternNode("chars", offset, source, ranges, ranges, nullable=False, size=size)
