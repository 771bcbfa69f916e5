"""Values below the name of a secret: lists and maps of YAML, JSON and Puppet."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator
from itertools import islice

from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.lines import Span, line_spans
from mqlint.source.secrets.names import OF_STANZA, WORDS, Sign, judge
from mqlint.source.secrets.statements import is_mqsc
from mqlint.source.secrets.values import BLOCK, EXPLICIT_VALUE, block_end, is_explicit_key

_HEAD = later(
    r"[\"']?\s*(?::|=>|=(?=[ \t]*(?:@?\{|\[[ \t]*\r?\n)))[ \t]*(?:[&!][^\s{}\[\],]{0,200}+[ \t]*)?"
)
_FLOW = later(r"\s*@?(?=\[|\{(?!\{))")
_NEXT_LINE = later(r"(?:[ \t]*(?:\#[^\r\n]{0,1000}+)?\r?\n)++(?=[ \t-])")
_ITEM = later(r"[ \t]*(?:-[ \t]+)*")
_KEY = later(r"([\"']?)([\w.-]+)\1[ \t]*:(?:[ \t]+|\r?$)")
_TAG = later(r"(?:[&!]\S*[ \t]*)+")
_COMMENT = later(r"[ \t]\#")
_TOKEN = later(
    r"(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')|(?P<open>\[|\{(?!\{))|(?P<close>[\]}])"
    r"|(?P<sign>=>|:(?=[\s\"'\[{])|(?<=[ \t])=(?=[ \t]))"
    r"|(?P<comma>[,;]|\n(?=[ \t]*+[\w\"]++[ \t]++=[ \t]))|\s"
    r"|(?P<plain>(?:\$?\{\{?[^{}\n]{0,500}\}\}?|\$\{[^}\n]{0,500}\}"
    r"|:(?![\s\"'\[{])|[^\s\[\]{},:])+)|."
)
_MOST_LINES = 40
_LONGEST = 20_000
"""Lines of a block, and characters in brackets, that are searched below one name."""
_HARMLESS = frozenset("true false yes no null none ~".split())


class NestedValues:
    """Finds the values in the lists and maps of one text.

    Brackets inside others were searched with them. `cost` is how many characters of the text were
    searched in brackets.
    """

    __slots__ = ("_ends", "_starts", "_text", "cost")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.cost = 0

    def values(self, start: int, end: int) -> Iterator[Span]:
        """Yield the values in the list or map that belongs to the name at `start` to `end`."""
        text = self._text
        column = start - text.rfind("\n", max(start - 200, 0), start) - 1
        lists = _has_lists(text[start:end])
        explicit = EXPLICIT_VALUE.match(text, end) if is_explicit_key(text, start) else None
        head = explicit or _HEAD.match(text, end)
        if head is None:
            return
        flow = _FLOW.match(text, head.end())
        if flow is not None:
            yield from self._in_flow(flow.end(), lists)
        elif explicit is not None:
            yield from self._in_block(head.end(), len(explicit["indent"]), lists)
        elif _NEXT_LINE.match(text, head.end()):
            before = text[start - column : start].rstrip("\"'")
            if not before.strip(" \t-"):
                yield from self._in_block(text.find("\n", head.end()) + 1, len(before), lists)

    def _in_flow(self, begin: int, lists: bool) -> Iterator[Span]:
        """The scalars in the brackets that open at `begin`."""
        at = bisect_right(self._starts, begin)
        if at and begin < self._ends[at - 1]:
            return
        end = yield from _in_flow(self._text, begin, lists)
        inside = slice(at, bisect_left(self._starts, end))
        self._starts[inside] = [begin]
        self._ends[inside] = [end]
        self.cost += end - begin

    def _in_block(self, begin: int, indent: int, lists: bool) -> Iterator[Span]:
        """The scalars of the rows from `begin` that belong to a key `indent` columns in."""
        text = self._text
        hidden, done = -1, begin  # the column of a key with nothing secret; the end of a block
        for at, stop in islice(line_spans(text, begin), _MOST_LINES):
            item = _ITEM.match(text, at, stop)
            if at < done or item is None or item.end() == stop or text[item.end()] in "#\r\n":
                continue
            lead = item.group()
            depth = len(lead) - len(lead.lstrip())
            is_item = "-" in lead
            if at > begin and (depth < indent or (depth == indent and not is_item)):
                return
            if hidden >= 0 and (depth > hidden or (depth == hidden and is_item)):
                continue
            hidden = -1
            key = _KEY.match(text, item.end(), stop)
            value = key.end() if key is not None else item.end()
            if key is not None and _is_reference(key[2]):
                hidden = len(lead)
                continue
            tag = _TAG.match(text, value, stop)
            value = tag.end() if tag is not None else value
            block = BLOCK.match(text, value)
            if block is not None:
                done = block_end(text, at, block.end())
                if not is_mqsc(text[block.end() : done]):
                    yield block.end(), done
            elif text[value : value + 1] in ("[", "{") and text[value : value + 2] != "{{":
                yield from self._in_flow(value, lists)
            elif key is not None or lists or not is_item:
                yield from _scalar(text, value, stop)


def has_values_below(name: str) -> bool:
    """Whether what is in a list or map below a name is secret."""
    sign = judge(name)
    return sign is Sign.STRONG or (
        sign is Sign.WEAK and not any(word in name.lower() for word in ("key", "jwt", "bearer"))
    )


def _has_lists(name: str) -> bool:
    """Whether texts of a list below a name are secret; below `secrets` they are names of them."""
    return not name.lower().endswith("secrets")


def _scalar(text: str, start: int, end: int) -> Iterator[Span]:
    comment = _COMMENT.search(text, start, end)
    value = text[start : end if comment is None else comment.start()].rstrip(" \t\r")
    if value.startswith("*"):
        value = ""  # an alias, which is followed
    is_other = value.lower() in _HARMLESS or value.endswith(":") or OF_STANZA.match(value)
    if not is_other and not is_mqsc(value):
        yield start, start + len(value)


class _Place(NamedTuple):
    """What is secret at a place in brackets: a scalar, and the texts of maps and of lists in it."""

    scalar: bool
    maps: bool
    lists: bool

    def after(self, key: str) -> _Place:
        """Return what is secret after a key; a value found by its own name is not."""
        if not _is_reference(key):
            return self
        is_named = has_values_below(key)
        return _Place(False, is_named, is_named and _has_lists(key))

    def inside(self, bracket: str) -> _Place:
        return self._replace(scalar=self.maps if bracket == "{" else self.lists)


def _in_flow(text: str, begin: int, lists: bool) -> Generator[Span, None, int]:
    """Yield the scalars in the brackets that open at `begin`; return where they end."""
    opened: list[_Place] = []
    place = _Place(False, True, lists)
    waiting: Span | None = None  # a scalar that may still be a key
    limit = min(begin + _LONGEST, len(text))
    for token in _TOKEN.finditer(text, begin, limit):
        kind = token.lastgroup
        if kind is None or (kind == "plain" and waiting is not None):
            if kind is not None and waiting is not None:
                waiting = waiting[0], token.end()
            continue
        if kind in ("text", "plain"):
            waiting = token.span()
            continue
        if kind == "sign":
            place = opened[-1].after(text[slice(*waiting)].strip("\"'") if waiting else "")
        elif waiting is not None and place.scalar:
            yield from _scalar(text, *waiting)
        waiting = None
        if kind == "open":
            opened.append(place := place.inside(token.group()))
        elif kind == "close" and len(opened) == 1:
            return token.end()
        elif kind in ("close", "comma"):
            if kind == "close":
                opened.pop()
            place = opened[-1]
    return limit


def _is_reference(key: str) -> bool:
    """Return whether a key below the name of a secret has none, or is found by its own name."""
    return (
        key.lower() in WORDS["references"] or "secret" in key.lower() or judge(key) is not Sign.NONE
    )
