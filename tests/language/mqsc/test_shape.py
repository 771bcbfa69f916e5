"""Shapes that have only words and values are what the grammar says, and need none of it."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from lark.exceptions import UnexpectedInput

from mqlint.language.mqsc.shape import canonical, parse_shape
from tests.language.mqsc.reading import plain_parse
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
PIECES = ["DEF", "Ql", "\0", " ", "REPLACE", "\n", ",", "(", "'", "é\x85", ";"]


def words_of_grammar(text: str) -> list[tuple[str, bool]]:
    """The words of a canonical text by the grammar alone, none where it refuses the text."""
    try:
        return [(element.word, element.raw is not None) for element in plain_parse(text)]
    except UnexpectedInput:
        return []


def words_of_shape(text: str) -> list[tuple[str, bool]]:
    shape = parse_shape(text, VOCABULARY)
    if shape is None:
        return []
    ranked = [
        (position, (word, slot >= 0))
        for position, word, slot in zip(shape.positions, shape.words, shape.slots, strict=True)
    ]
    if shape.noun_position >= 0:
        ranked.append((shape.noun_position, (shape.noun_word, shape.name_slot >= 0)))
    if shape.verb is not None:
        ranked.append((shape.verb_position, (shape.verb_word, False)))
    return [element for _, element in sorted(ranked)]


@pytest.mark.parametrize("first", ["DEFINE QLOCAL\0", "SET AUTHREC PROFILE\0", ""])
def test_words_are_those_of_the_grammar(first: str) -> None:
    for pieces in itertools.product(PIECES, repeat=3):
        text = canonical(first + "".join(pieces))
        assert words_of_shape(text) == words_of_grammar(text), text


@pytest.mark.slow
def test_plain_commands_need_no_grammar() -> None:
    code = (
        "import sys\n"
        "from mqlint.language.mqsc import Parser\n"
        "from tests.shipped import shipped_vocabulary\n"
        "script = Parser(shipped_vocabulary()).parse(sys.argv[1])\n"
        "print(len(script.commands), 'lark' in sys.modules)"
    )
    plain = "DEFINE QLOCAL(A) DESCR('one') +\n REPLACE"
    for text, asks in ((plain, False), (f"{plain} {{{{ more }}}}", True)):
        words = [sys.executable, "-c", code, text]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert done.stdout.endswith(f" {asks}\n"), done.stdout
