"""The language of Terraform, as far as values are written out in it: blocks, attributes, maps.

Source: "Syntax Configuration" and "Types and Values" in the documentation of Terraform. Conditions,
operators and functions are not followed, except those that change the case of a text.
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
    r"|\"(?P<text>(?:\$\{[^{}\"\n]{0,200}+(?:\"[^\"\n]{0,200}+\"[^{}\"\n]{0,200}+){0,9}+\}|[^\"\\\n]|\\.)*+)\""
    r"|(?P<word>[A-Za-z_][\w.-]*+)|(?P<number>\d++(?:\.\d++)?)"
    r"|(?P<sign>=>|[{}()\[\]=:,\n])|(?P<other>.|\Z))"
)
DEEPEST = 40
"""Limit of blocks and values in one another."""


class Text(NamedTuple):
    """A text in quotes, with the interpolations in it."""

    text: str


class Reference(NamedTuple):
    """A name such as `var.site` or `each.value.host`."""

    name: str


class Call(NamedTuple):
    function: str
    arguments: Sequence[Expression]


@mutable
class Block:
    """A block: its words, its attributes, and the blocks in it. A file is one without words.

    `places` are those of attributes that are a text in quotes or a number, without the quotes.
    """

    words: Sequence[str]
    attributes: dict[str, Expression]
    blocks: list[Block]
    places: dict[str, Span]

    def walk(self) -> Iterator[Block]:
        """Yield the block and all blocks in it."""
        waiting = [self]
        while waiting:
            block = waiting.pop()
            yield block
            waiting += block.blocks


Expression = Text | Reference | Call | dict[str, "Expression"] | list["Expression"] | None
"""What an attribute is set to; None if it is not understood."""


class _Token(NamedTuple):
    """A token; `sign` is blank for any but brackets and the like."""

    kind: str
    text: str
    sign: str = ""
    start: int = 0


def read_hcl(text: str) -> Block:
    """Return what a file says; a part that is not understood is left out."""
    return _Reader(text).body((), 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = [*reversed([*_tokens(text)])]

    def body(self, words: Sequence[str], depth: int) -> Block:
        """Read a block up to its closing brace."""
        block, names = Block(words, {}, [], {}), list[str]()
        while self._tokens:
            kind, text, sign, _ = self._tokens.pop()
            if sign == "}":
                break
            if kind in ("word", "text"):
                names.append(text)
            elif sign == "=" and len(names) == 1:
                name, value = names.pop(), self._tokens[-1] if self._tokens else _END
                block.attributes[name] = self._expression(depth)
                if value.kind in ("text", "number") and block.attributes[name] is not None:
                    block.places[name] = value.start, value.start + len(value.text)
                self._skip_value()
            elif sign == "{" and names and depth < DEEPEST:
                block.blocks.append(self.body(names, depth + 1))
                names = []
            elif sign in _OPENS:
                self._skip()
            else:
                names = []
        return block

    def _expression(self, depth: int) -> Expression:
        """Read a value; None for one with operators, or of another form."""
        found: Expression = None
        kind, text, sign, start = self._tokens.pop() if self._tokens else _END
        if depth >= DEEPEST:
            return None
        if kind in ("text", "number") or text in ("true", "false"):
            found = Text(text)
        elif sign == "{":
            found = self._map(depth + 1)
        elif sign == "[":
            found = self._list("]", depth + 1)
        elif sign in _OPENS:
            self._skip()
        elif kind == "word" and self._next() == "(":
            self._tokens.pop()
            found = Call(text, self._list(")", depth + 1))
        elif kind == "word":
            found = Reference(text)
        elif sign:
            self._tokens.append(_Token(kind, text, sign, start))
        return found if self._next() in _ENDS else None

    def _map(self, depth: int) -> Expression:
        found: dict[str, Expression] = {}
        key = ""
        while self._tokens:
            kind, text, sign, _ = self._tokens.pop()
            if sign == "}":
                return found
            if kind in ("word", "text"):
                key = text
            elif sign in ("=", ":", "=>") and key:
                found[key] = self._expression(depth)
                self._skip_value()
            elif sign in _OPENS:
                self._skip()
        return None

    def _list(self, end: str, depth: int) -> list[Expression]:
        found: list[Expression] = []
        while self._tokens and self._next() != end:
            if self._next() in ("\n", ","):
                self._tokens.pop()
                continue
            found.append(self._expression(depth))
            if self._skip_value() and self._next() in _CLOSES and self._next() != end:
                self._tokens.pop()
        if self._tokens:
            self._tokens.pop()
        return found

    def _next(self) -> str:
        return self._tokens[-1].sign if self._tokens else "\n"

    def _skip_value(self) -> bool:
        """Leave out what follows a value, up to the end of its line or of what it is in."""
        while self._next() not in _ENDS:
            if self._tokens.pop().sign in _OPENS:
                self._skip()
        return bool(self._tokens)

    def _skip(self) -> None:
        """Leave out what is in brackets, of which the first is read."""
        depth = 1
        while self._tokens and depth:
            sign = self._tokens.pop().sign
            depth += (sign in _OPENS) - (sign in _CLOSES)


_OPENS = ("{", "[", "(")
_CLOSES = ("}", "]", ")")
_ENDS = ("\n", ",", *_CLOSES)
_END = _Token("sign", "\n", "\n")


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "other"
        if kind in ("heredoc", "mark"):
            yield from (_Token("other", ""), _END)
        elif not found[kind] and kind == "other":  # the end of the file ends its last line
            yield _END
        else:
            sign = found[kind] if kind == "sign" else ""
            yield _Token(kind, found[kind], sign, found.start(kind))
