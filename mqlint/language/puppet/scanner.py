"""Resources in manifests of Puppet: their type, titles, and attributes with a plain value.

Source: "Language: Resources" of Puppet's documentation. Texts, numbers, words and lists of these
are read; variables, calls and selectors are unknown values.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText, mapped_at, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_TOKEN = later(
    r"""(?sx)
      (?P<blank> \s+ | \#[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<text> '(?:[^'\\]++|\\.){0,500}+' | "(?:[^"\\]++|\\.){0,500}+" )
    | (?P<arrow> =>|\+> )
    | (?P<word> (?::*+[A-Za-z0-9_.-]++)++ )
    | (?P<variable> \$[A-Za-z0-9_:]+(?:\[[^\]\n]{0,200}\])* )
    | (?P<sign> :++ | . )
    """
)
_PLAIN = frozenset({"text", "word", "variable"})
_INSERTED = later(r"\$\{[^}\n]{0,500}\}|\$[A-Za-z0-9_:]+")
_ESCAPE = later(r"(?s)\\(.)")
_ESCAPE_OF_QUOTE = later(r"\\([\\'])")
_SIGNS = {"n": "\n", "r": "\r", "s": " ", "t": "\t"}
"""Escapes between double quotes ("Strings" in the documentation of Puppet)."""
_ENDS = frozenset({",", ";", "}"})


@mutable
class Token:
    kind: str
    text: str
    start: int


@mutable
class Value:
    """A value of an attribute; `items` is None if it is not known."""

    items: tuple[MappedText, ...] | None
    is_list: bool = False


@mutable
class Resource:
    """A resource: its type, its title, None if that is not known, and its attributes in order.

    `again` is true after another title of the same body.
    """

    type: str
    start: int
    end: int
    title: MappedText | None
    attributes: list[tuple[MappedText, Value]]
    maybe: bool = False
    again: bool = False

    def single_values(self) -> Iterator[tuple[str, MappedText]]:
        """Yield the attributes that have one known value."""
        for key, value in self.attributes:
            if value.items and len(value.items) == 1:
                yield key.text, value.items[0]

    @property
    def size(self) -> int:
        """The characters of its attributes, which each title repeats."""
        return self.end - self.attributes[0][0].host(0) if self.attributes else 0


def resources(text: str, types: frozenset[str]) -> Iterator[Resource]:
    """Yield the resources of some types, one for each title."""
    tokens = [
        Token(match.lastgroup or "", match[0], match.start())
        for match in _TOKEN.finditer(text)
        if match.lastgroup != "blank"
    ]
    at, depth = 0, _Depth()
    while at < len(tokens):
        token = tokens[at]
        depth.note(tokens, at)
        is_type = token.kind == "word" and token.text in types
        if is_type and at + 1 < len(tokens) and tokens[at + 1].text == "{":
            found, at = _bodies(text, tokens, at)
            for resource in found:
                resource.maybe = depth.is_conditional
                yield resource
            continue
        at += 1


class _Depth:
    def __init__(self) -> None:
        self._open: list[bool] = []
        self._begun = False

    @property
    def is_conditional(self) -> bool:
        return any(self._open)

    def note(self, tokens: list[Token], at: int) -> None:
        """Record a token: a word that begins a branch, or a brace."""
        text = tokens[at].text
        if text in ("if", "elsif", "else", "unless", "case"):
            self._begun = True
        elif text == "{":
            self._open.append(self._begun)
            self._begun = False
        elif text == "}" and self._open:
            self._open.pop()


def _bodies(text: str, tokens: list[Token], at: int) -> tuple[list[Resource], int]:
    """Read the bodies of a resource whose type is at a place; return the offset after it."""
    kind, start = tokens[at].text, tokens[at].start
    found: list[Resource] = []
    at += 2
    while at < len(tokens) and tokens[at].text != "}":
        titles, at = _value(text, tokens, at)
        if at >= len(tokens) or tokens[at].text != ":":
            break
        attributes, at = _attributes(text, tokens, at + 1)
        end = tokens[at - 1].start + len(tokens[at - 1].text)
        for number, title in enumerate((None,) if titles.items is None else titles.items):
            found.append(Resource(kind, start, end, title, attributes, again=number > 0))
        if at < len(tokens) and tokens[at].text == ";":
            at += 1
    return found, at + 1


def _attributes(
    text: str, tokens: list[Token], at: int
) -> tuple[list[tuple[MappedText, Value]], int]:
    found: list[tuple[MappedText, Value]] = []
    while at < len(tokens) and tokens[at].text not in (";", "}"):
        key = tokens[at]
        if key.kind == "word" and at + 1 < len(tokens) and tokens[at + 1].kind == "arrow":
            value, at = _value(text, tokens, at + 2)
            found.append((mapped_slice(text, key.start, key.start + len(key.text)), value))
        at = _past(tokens, at)
        if at < len(tokens) and tokens[at].text == ",":
            at += 1
    return found, at


def _value(text: str, tokens: list[Token], at: int) -> tuple[Value, int]:
    """Read a value; return it and the place after it."""
    token = tokens[at] if at < len(tokens) else Token("sign", "", len(text))
    if token.kind in _PLAIN:
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if after is None or after.text in _ENDS or after.text in (":", "]"):
            return Value((_text(text, token),)), at + 1
    if token.text == "[":
        return _list(text, tokens, at + 1)
    return Value(None), _past(tokens, at)


def _list(text: str, tokens: list[Token], at: int) -> tuple[Value, int]:
    items: list[MappedText] = []
    while at < len(tokens) and tokens[at].text != "]":
        if tokens[at].kind in _PLAIN:
            items.append(_text(text, tokens[at]))
        elif tokens[at].text != ",":
            return Value(None, is_list=True), _past(tokens, at)
        at += 1
    return Value(tuple(items), is_list=True), min(at + 1, len(tokens))


def _past(tokens: list[Token], at: int) -> int:
    """Return the place of the sign that ends a value, whatever brackets are in it."""
    depth = 0
    while at < len(tokens):
        text = tokens[at].text
        if depth <= 0 and text in _ENDS:
            return at
        depth += (text in "([{") - (text in ")]}") if len(text) == 1 else 0
        at += 1
    return at


def _text(text: str, token: Token) -> MappedText:
    """The text of a token; variables in it are covered, quotes and escapes undone."""
    start, end = token.start, token.start + len(token.text)
    if token.kind == "variable":
        return mapped_at(PLACEHOLDER * (end - start), start, end)
    if token.kind == "word":
        return mapped_slice(text, start, end)
    inner = mapped_slice(text, start + 1, end - 1)
    if token.text[0] == "'":
        return inner.sub(_ESCAPE_OF_QUOTE, lambda found: found[1])
    inner = inner.sub(_INSERTED, lambda found: PLACEHOLDER * len(found[0]))
    return inner.sub(_ESCAPE, lambda found: _SIGNS.get(found[1], found[1]))
