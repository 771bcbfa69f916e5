"""The language of Terraform, as far as values are written out in it: blocks, attributes, maps.

Source: "Syntax Configuration" and "Types and Values" in the documentation of Terraform. Conditions,
operators and functions are not followed. Each value has its place, without the quotes of a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.dataclass import NamedTuple, mutable
from mqlint.patterns import later
from mqlint.source.lines import Span

_TOKEN = later(
    r"(?m)(?:[ \t\r]|#[^\n]*+|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)*+"
    r"(?:<<-?(?P<mark>[A-Za-z_]\w{0,60})[ \t]*\r?\n"
    r"(?P<heredoc>(?:(?![ \t]*(?P=mark)[ \t]*\r?$)[^\n]*\n)*+)[^\n]*"
    r"|\"(?P<text>(?:\$\{[^{}\"\n]{0,200}+(?:\"[^\"\n]{0,200}+\"[^{}\"\n]{0,200}+){0,9}+\}|[^\"\\\n]|\\.)*+)\"?"
    r"|(?P<word>[A-Za-z_][\w.-]*+)|(?P<number>-?\d++(?:\.\d++)?)"
    r"|(?P<sign>=>|[{}()\[\]=:,\n])|(?P<other>.|\Z))"
)
DEEPEST = 40
"""Limit of blocks and values in one another."""


class Text(NamedTuple):
    """A text in quotes, with the interpolations in it, a number, or `true` or `false`."""

    text: str
    span: Span


class Reference(NamedTuple):
    """A name such as `var.site` or `each.value.host`."""

    name: str
    span: Span


class Call(NamedTuple):
    function: str
    arguments: Sequence[Expression]
    span: Span


class Items(NamedTuple):
    items: Sequence[Expression]
    span: Span


class Entry(NamedTuple):
    key: str
    span: Span
    value: Expression


class Object(NamedTuple):
    """A map; not `is_whole` if it does not end, or has more than keys and values, such as a for."""

    entries: Sequence[Entry]
    span: Span
    is_whole: bool


class Unknown(NamedTuple):
    """A value with operators, or of another form."""

    span: Span


Expression = Text | Reference | Call | Items | Object | Unknown


def parts_of(value: Expression | None) -> Sequence[Expression]:
    """Return the values in a value."""
    if isinstance(value, Object):
        return [entry.value for entry in value.entries]
    if isinstance(value, Call):
        return value.arguments
    return value.items if isinstance(value, Items) else ()


@mutable
class Block:
    """A block: its words, the first of them at `start`, its attributes, and the blocks in it.

    A file is one without words. `starts` are the places of the names of attributes. Not `is_whole`
    if it does not end, or has a block without a name.
    """

    words: Sequence[str]
    start: int
    attributes: dict[str, Expression]
    starts: dict[str, int]
    blocks: list[Block]
    end: int = 0
    is_whole: bool = False

    def walk(self) -> Iterator[Block]:
        """Yield the block and all blocks in it."""
        waiting = [self]
        while waiting:
            block = waiting.pop()
            yield block
            waiting += block.blocks


class _Token(NamedTuple):
    """A token; `sign` is blank for any but brackets and the like."""

    kind: str
    text: str
    sign: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Its place, without quotes."""
        start = self.start + (self.kind == "text")
        return start, start + len(self.text)


def read_hcl(text: str, start: int = 0, end: int | None = None) -> Block:
    """Return what a file says, or a block after its brace; what is not understood is left out."""
    reader = _Reader(text, start, len(text) if end is None else end)
    return reader.body((), start, 0)


def value_at(text: str, start: int) -> Expression:
    """Return the value that begins at a place."""
    return _Reader(text, start, len(text)).expression(0)


class _Reader:
    def __init__(self, text: str, start: int, end: int) -> None:
        self._rest = _tokens(text, start, end)
        self._token = next(self._rest)
        self._end = start

    def _pop(self) -> _Token:
        """Return the next token; at the end of the text that is one without a kind, forever."""
        token = self._token
        self._end = token.end
        self._token = next(self._rest, token)
        return token

    def body(self, words: Sequence[str], start: int, depth: int) -> Block:
        """Read a block up to its closing brace."""
        block, names = Block(words, start, {}, {}, []), list[_Token]()
        is_whole = True
        while (token := self._pop()).kind:
            if token.sign == "}":
                block.is_whole = is_whole
                break
            if token.kind in ("word", "text"):
                names.append(token)
            elif token.sign == "=" and len(names) == 1:
                name = names.pop()
                block.starts[name.text] = name.start
                block.attributes[name.text] = self.expression(depth)
            elif token.sign == "{" and names and depth < DEEPEST:
                inner = self.body([name.text for name in names], names[0].start, depth + 1)
                is_whole = is_whole and inner.is_whole
                block.blocks.append(inner)
                names = []
            elif token.sign in _OPENS:
                self._skip()
                is_whole = False
            else:
                names = []
        block.end = self._end
        return block

    def expression(self, depth: int) -> Expression:
        """Read a value, up to the end of its line or of what it is in."""
        start = self._token.start
        if self._token.sign in _ENDS or depth >= DEEPEST:
            found: Expression | None = None
        else:
            found = self._operand(self._pop(), depth)
        is_all = self._token.sign in _ENDS
        while self._token.kind and self._token.sign not in _ENDS:
            if self._pop().sign in _OPENS:
                self._skip()
        return found if found is not None and is_all else Unknown((start, max(start, self._end)))

    def _operand(self, token: _Token, depth: int) -> Expression | None:
        kind, text, sign, start, _ = token
        if kind in ("text", "number") or text in ("true", "false"):
            return Text(text, token.span)
        if sign == "{":
            return self._object(start, depth + 1)
        if sign == "[":
            return Items(self._items("]", depth + 1), (start, self._end))
        if sign in _OPENS:
            self._skip()
        elif kind == "word" and self._token.sign == "(":
            self._pop()
            return Call(text, self._items(")", depth + 1), (start, self._end))
        elif kind == "word":
            return Reference(text, token.span)
        return None

    def _object(self, start: int, depth: int) -> Object:
        entries, is_whole = list[Entry](), True
        while (token := self._pop()).kind:
            if token.sign == "}":
                return Object(entries, (start, self._end), is_whole)
            if token.kind in ("word", "text") and self._token.sign in ("=", ":"):
                self._pop()
                entries.append(Entry(token.text, token.span, self.expression(depth)))
            elif token.sign in _OPENS:
                self._skip()
                is_whole = False
            else:
                is_whole = is_whole and token.sign in ("\n", ",")
        return Object(entries, (start, self._end), is_whole=False)

    def _items(self, end: str, depth: int) -> Sequence[Expression]:
        found: list[Expression] = []
        while self._token.kind and self._token.sign != end:
            if self._token.sign in ("\n", ",", *_CLOSES):
                self._pop()
            else:
                found.append(self.expression(depth))
        self._pop()
        return found

    def _skip(self) -> None:
        """Leave out what is in brackets, of which the first is read."""
        depth = 1
        while self._token.kind and depth:
            sign = self._pop().sign
            depth += (sign in _OPENS) - (sign in _CLOSES)


_OPENS = ("{", "[", "(")
_CLOSES = ("}", "]", ")")
_ENDS = ("\n", ",", *_CLOSES)


def _tokens(text: str, start: int, end: int) -> Iterator[_Token]:
    """Yield the tokens of a stretch; the last one, which ends its last line, has no kind."""
    for found in _TOKEN.finditer(text, start, end):
        kind = found.lastgroup or "other"
        if kind in ("heredoc", "mark"):
            yield _Token("other", "", "", text.rfind("<<", 0, found.start("mark")), found.end())
            yield _Token("sign", "\n", "\n", found.end(), found.end())
        elif found[kind] or kind != "other":
            sign = found[kind] if kind == "sign" else ""
            begin = found.start(kind) - (kind == "text")
            yield _Token(kind, found[kind], sign, begin, found.end())
    yield _Token("", "", "\n", end, end)
