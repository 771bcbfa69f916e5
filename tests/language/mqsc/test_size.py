"""However long the text: memory of a few times its size, and time in line with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqlint.language.mqsc import Parser
from mqlint.language.mqsc.limits import MOST_OF_A_KIND, MOST_UNKNOWN, MOST_VALUES
from tests.language.mqsc.invariants import check_cover
from tests.language.mqsc.peak import Measure, measuring
from tests.language.mqsc.test_time import TEXTS
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

MEMORY = 20
"""How many times the size of a text its reading may take."""

SMALL = (
    *("words in a line", "values in a row", "empty parentheses", "continuations", "minus"),
    *("commands by semicolons", "broken ones by semicolons", "deep parentheses"),
    *("lines of one letter", "comments and blank lines"),
    *("echoes", "echoes of a letter", "echoes and lists", "sessions", "short commands"),
    *("listing", "listing of commands"),
    *("names", "longer names", "two names", "names by semicolons", "names over lines"),
    *("names of templates", "foreign names", "forms again and again"),
)
FULL = ("forms again and again",)
"""Texts that fill a cache of some megabytes, whatever their length."""
HUGE = (
    *SMALL,
    *("long unknown command", "value over lines", "lines of a parenthesis", "distinct words"),
    *(
        "templates",
        "a line",
        "one value",
        "quotes",
        "odd quotes",
        "open parentheses",
        "facts in a command",
    ),
    *("comments", "remarks", "foreign quotes in a line", "statements in a command"),
)
VOCABULARY = shipped_vocabulary()


@pytest.fixture(scope="module")
def measure() -> Iterator[Measure]:
    with measuring() as measure:
        yield measure


@pytest.mark.slow
@pytest.mark.parametrize("kind", SMALL)
def test_a_text_takes_little_memory(measure: Measure, kind: str) -> None:
    assert measure(kind, 1_000_000 if kind in FULL else 300_000) <= MEMORY


@pytest.mark.huge
@pytest.mark.parametrize("kind", HUGE)
def test_a_hundred_megabytes_take_little_memory(measure: Measure, kind: str) -> None:
    assert measure(kind, 100_000_000) <= MEMORY


@pytest.mark.huge
@pytest.mark.parametrize("kind", HUGE)
def test_a_hundred_megabytes_take_time_in_line_with_their_size(kind: str) -> None:
    texts = {size: TEXTS[kind](size) for size in (25_000_000, 100_000_000)}
    assert is_linear_in_time(lambda size: Parser(VOCABULARY).parse(texts[size]), 25_000_000)


GOOD = "DEFINE QLOCAL(APP.IN) PUT(ENABLED)\n"


def _form(number: int) -> str:
    """A command of one shape, written as no other is: with other commas between its words."""
    return "ALTER QMGR " + f"{number:090b}".replace("0", "PUT ").replace("1", "PUT,") + "FORCE\n"


LEFT_OUT = {
    "mistakes": ("(x)\n" * (MOST_OF_A_KIND + 7), "7 more errors of the same kind"),
    "lone words": ("A\n" * (MOST_UNKNOWN + MOST_OF_A_KIND + 7), "7 more errors of the same kind"),
    "lone words in a line": (
        "A;" * (MOST_UNKNOWN + MOST_OF_A_KIND + 7) + "\n",
        "7 more errors of the same kind",
    ),
    "values": ("ALTER QMGR " + "A(x)" * MOST_VALUES + "\n", "more than 32,768 characters"),
    "facts": ("ALTER QMGR +\n" + "*  A(x) +\n" * (MOST_VALUES + 1) + "FORCE\n", "not those from"),
    "words": ("ALTER QMGR" + " PUT" * 9_000 + "\n", "more than 32,768 characters"),
    "forms": ("".join(map(_form, range(2_000))), "too many different forms"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEFT_OUT)
def test_what_is_left_out_is_said_and_what_follows_is_read(kind: str) -> None:
    hostile, said = LEFT_OUT[kind]
    text = hostile + GOOD
    script = Parser(VOCABULARY).parse(GOOD + text)
    found = [
        diagnostic.data["what"]
        for diagnostic in script.diagnostics
        if diagnostic.code == "beyond-limits"
    ]
    assert [said in one for one in found] == [True]
    assert [one.name for one in (script.commands[0], script.commands[-1])] == ["APP.IN"] * 2
    check_cover(GOOD + text, script)


@pytest.mark.slow
def test_values_over_lines_are_no_forms() -> None:
    text = "".join(
        f"DEFINE QLOCAL(APP.{number:05}) DESCR('one +\n two')\n" for number in range(20_000)
    )
    script = Parser(VOCABULARY).parse(text)
    assert (len(script.commands), script.diagnostics) == (20_000, [])


def test_what_is_left_out_depends_on_the_text_alone() -> None:
    text, _ = LEFT_OUT["forms"]
    parser = Parser(VOCABULARY)
    first, second = parser.parse(text), parser.parse(text)
    assert first.spans == second.spans
    assert first.slices == second.slices
    assert first.diagnostics == second.diagnostics
