"""The shape of a command: its words in order, without values, blanks and line ends.

It is parsed once and shared by all commands that have the same words. Lark parses those that have
more than words and values; to import it and to build its tables takes longer than a small check.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from mqlint.config.data import data_of
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.vocabulary.limits import COMMAND

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

Elements = Sequence[tuple[str, bool]]
"""The words of a shape in order, and whether each has parentheses."""

_VALUE = "(\0)"
"""A value in a canonical text."""

_OF_GRAMMAR = frozenset(f"(),;'\"\0{PLACEHOLDER}")
"""Characters that the grammar does not take for those of a word; blanks are others."""

# Longer ones without a digit are rather words of a remark: "-Please start channel ...".
_PREFIX = later(r"[-+=!/&%](?:[A-Z][A-Z0-9]{0,3}|(?=[A-Z]*[0-9])[A-Z][A-Z0-9]{4,6})")
_SIGNS = ("-", "+", "=", "!", "/", "&", "%")
_SEPARATORS = later(r"[ \t\r\n\f\v,]+")


class Names(Protocol):
    """The questions of the parser to the vocabulary."""

    def verb(self, word: str) -> str | None:
        """Return the full verb for `word`, None if it is no verb."""

    def noun(self, word: str) -> str | None:
        """Return the full noun for `word`, None if it is no noun."""

    def is_attribute(self, word: str) -> bool:
        """Whether some command has an attribute of this name."""

    def is_secret(self, word: str) -> bool:
        """Whether the value of attribute `word`, or of one it may be a typo of, is secret."""


class Shape:
    """The words of a command, without their values.

    `verb` and `noun` are the full words, None if the word is not one. `words` are the attributes
    after them, in upper case, in order; `has_value` says which have parentheses. `values` of a
    command line up with the parentheses in order: `slots[i]` is the index of the value of
    `words[i]`, -1 when it has none; `name_slot` that of the noun. `positions` gives the rank of
    each word among all words of the command, `noun_position` and `verb_position` those of noun and
    verb; `values` is the number of values. On the console of z/OS a prefix that names the queue
    manager is before the verb (`+CSQ1 DISPLAY QMGR`); it is none of the words, but `prefix`, which
    is blank when there is none. A word that is a template, or has one in it, is none of the
    `words`, and no verb or noun; `open` is True when there is one, which may stand for any words.
    `cache` holds what others work out from the shape alone.
    """

    __slots__ = (
        *("cache", "has_value", "name_slot", "noun", "noun_position", "noun_word", "open"),
        *("positions", "prefix", "slot_of", "slots", "values", "verb", "verb_position"),
        *("verb_word", "words"),
    )

    def __init__(self, elements: Elements, names: Names) -> None:
        """Take the `elements` (word, has parentheses) of a command in order."""
        numbered = []
        slot = 0
        for position, (word, bound) in enumerate(elements):
            numbered.append((position, word, slot if bound else -1))
            slot += bound
        self.values = slot
        self.open = any(PLACEHOLDER in word for word, _ in elements)
        self.cache: dict[object, object] = {}
        first = int(_has_prefix(elements, names))
        self.prefix = elements[0][0] if first else ""
        self.verb_position, self.verb_word, verb_slot = numbered[first]
        self.verb = names.verb(self.verb_word) if verb_slot < 0 else None
        if self.verb is None and _is_of_console(elements[first:], names):
            self.prefix, self.verb = self.verb_word[0], names.verb(self.verb_word[1:])
        rest = numbered[first + 1 :] if self.verb else numbered
        noun_at = _noun_index(rest, names) if self.verb else None
        if noun_at is None:
            self.noun, self.noun_word, self.name_slot, self.noun_position = None, "", -1, -1
        else:
            self.noun_position, self.noun_word, self.name_slot = rest.pop(noun_at)
            self.noun = names.noun(self.noun_word)
        rest = [element for element in rest if PLACEHOLDER not in element[1]]
        self.words = tuple(word for _, word, _ in rest)
        self.slots = tuple(slot for _, _, slot in rest)
        self.has_value = tuple(slot >= 0 for slot in self.slots)
        self.positions = tuple(position for position, _, _ in rest)
        self.slot_of = dict(zip(self.words, self.slots, strict=True))


def _has_prefix(elements: Elements, names: Names) -> bool:
    """Whether the first word is a command prefix string ("Defining command prefix strings")."""
    if len(elements) < 2 or _PREFIX.fullmatch(elements[0][0]) is None or elements[0][1]:
        return False
    return names.verb(elements[1][0]) is not None and not elements[1][1]


def _is_of_console(elements: Elements, names: Names) -> bool:
    """Return whether a prefix of one sign is before START QMGR or STOP QMGR (`-START QMGR`).

    These are commands of the console, and need a prefix. Before other commands a single sign is
    rather that of a list, or of a difference between two files.
    """
    if len(elements) < 2 or elements[0][1] or elements[0][0][:1] not in _SIGNS:
        return False
    verb, noun = names.verb(elements[0][0][1:]), names.noun(elements[1][0])
    return verb in ("START", "STOP") and noun == "QMGR"


def _noun_index(rest: list[tuple[int, str, int]], names: Names) -> int | None:
    """The noun is the second word; on z/OS keywords such as NOREPLACE may come before it."""
    for index, (_, word, slot) in enumerate(rest):
        if names.noun(word) is not None:
            return index
        if slot >= 0 or PLACEHOLDER in word:
            break
    return 0 if rest else None


@cache
def _lark() -> Lark:
    from lark import Lark  # here, as a warm cache needs no grammar

    grammar = data_of("mqlint.grammar").joinpath("mqsc.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False)


def canonical(joined_skeleton: str) -> str:
    """Return the text of a shape: upper case, one blank between words, values as BOUND."""
    words = _SEPARATORS.sub(" ", joined_skeleton).strip(" ")
    return words.upper().replace("\0", _VALUE)


def parse_shape(text: str, names: Names) -> Shape | None:
    """Parse the canonical `text` of a command; None when it has not the form of one."""
    if len(text) > COMMAND:
        return None
    elements = _words(text) or _parsed(text)
    return Shape(elements, names) if elements else None


def _words(text: str) -> Elements:
    """The words of a canonical text with nothing else but values, or nothing."""
    *bound, last = text.split(_VALUE)
    elements = []
    for part in bound:
        words = part.strip(" ").split(" ")
        elements += [(word, False) for word in words[:-1]]
        elements.append((words[-1], True))
    elements += [(word, False) for word in last.strip(" ").split(" ") if word]
    if all(word and _OF_GRAMMAR.isdisjoint(word) for word, _ in elements):
        return [(sys.intern(word), has_value) for word, has_value in elements]
    return []


def _parsed(text: str) -> Elements:
    """The words of a canonical text, none when it has not the form of a command."""
    from lark import Tree
    from lark.exceptions import UnexpectedInput

    try:
        tree = _lark().parse(text)
    except UnexpectedInput:
        return []
    nodes: Iterator[Tree[Token]] = (child for child in tree.children if isinstance(child, Tree))
    return [(sys.intern(str(node.children[0])), node.data == "attribute") for node in nodes]
