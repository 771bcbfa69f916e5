"""However long the text: memory of a few times its size, and twice the time for twice of it."""

from __future__ import annotations

import pytest

from mqlint.syntax.mqsc import Parser
from mqlint.vocabulary.load import load_vocabulary
from tests.syntax.mqsc.peak import measured
from tests.syntax.mqsc.test_time import TEXTS
from tests.timing import growth

MEMORY = 20
"""How many times the size of a text its reading may take."""

LINES_OF_A_COMMAND = 60
"""The same for lines of ten characters that are all one command: each keeps its place."""

BOUNDS = {
    "a line": MEMORY,
    "one value": MEMORY,
    "quotes": MEMORY,
    "odd quotes": MEMORY,
    "deep parentheses": MEMORY,
    "open parentheses": MEMORY,
    "templates": MEMORY,
    "continuations": LINES_OF_A_COMMAND,
}
LINEAR = 2.2
"""How many times as long twice the text may take, on a machine that does nothing else."""


@pytest.mark.parametrize("kind", BOUNDS)
def test_five_megabytes_take_little_memory(kind: str) -> None:
    assert measured(kind, 5_000_000) <= BOUNDS[kind]


@pytest.mark.huge
@pytest.mark.parametrize("kind", BOUNDS)
def test_a_hundred_megabytes_take_little_memory(kind: str) -> None:
    assert measured(kind, 100_000_000) <= BOUNDS[kind]


@pytest.mark.huge
@pytest.mark.parametrize("kind", BOUNDS)
def test_a_hundred_megabytes_take_twice_the_time_of_fifty(kind: str) -> None:
    vocabulary = load_vocabulary()
    one, two = TEXTS[kind](50_000_000), TEXTS[kind](100_000_000)
    times = growth(
        lambda: Parser(vocabulary).parse(one), lambda: Parser(vocabulary).parse(two), LINEAR
    )
    assert times <= LINEAR
