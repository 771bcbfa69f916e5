"""A second, plain way to read MQSC, to hold the parser against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Tree

from mqlint.language.mqsc import Command

PLACEHOLDER = "\ue000"

_BLANKS = r"[ \t\r\f\v]*"
_DROPPED = rf"\n(?:{_BLANKS}\n|\*[^\n]*(?:\n|\Z)|[ \t]*\ue001[^\n]*(?:\n|\Z))*"
_CONTINUATION = re.compile(
    rf"\+{_BLANKS}(?:{_DROPPED}{_BLANKS}|\Z)|-{_BLANKS}(?:{_DROPPED}(?:{_BLANKS}\Z)?|\Z)"
)


@dataclass(frozen=True)
class Element:
    """One word of a command and, where it has parentheses, what stands between them."""

    word: str
    raw: str | None = None


def one_line(text: str) -> str:
    """The lines of one command as the queue manager puts them together."""
    return _CONTINUATION.sub("", text)


@cache
def _grammar() -> Lark:
    text = files("mqlint.grammar").joinpath("mqsc.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", propagate_positions=True)


def plain_parse(line: str, original: str | None = None) -> list[Element]:
    """Parse the command on `line` whole, values and all, by the same grammar.

    `original` is the line before its templates were covered.
    """
    elements = []
    for node in _grammar().parse(line).children:
        if not isinstance(node, Tree):
            continue
        word = node.children[0]
        assert isinstance(word, Token)
        assert word.end_pos is not None
        raw = None
        if node.data == "attribute":
            assert node.meta.end_pos is not None
            opened = line.index("(", word.end_pos)
            raw = (original or line)[opened + 1 : node.meta.end_pos - 1]
        if PLACEHOLDER not in word:
            elements.append(Element(word.upper(), raw))
    return elements


def elements_of(command: Command) -> list[Element]:
    """The words and raw values that the parser found, in the order in which they stand."""
    shape = command.shape

    def value(slot: int) -> str | None:
        return command.values[slot] if slot >= 0 else None

    found = {
        position: Element(word, value(slot))
        for position, word, slot in zip(shape.positions, shape.words, shape.slots, strict=True)
    }
    if shape.prefix:
        found[0] = Element(shape.prefix)
    if shape.verb is not None:
        found[shape.verb_position] = Element(shape.verb_word)
    if shape.noun_position >= 0:
        found[shape.noun_position] = Element(shape.noun_word, value(shape.name_slot))
    return [found[at] for at in sorted(found) if PLACEHOLDER not in found[at].word]
