"""Notes: which of their lines are commands, where they stand, and for whom they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mqlint.language.mqsc.command_line import FLAGS
from mqlint.language.notes.reader import parse_notes
from mqlint.language.registry import recognise
from mqlint.vocabulary.domain import Kind
from tests.shipped import shipped_vocabulary

CASES = yaml.safe_load(Path(__file__).with_name("notes.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_commands_of_notes(case: dict[str, Any]) -> None:
    text = case["text"]
    found = parse_notes(text, shipped_vocabulary())
    assert [[inner.queue_manager, inner.text] for inner in found] == case["found"]
    for inner in found:
        word = inner.text.split()[0]
        assert text[inner.host(0) :].startswith(word)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_notes_are_recognised_whatever_their_ending(case: dict[str, Any]) -> None:
    for name in ("a.txt", "a.tst", "a.in", "run", "a.conf"):
        assert recognise(name, case["text"]) in ("notes", "mqsc")


def test_words_without_parentheses_are_those_of_the_vocabulary() -> None:
    vocabulary = shipped_vocabulary()
    commands = (vocabulary.command(*key.split()) for key in vocabulary.commands() if " " in key)
    attributes = {spec.name: spec for command in commands if command for spec in command.attributes}
    flags = {name for name, spec in attributes.items() if spec.domain.kind is Kind.FLAG}
    flags |= {attributes[name].opposite or name for name in flags}
    assert {name.lower() for name in flags} <= FLAGS
