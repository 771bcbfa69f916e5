"""Control statements of utilities: lines joined, comments removed, split into operands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from mqlint.config.data import data_of
from mqlint.dataclass import frozen
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER, is_template_line
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

READ = 72
"""Columns of control statements that are read."""
LONGEST = 30_000
"""Characters of one statement; IDCAMS takes 32,760."""

COMMENT = later(r"(?s)/\*.*?(?:\*/|\Z)")
_SYMBOL = later(rf"&(?!&)|\+\+|{PLACEHOLDER}")


@frozen
class Operand:
    """One operand: a keyword (upper case, blank for a value alone), its value, and places.

    `value` is the text as written, with quotes or parentheses; UNKNOWN if it has a symbol or a
    template, and blank for a keyword alone. `written` is the text in any case.
    """

    key: str
    value: str | Unknown
    span: Span
    inner: tuple[int, int] = (0, 0)
    written: str = ""

    @property
    def plain(self) -> str | Unknown:
        """The value without parentheses and quotation marks around it."""
        return self.value if isinstance(self.value, Unknown) else plain(self.value)

    @property
    def items(self) -> tuple[str, ...] | Unknown:
        """The values of a list, or the one value."""
        if isinstance(self.value, Unknown):
            return UNKNOWN
        return tuple(word for word in re.split(r"[\s,]+", plain(self.value)) if word)


def plain(value: str) -> str:
    """Return a value without the parentheses and quotation marks around it."""
    value = value.strip()
    if value.startswith("(") and value.endswith(")"):
        value = value[1:-1].strip()
    if len(value) > 1 and value.startswith("'") and value.endswith("'"):
        value = value[1:-1].replace("''", "'")
    return value.strip()


@cache
def _parser() -> Lark:
    grammar = data_of("mqlint.grammar").joinpath("jcl.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["operands", "words"], propagate_positions=True)


def operands(source: MappedText, start: str = "operands") -> tuple[Operand, ...] | None:
    """Return the operands of one statement; None when it is not made of any.

    `start` is the rule of the grammar: `operands` with commas, or `words`.
    """
    if not source.text.strip():
        return ()
    if len(source.text) > LONGEST:
        return None
    try:
        tree: Tree[Token] = _parser().parse(source.text, start=start)
    except LarkError:
        return None
    children = (child for child in tree.children if isinstance(child, Tree))
    make = _operand if start == "operands" else _word
    return tuple(make(child, source) for child in children)


def _operand(tree: Tree[Token], source: MappedText) -> Operand:
    first = tree.children[0]
    begin, end = tree.meta.start_pos, tree.meta.end_pos
    if isinstance(first, Token):
        cut = begin + len(first)
        return _made(first[:-1], source, cut, end, begin)
    return _made("", source, begin, end, begin)


def _word(tree: Tree[Token], source: MappedText) -> Operand:
    first = tree.children[0]
    begin, end = tree.meta.start_pos, tree.meta.end_pos
    if not isinstance(first, Token) or first.type == "STRING":
        return _made("", source, begin, end, begin)
    return _made(str(first), source, begin + len(first), end, begin)


def _made(key: str, source: MappedText, cut: int, end: int, begin: int) -> Operand:
    raw = source.text[cut:end].strip()
    last = source.host(max(end - 1, begin)) + 1
    value: str | Unknown = UNKNOWN if _SYMBOL.search(raw) else raw
    span = (source.host(begin), max(last, source.host(begin)))
    return Operand(key.upper(), value, span, (cut, end), raw)


def inner(operand: Operand, source: MappedText, start: str = "operands") -> tuple[Operand, ...]:
    """Return the operands inside the parentheses of another of the same `source`."""
    begin, end = operand.inner
    text = source.text[begin:end]
    opens = text.find("(")
    if opens < 0 or not text.rstrip().endswith(")"):
        return ()
    begin, end = begin + opens + 1, begin + len(text.rstrip()) - 1
    found = operands(source.part(begin, end), start)
    return found or ()


def blanks_for(found: re.Match[str]) -> str:
    """Return blanks with the lines of what is left out of a text."""
    return re.sub(r"[^\n]", " ", found[0])


def spaced(text: str, data: Span) -> Iterator[MappedText]:
    """Yield the statements of IDCAMS, ADRDSSU and CSQUTIL, which a hyphen or plus sign continues.

    A line that begins with an asterisk is a comment, and so is text between `/*` and `*/`.
    """
    start, end = data
    bare = COMMENT.sub(blanks_for, text[start:end])
    builder = MappedTextBuilder()
    last = start
    for at, line in _lines(bare, start):
        trimmed = line.rstrip()
        if not trimmed.strip() or trimmed.startswith("*"):
            continue
        ends_open = trimmed.endswith(("-", "+"))
        going = ends_open or (bool(builder.parts) and is_template_line(trimmed))
        trimmed = trimmed[:-1] if ends_open else trimmed
        if builder.parts:
            builder.add(" ", last, 0)
        builder.add(trimmed, at)
        last = at + len(trimmed)
        if not going:
            yield builder.finish(last)
            builder = MappedTextBuilder()
    if builder.parts:
        yield builder.finish(last)


def comma_joined(text: str, data: Span) -> Iterator[MappedText]:
    """Yield the statements of CSQJU003: a comma and a blank after it continue them."""
    start, end = data
    builder = MappedTextBuilder()
    going, last = False, start
    for at, line in _lines(text[start:end], start):
        if not line.strip() or line.startswith("*") or (going and is_template_line(line)):
            continue
        left = len(line) - len(line.lstrip())
        if not going:
            if builder.parts:
                yield builder.finish(last)
            builder = MappedTextBuilder()
            verb = left + len(line[left:].split()[0])
            gap = len(line[verb:]) - len(line[verb:].lstrip())
            builder.add(line[left:verb] + " ", at + left)
            left = verb + gap
        words = line[left:].split()
        field = words[0] if words else ""
        builder.add(field, at + left)
        last = at + left + len(field)
        going = field.endswith(",")
    if builder.parts:
        yield builder.finish(last)


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    at = start
    for line in text.split("\n"):
        trimmed = line.removesuffix("\r")
        is_open = PLACEHOLDER in trimmed[:READ]  # where its columns are is not known
        yield at, (trimmed if is_open else trimmed[:READ]).expandtabs(1)
        at += len(line) + 1
