"""Whatever the text, four times as much of it takes about four times as long."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice, product

import pytest

from mqlint.language.mqsc import Dialect, Parser, items
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()

_DUMP = (
    "* Queue manager name: A\n* Queue manager command level: (930/930)\n"
    "* Command issued: dmpmqcfg -a -m A\n"
)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_NAMES = ["".join(name) for name in product(_LETTERS, repeat=3)]


def _named(command: str) -> Callable[[int], str]:
    """Texts of one command again and again, with another name of three letters each time."""
    return lambda n: "".join(
        command.replace("?", name) for name in islice(cycle(_NAMES), n // (len(command) + 2))
    )


_CONSOLE = "+MQ7A DISPLAY QMGR\nCSQM201I +MQ7A DISPLAY QMGR DETAILS\n"
_LISTING = " CSQU000I CSQUTIL\n CSQU055I  Target queue manager is A\n"
TEXTS: dict[str, Callable[[int], str]] = {
    "console": lambda n: _CONSOLE + "DEADQ(A)\n" * (n // 9),
    "console of commands": lambda n: _CONSOLE * (n // len(_CONSOLE)),
    "a line": lambda n: "x" * n,
    "words in a line": lambda n: "DEFINE QLOCAL(A) " + "PUT(ENABLED) " * (n // 13),
    "commands in a line": lambda n: "DEFINE QLOCAL(A) " * (n // 17),
    "nearly commands in a line": lambda n: "PING QMGR A(b) " + "STOP  NOTHING  " * (n // 15),
    "long unknown command": lambda n: "+\n word(x) " * (n // 10),
    "one value": lambda n: "DEFINE QLOCAL(A) DESCR('" + "x" * n + "')",
    "value over lines": lambda n: "DEFINE QLOCAL(A) DESCR('" + "x+\n" * (n // 3) + "')",
    "continuations": lambda n: "ALTER QMGR " + "+\n DEADQ(A) " * (n // 12),
    "minus": lambda n: "ALTER QMGR " + "-\n" * (n // 2),
    "minus and blanks": lambda n: "ALTER QMGR" + "  -  \n" * (n // 6) + "x",
    "signs in a line": lambda n: "ALTER QMGR " + "- + " * (n // 4) + "x",
    "blanks": lambda n: "ALTER QMGR " + " " * n + "x",
    "blanks behind a sign": lambda n: ("ALTER QMGR -" + " " * 2000 + "x\n") * (n // 2000),
    "quotes": lambda n: "DEFINE QLOCAL(A) DESCR(" + "'" * n + ")",
    "odd quotes": lambda n: "DEFINE QLOCAL(A) DESCR(" + "'" * (n | 1) + ")",
    "lines of quotes": lambda n: "ALTER QMGR DESCR('\n" * (n // 19),
    "open strings": lambda n: "('x" * (n // 3),
    "apostrophes": lambda n: "ALTER QMGR DESCR('" + "a'b " * (n // 4),
    "double quotes": lambda n: "ALTER QMGR DESCR(" + '"' * (n | 1),
    "quoted double": lambda n: 'ALTER QMGR DESCR("' * (n // 18),
    "open parentheses": lambda n: "ALTER QMGR DESCR" + "(" * n,
    "deep parentheses": lambda n: "ALTER QMGR DESCR" + "(" * n + ")" * n,
    "closing parentheses": lambda n: "ALTER QMGR DESCR" + ")" * n,
    "empty parentheses": lambda n: "ALTER QMGR " + "()" * (n // 2),
    "values in a row": lambda n: "ALTER QMGR " + "A(x)" * (n // 4),
    "open lists over lines": lambda n: "ALTER QMGR NAMES(" + "'a' +\n ," * (n // 8),
    "semicolons": lambda n: ";" * n,
    "commands by semicolons": lambda n: "A;" * (n // 2),
    "broken ones by semicolons": lambda n: "(x);" * (n // 4),
    "lines of one letter": lambda n: "A\n" * (n // 2),
    "lines of a parenthesis": lambda n: "(\n" * (n // 2),
    "lines of a quote": lambda n: "'\n" * (n // 2),
    "comments and blank lines": lambda n: "*\n\n" * (n // 3),
    "semicolons over lines": lambda n: "ALTER QMGR; +\n" * (n // 14),
    "commas": lambda n: "ALTER QMGR " + "," * n + "x",
    "comments in a command": lambda n: "ALTER QMGR +\n" + "*\n" * (n // 2) + "FORCE",
    "facts in a command": lambda n: "ALTER QMGR +\n" + "* A(b) +\n" * (n // 9) + "FORCE",
    "facts in a joined command": lambda n: "ALTER QMGR A('+\n" + "* A(b) +\n" * (n // 9) + "')",
    "long comment": lambda n: "ALTER QMGR +\n* " + "a" * n + "\n FORCE",
    "comments": lambda n: "*\n" * (n // 2),
    "stars": lambda n: "ALTER QMGR +\n" + " *\n" * (n // 3),
    "blank lines": lambda n: " \n" * (n // 2) + "x",
    "blank lines in a command": lambda n: "ALTER QMGR +\n" + "   \n" * (n // 4) + "x",
    "replies": lambda n: "AMQ8409I: x\n  A(b)\n" * (n // 20),
    "long reply": lambda n: "AMQ8409I: x\n" + "  A(b)  B(c)\n" * (n // 14),
    "open braces": lambda n: "{" * n,
    "open expressions": lambda n: "${" * (n // 2),
    "open angles": lambda n: "<a" * (n // 2),
    "at signs": lambda n: "@a" * (n // 2),
    "long at": lambda n: "@" + "a" * n,
    "open statements": lambda n: "{%" * (n // 2),
    "templates": lambda n: "ALTER QMGR DESCR('" + "{{ a }}" * (n // 7) + "')",
    "lines of templates": lambda n: "{% if a %}\n" * (n // 11),
    "statements in a command": lambda n: "ALTER QMGR +\n" + "{% if a %}\n" * (n // 11) + "x",
    "templates by semicolons": lambda n: "A(@a@);" * (n // 7),
    "remarks": lambda n: "-- x\n" * (n // 5),
    "dashes": lambda n: "ALTER QMGR " + "--" * (n // 2) + " x",
    "remarks in a line": lambda n: "ALTER QMGR FORCE " + "-- x " * (n // 5),
    "shell": lambda n: "echo x | runmqsc A\n" * (n // 19),
    "echoes": lambda n: "  1 : ALTER QMGR\n" * (n // 17),
    "echoes of a letter": lambda n: "1 : x\n" * (n // 6),
    "echoes and lists": lambda n: "1 : x\nAMQ8409I:\n A\n" * (n // 19),
    "short commands": lambda n: "DIS QL(AB)\n" * (n // 11),
    "names": _named("DIS Q(?)\n"),
    "longer names": _named("DIS QL(?X)\n"),
    "two names": _named("DIS Q(?)A(?)\n"),
    "names by semicolons": _named("DIS Q(?);"),
    "names over lines": _named("DIS Q(?+\n)\n"),
    "names of templates": _named("DIS Q(@?@)\n"),
    "foreign names": _named("DIS Q(?\u0100)\n"),
    "forms again and again": _named("DIS Q ?\n"),
    "cut off lines": lambda n: "DESCR(x)\n" * (n // 9),
    "ended sessions": lambda n: "END\n" * (n // 4),
    "secrets": lambda n: "ALTER QMGR " + "KEYRPWD(x) " * (n // 11),
    "distinct words": lambda n: "".join(f"ALTER QMGR W{i}(x)\n" for i in range(n // 18)),
    "foreign quotes in a line": lambda n: "ALTER QMGR " + 'A("x") ' * (n // 7),
    "backslashes": lambda n: "ALTER QMGR " + "\\" * n,
    "sessions": lambda n: "Starting MQSC for queue manager A.\n 1 : x\n" * (n // 44),
    "session of blanks": lambda n: "Starting MQSC for\n" + " " * n + "\n 1 : x",
    "session without numbers": lambda n: "Starting MQSC for\n" + " 1\n" * (n // 3),
    "session of digits": lambda n: "Starting MQSC for\n" + "1" * n,
    "prompts": lambda n: "$ runmqsc A\n" * (n // 12),
    "half a prompt": lambda n: "$ runmqs\n" * (n // 9) + "$" * n,
    "echoed minus": lambda n: " 1 : ALTER QMGR -\n" + " : DEADQ(A) -\n" * (n // 14),
    "listing": lambda n: _LISTING + " PING QMGR\nCSQM401I A B(c)\n" * (n // 27),
    "listing of commands": lambda n: _LISTING + " A -\n" * (n // 5),
    "cards": lambda n: ("DISPLAY QMGR".ljust(72) + "00000100\n") * (n // 81),
    "preamble": lambda n: "say (it's -\n" * 99 + "* Queue manager name: A\n" + "*\n" * (n // 2),
    "dump without end": lambda n: _DUMP + "DEFINE NAMELIST(A)\n" * (n // 19),
    "dump of trailers": lambda n: _DUMP + "* NameList count: 1\n* Script ended on\n" * (n // 38),
    "dump of totals": lambda n: _DUMP + "* Number of objects/records: 1\n" * (n // 31),
    "saved": lambda n: "* This file generated by saveqmgr on \n" * (n // 38),
    "prefixes": lambda n: "+CSQ1 PING QMGR\n" * (n // 16),
    "headers": lambda n: "* Queue manager name: A\n" * (n // 24),
}


@pytest.mark.growth
@pytest.mark.sample(12)
@pytest.mark.parametrize("kind", TEXTS)
def test_parsing_is_linear(kind: str) -> None:
    texts = {size: TEXTS[kind](size) for size in (25_000, 100_000)}
    assert is_linear_in_time(lambda size: Parser(VOCABULARY).parse(texts[size]), 25_000)


ON_ZOS: dict[str, Callable[[int], str]] = {
    "equals signs": lambda n: "ALTER QMGR " + "=" * n,
    "values": lambda n: "ALTER QMGR " + "A=b " * (n // 4),
    "quoted values": lambda n: "ALTER QMGR " + "A='b' " * (n // 6),
    "open quotes": lambda n: "ALTER QMGR " + "A='" * (n // 3),
    "long word": lambda n: "ALTER QMGR " + "A" * n + "=",
    "values over lines": lambda n: "ALTER QMGR +\n" + "A=b +\n" * (n // 6) + "C=d",
}


@pytest.mark.growth
@pytest.mark.parametrize("kind", ON_ZOS)
def test_parsing_for_zos_is_linear(kind: str) -> None:
    texts = {size: ON_ZOS[kind](size) for size in (25_000, 100_000)}
    zos = Dialect(zos=True)
    assert is_linear_in_time(lambda size: Parser(VOCABULARY).parse(texts[size], zos), 25_000)


@pytest.mark.growth
@pytest.mark.sample(12)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_place_is_found_in_linear_time(kind: str) -> None:
    parsed = {size: Parser(VOCABULARY).parse(TEXTS[kind](size)) for size in (15_000, 60_000)}

    def find(size: int) -> None:
        for command in parsed[size].commands[:1]:
            command.span()
            for index in range(len(command.shape.words)):
                command.span_of_value(index)
                command.span_of_attribute(index)

    assert is_linear_in_time(find, 15_000)


@pytest.mark.growth
@pytest.mark.parametrize("raw", ["'", "''", "',", "a,", "'a' ", ",", "'a"])
def test_lists_are_cut_in_linear_time(raw: str) -> None:
    assert is_linear_in_time(lambda times: items(raw * times), 50_000)
