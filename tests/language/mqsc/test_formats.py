"""One dump in every form that the product or a data set gives it says the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mqlint.language.mqsc import Command, Parser, decode
from mqlint.language.mqsc.lines import join
from tests.language.mqsc.invariants import check_cover
from tests.shipped import shipped_vocabulary

PARSER = Parser(shipped_vocabulary())

Commands = list[str]
Form = Callable[[Commands], str]

HEADER = "* Queue manager name: LEEDSQM1\n* Command issued: dmpmqcfg -m LEEDSQM1 -a\n"
REPLY = (
    "AMQ8409I: Display Queue details.\n"
    "   QUEUE(PAY.IN)                           TYPE(QLOCAL)\n"
    "   DESCR(it's (open)                       TRIGGER\n"
    "\n"
)


def _one_line(commands: Commands) -> str:
    return HEADER + "".join(f"{join(command)[0].rstrip()}\n" for command in commands)


def _two_lines(commands: Commands) -> str:
    parts = [join(command)[0].rstrip().split(" ", 2) for command in commands]
    return HEADER + "".join(f"{' '.join(part[:2])} +\n {' '.join(part[2:])}\n" for part in parts)


def _session(commands: Commands) -> str:
    pieces = ["5724-H72 (C) Copyright IBM Corp. 1994, 2026.\n"]
    pieces.append("Starting MQSC for queue manager LEEDSQM1.\n\n")
    for number, one in enumerate(commands, 1):
        first, *rest = one.rstrip("\n").split("\n")
        pieces += f"{number:6} : {first}\n", *(f"       : {line}\n" for line in rest), REPLY
    return "".join(pieces) + f"{len(commands)} MQSC commands read.\n"


def _typed(commands: Commands) -> str:
    """A session at a terminal, where each line is repeated."""
    lines = _session(commands).splitlines(keepends=True)
    return "".join(f"{line[9:]}{line}" if line[6:9] == " : " else line for line in lines)


def _records(commands: Commands) -> str:
    """Records as CSQUTIL writes them, with a sign in column 72 and a number behind it."""
    lines = [line for command in commands for line in _cut(join(command)[0].rstrip())]
    return "".join(f"{line:72}{number:08}\n" for number, line in enumerate(lines, 1))


def _cut(text: str) -> list[str]:
    lines = []
    while len(text) > 72:
        at = 71
        while text[at] in "* " or text[at - 1] in "+- ":
            at -= 1
        lines.append(f"{text[:at]}-".ljust(72))
        text = text[at:]
    return [*lines, text]


def _console(commands: Commands) -> str:
    return "".join(f"+CSQ1 {command}" for command in commands)


def _windows(commands: Commands) -> str:
    return (HEADER + "".join(commands)).replace("\n", "\r\n")


FORMS: list[Form] = [_one_line, _two_lines, _session, _typed, _records, _console, _windows]


def _said(command: Command) -> tuple[object, ...]:
    shape = command.shape
    values = [
        "" if slot < 0 else decode(command.values[slot].replace("\r", "")) for slot in shape.slots
    ]
    return command.verb, command.noun, command.name, shape.words, values


@pytest.fixture(scope="module")
def dump(estate: Path) -> Commands:
    text = (estate / "prod" / "PRDPAY1" / "dmpmqcfg.mqsc").read_text(encoding="utf-8")
    return [text[start:end] for start, end in PARSER.parse(text).spans]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_the_same(form: Form, dump: Commands) -> None:
    text = form(dump)
    script = PARSER.parse(text)
    plain = PARSER.parse("".join(dump))
    assert script.diagnostics == plain.diagnostics == []
    check_cover(text, script)
    said = [_same_list(_said(command)) for command in script.commands]
    assert said == [_same_list(_said(command)) for command in plain.commands]


def _same_list(said: tuple[object, ...]) -> tuple[object, ...]:
    """Blanks between the elements of a list depend on the lines it is on."""
    *head, values = said
    assert isinstance(values, list)
    return *head, [value if "'" not in value else value.replace(" ", "") for value in values]


@pytest.mark.parametrize("form", FORMS)
def test_places_are_right_in_every_form(form: Form, dump: Commands) -> None:
    text = form(dump)
    for command in PARSER.parse(text).commands:
        start, end = command.span_of_verb()
        assert text[start:end].upper() == command.shape.verb_word
        for index, word in enumerate(command.shape.words):
            start, end = command.span_of_word(index)
            if "\n" not in text[start:end]:
                assert text[start:end] == word
