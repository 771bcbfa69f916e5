"""The text of a pattern to a tree: the closed subset of regular expressions of `matches`.

Literals, escapes, classes, `.`, groups, alternation, `* + ? {m} {m,} {m,n}`, `^` and `$`.
Everything else that regular expressions know is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAX_STATES = 1_000
"""The most states a pattern may have once its counted repetitions are written out."""

MAX_COUNT = 255
"""The largest number that may stand in `{m,n}`."""

MAX_DEPTH = 40
"""How deep groups may stand in groups."""

LAST = 0x10FFFF

Ranges = tuple[tuple[int, int], ...]
"""Code points as sorted, disjoint, inclusive ranges."""


class PatternError(ValueError):
    """A pattern that is not in the subset; `offset` counts characters from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} (at character {offset + 1})")
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of `ranges`."""

    ranges: Ranges
    size: int = 1


@dataclass(frozen=True, slots=True)
class Anchor:
    """The start of the value, or its end."""

    start: bool
    size: int = 1


@dataclass(frozen=True, slots=True)
class Sequence:
    """One item after the other; nothing at all when there are none."""

    items: tuple[Node, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of the items."""

    items: tuple[Node, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """`item` from `low` to `high` times; without limit when `high` is None."""

    item: Node
    low: int
    high: int | None
    size: int


Node = Chars | Anchor | Sequence | Choice | Repeat

DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
BLANKS: Ranges = ((0x09, 0x0D), (0x20, 0x20))
NOT_NEWLINE: Ranges = ((0, 0x09), (0x0B, LAST))
_CONTROLS = {"t": 0x09, "n": 0x0A, "r": 0x0D, "f": 0x0C}
_LOOK = {"=": "look-ahead", "!": "look-ahead", "<=": "look-behind", "<!": "look-behind"}


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
    result: list[tuple[int, int]] = []
    at = 0
    for low, high in ranges:
        if at < low:
            result.append((at, low - 1))
        at = high + 1
    if at <= LAST:
        result.append((at, LAST))
    return tuple(result)


def folded(ranges: Ranges) -> Ranges:
    """Return `ranges` with both cases of every ASCII letter in it (MQ's own names are ASCII)."""
    more = list(ranges)
    for low, high in ranges:
        for first, shift in ((0x41, 32), (0x61, -32)):
            start, end = max(low, first), min(high, first + 25)
            if start <= end:
                more.append((start + shift, end + shift))
    return united(more)


_SETS: dict[str, Ranges] = {
    "d": DIGITS,
    "w": WORD,
    "s": BLANKS,
    "D": inverted(DIGITS),
    "W": inverted(WORD),
    "S": inverted(BLANKS),
}


class _Reader:
    """One pass over the text of a pattern."""

    def __init__(self, text: str, ignore_case: bool) -> None:
        self.text = text
        self.ignore_case = ignore_case
        self.at = 0
        self.depth = 0

    def choice(self) -> Node:
        """Read alternatives up to the end of the text or of the group."""
        items = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            items.append(self.sequence())
        if len(items) == 1:
            return items[0]
        return Choice(tuple(items), self.fits(sum(item.size for item in items) + len(items) - 1))

    def sequence(self) -> Node:
        """Read what stands between two bars."""
        items: list[Node] = []
        size = 0
        while (char := self.peek()) and char not in "|)":
            item = self.repeated(self.atom())
            size = self.fits(size + item.size)
            items.append(item)
        if len(items) == 1:
            return items[0]
        return Sequence(tuple(items), max(size, 1))

    def repeated(self, item: Node) -> Node:
        """Read the repetition behind `item`, if there is one."""
        start = self.at
        char = self.peek()
        if not char or char not in "*+?{":
            return item
        if isinstance(item, Anchor):
            raise PatternError(f"nothing to repeat before {char!r}", start)
        low, high = self.bounds(char)
        following = self.peek()
        if following and following in "*+?{":
            kind = {"?": "lazy repetition", "+": "possessive repetition"}.get(following)
            message = f"{kind} is not supported" if kind else "a repetition cannot be repeated"
            raise PatternError(message, self.at)
        copies = max(low + 1 if high is None else high, 1)
        size = self.fits(item.size * copies + copies, start)
        return Repeat(item, low, high, size)

    def bounds(self, char: str) -> tuple[int, int | None]:
        """Read one repetition sign and return the least and the greatest number."""
        if char == "{":
            return self.counts()
        self.at += 1
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]

    def counts(self) -> tuple[int, int | None]:
        """Read `{m}`, `{m,}` or `{m,n}`."""
        start = self.at
        end = self.text.find("}", start, start + 12)
        low_text, comma, high_text = self.text[start + 1 : max(end, start)].partition(",")
        numbers = (low_text, high_text or "0")
        if end < 0 or not all(number.isascii() and number.isdigit() for number in numbers):
            raise PatternError("expected {m}, {m,} or {m,n}; write \\{ for a brace itself", start)
        low = int(low_text)
        high = int(high_text) if high_text else (None if comma else low)
        if max(low, high or 0) > MAX_COUNT:
            raise PatternError(f"a count is at most {MAX_COUNT}", start)
        if high is not None and high < low:
            raise PatternError("the greatest count is smaller than the least", start)
        self.at = end + 1
        return low, high

    def atom(self) -> Node:
        """Read one character, class, anchor or group."""
        start = self.at
        char = self.text[start]
        if char == "(":
            return self.group()
        if char in "*+?{":
            raise PatternError(f"nothing to repeat before {char!r}; write \\{char} for it", start)
        self.at += 1
        if char in "^$":
            return Anchor(char == "^")
        if char == "[":
            return Chars(self.char_class(start))
        if char == ".":
            return Chars(NOT_NEWLINE)
        if char == "\\":
            return Chars(self.cased(self.escape()))
        return Chars(self.cased(((ord(char), ord(char)),)))

    def group(self) -> Node:
        """Read `( )` or `(?: )`."""
        start = self.at
        self.at += 1
        if self.peek() == "?":
            self.group_kind(start)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PatternError(f"groups stand more than {MAX_DEPTH} deep", start)
        inner = self.choice()
        if self.peek() != ")":
            raise PatternError("this group is not closed", start)
        self.at += 1
        self.depth -= 1
        return inner

    def group_kind(self, start: int) -> None:
        """Pass `?:`; refuse by name what other engines write behind `(?`."""
        rest = self.text[self.at + 1 : self.at + 3]
        if rest[:1] == ":":
            self.at += 2
            return
        look = _LOOK.get(rest[:1]) or _LOOK.get(rest)
        if look:
            raise PatternError(f"{look} is not supported", start)
        if rest[:1] in ("P", "<", "'"):
            raise PatternError("named groups are not supported", start)
        raise PatternError("flags and other groups with (? are not supported", start)

    def escape(self) -> Ranges:
        """Read what stands behind a backslash."""
        start = self.at - 1
        char = self.peek()
        self.at += 1
        if not char:
            raise PatternError("a backslash ends the pattern", start)
        if char in _SETS:
            return _SETS[char]
        if char in _CONTROLS:
            return ((_CONTROLS[char], _CONTROLS[char]),)
        if char.isdigit() or char in "gk":
            raise PatternError("back-references are not supported", start)
        if char in "bBAZz":
            raise PatternError(f"the assertion \\{char} is not supported; use ^ and $", start)
        if char.isalnum():
            raise PatternError(f"the escape \\{char} is not supported", start)
        return ((ord(char), ord(char)),)

    def char_class(self, start: int) -> Ranges:
        """Read `[...]` behind its bracket."""
        negated = self.peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while self.peek() != "]":
            ranges.extend(self.class_item(start))
        self.at += 1
        if not ranges:
            raise PatternError("an empty class matches nothing; write \\] for a bracket", start)
        found = self.cased(united(ranges))
        return inverted(found) if negated else found

    def class_item(self, start: int) -> Ranges:
        """Read one character, escape or range of a class."""
        here = self.at
        low = self.class_char(start)
        if self.peek() != "-" or self.text[self.at + 1 : self.at + 2] in ("]", ""):
            return low
        self.at += 1
        high = self.class_char(start)
        if any(len(end) != 1 or end[0][0] != end[0][1] for end in (low, high)):
            raise PatternError("a range needs a single character at both ends", here)
        if high[0][0] < low[0][0]:
            raise PatternError("this range runs backwards", here)
        return ((low[0][0], high[0][0]),)

    def class_char(self, start: int) -> Ranges:
        """Read one character or escape of a class."""
        char = self.peek()
        if not char:
            raise PatternError("this class is not closed", start)
        self.at += 1
        if char == "\\":
            return self.escape()
        return ((ord(char), ord(char)),)

    def peek(self) -> str:
        """Return the next character, nothing at the end."""
        return self.text[self.at : self.at + 1]

    def cased(self, ranges: Ranges) -> Ranges:
        """Return `ranges`, both cases where case is ignored."""
        return folded(ranges) if self.ignore_case else ranges

    def fits(self, size: int, offset: int | None = None) -> int:
        """Return `size`, or refuse a pattern that would grow too large."""
        if size > MAX_STATES:
            message = f"the pattern is too large: more than {MAX_STATES} states written out"
            raise PatternError(message, self.at if offset is None else offset)
        return size


def parse_pattern(text: str, ignore_case: bool = False) -> Node:
    """Return the tree of the pattern `text`; PatternError when it is not in the subset."""
    reader = _Reader(text, ignore_case)
    node = reader.choice()
    if reader.at < len(text):
        raise PatternError("unbalanced ')'; write \\) for it", reader.at)
    return node
