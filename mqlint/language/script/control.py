"""The words of one control command: options with and without values, operands.

Each distinct sequence of kinds of words is parsed once; the words are bound to it by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from lark import Lark, Token, Tree
from lark.common import LexerConf
from lark.lexer import Lexer

from mqlint.config.data import data_of
from mqlint.language.text.templates import COVER
from mqlint.vocabulary.control import ControlSpec


@dataclass(frozen=True, slots=True)
class FormOption:
    """One option: its word, and the word and offset its value begins at; `value` -1 for none."""

    word: int
    value: int = -1
    offset: int = 0
    name: str = ""
    known: bool = True


@dataclass(frozen=True, slots=True)
class ControlForm:
    """What the words of a command are, by their numbers; 0 is the command itself.

    `open` tells that a word is not known before the script runs, so that it may be any option;
    where the last word is the queue manager's name, that one is not.
    """

    options: tuple[FormOption, ...]
    operands: tuple[int, ...]
    open: bool = False


class _Kinds(Lexer):
    """Hands the kinds of the words on as tokens whose value is the number of the word."""

    def __init__(self, lexer_conf: LexerConf) -> None:
        """Lark passes its settings; none is needed."""

    def lex(self, data: Sequence[str]) -> Iterator[Token]:  # type: ignore[override]
        for number, kind in enumerate(data):
            yield Token(kind, str(number))


@cache
def _parser() -> Lark:
    grammar = data_of("mqlint.grammar").joinpath("control.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_Kinds)


@lru_cache(maxsize=512)
def _shape(kinds: tuple[str, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return what the arguments are and the numbers of their words."""
    tree: Tree[Token] = _parser().parse(kinds)
    found = []
    for argument in tree.children[1:]:
        if isinstance(argument, Tree):
            numbers = tuple(int(child) for child in argument.children if isinstance(child, Token))
            found.append((str(argument.data), numbers))
    return tuple(found)


def parse_control(spec: ControlSpec, words: Sequence[str]) -> ControlForm:
    """Return the form of the command `spec`; `words` are its own and all that follow.

    A word that is covered, wholly or in part, is not known; it never is an option.
    """
    options = []
    operands: list[int] = []
    for kind, numbers in _shape(tuple(_kinds(spec, words))):
        if kind == "operand":
            operands.extend(numbers)
        else:
            options.append(_option(spec, kind, numbers, words))
    free = operands[:-1] if spec.queue_manager == "operand" else operands
    unknown = any(words[number].startswith(COVER) for number in free)
    return ControlForm(tuple(options), tuple(operands), unknown)


def _kinds(spec: ControlSpec, words: Sequence[str]) -> Iterator[str]:
    """Return the kind of each word."""
    yield "COMMAND"
    number = 1
    while number < len(words):
        word = words[number][1:]
        if not words[number].startswith("-") or not word:
            yield "OPERAND"
        elif word in spec.flags:
            yield "FLAG"
        elif word in spec.values and number + 1 < len(words):
            number += 1
            yield "OPTION"
            yield "VALUE"
        elif word in spec.values:
            yield "DANGLING"
        else:
            yield "JOINED" if spec.joined(word) else "STRANGE"
        number += 1


def _option(
    spec: ControlSpec, kind: str, numbers: tuple[int, ...], words: Sequence[str]
) -> FormOption:
    word = words[numbers[0]][1:]
    if kind == "setting":
        return FormOption(numbers[0], numbers[1], 0, word)
    if kind == "joined":
        name = spec.joined(word)
        return FormOption(numbers[0], numbers[0], len(name) + 1, name)
    return FormOption(numbers[0], name=word, known=kind != "strange")
