"""MQSC texts and what stands in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mqlint.config.reader import read_yaml
from mqlint.language.mqsc import Command, Dialect, Parser, Script, Secret, Templated, decode, items
from mqlint.source.lines import LineMap
from tests.shipped import shipped_vocabulary

Case = Mapping[str, Any]

PARSER = Parser(shipped_vocabulary())


def _cases() -> list[Case]:
    cases: list[Case] = []
    for path in sorted(Path(__file__).parent.glob("cases*.yaml")):
        found = read_yaml(path.read_text(encoding="utf-8"), path.name).plain()
        assert isinstance(found, list)
        cases += [case for case in found if isinstance(case, dict)]
    return cases


def _value(command: Command, slot: int, as_list: bool) -> object:
    if slot < 0:
        return "set"
    raw = command.values[slot]
    if as_list:
        return items(raw)
    return str(raw) if isinstance(raw, Secret) else decode(raw)


def _read(command: Command, like: Mapping[str, Any]) -> dict[str, object]:
    """What the parser says of a command, in the words of a case that says it of `like`."""
    shape = command.shape
    unknown = [
        word
        for word, slot in (("NAME", shape.name_slot), *zip(shape.words, shape.slots, strict=True))
        if slot >= 0 and isinstance(command.values[slot], Templated)
    ]
    expected: Mapping[str, object] = like.get("attributes", {})
    found: dict[str, object] = {
        "command": " ".join(word for word in (command.verb, command.noun) if word),
        "name": None if "NAME" in unknown else command.name,
        "attributes": {
            word: _value(command, slot, isinstance(expected.get(word), list))
            for word, slot in zip(shape.words, shape.slots, strict=True)
        },
        "facts": {word: command.fact(word) for word in like.get("facts", {})},
        "maybe": command.maybe,
        "unknown": unknown,
    }
    return {key: value for key, value in found.items() if value not in (None, {}, [], False)}


def _slices(script: Script) -> str:
    kinds = [(slice.start, slice.kind) for slice in script.slices]
    kinds += [(start, "command") for start, _ in script.spans]
    return " ".join(kind for _, kind in sorted(kinds))


def _span(command: Command, what: str) -> tuple[int, int]:
    spans = {"VERB": command.span_of_verb, "NOUN": command.span_of_noun}
    spans["NAME"] = command.span_of_name
    if what in spans:
        return spans[what]()
    index = command.shape.words.index(what.removesuffix("()"))
    return command.span_of_value(index) if what.endswith("()") else command.span_of_word(index)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["name"]))
def test_case(case: Case) -> None:
    text = case["text"]
    script = PARSER.parse(text, Dialect(**case.get("dialect", {})))
    lines = LineMap.of(text)

    def place(offset: int) -> str:
        at = lines.position(offset)
        return f"{at.line}:{at.column}"

    expected = case.get("commands", [])
    likes = [*expected, *({} for _ in script.commands)]
    assert [_read(*pair) for pair in zip(script.commands, likes, strict=False)] == expected
    assert [
        f"{diagnostic.code}@{place(diagnostic.start)}" for diagnostic in script.diagnostics
    ] == case.get("faults", [])
    if "slices" in case:
        assert _slices(script) == case["slices"]
    for what, where in case.get("at", {}).items():
        start, end = _span(script.commands[case.get("of", 1) - 1], what)
        assert (what, f"{place(start)}-{place(end)}") == (what, where)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["name"]))
def test_what_was_read_before_changes_nothing(case: Case) -> None:
    parser = Parser(shipped_vocabulary())
    dialect = Dialect(**case.get("dialect", {}))
    first, second = parser.parse(case["text"], dialect), parser.parse(case["text"], dialect)
    assert first.diagnostics == second.diagnostics
    assert first.slices == second.slices
    assert [command.values for command in first.commands] == [
        command.values for command in second.commands
    ]
