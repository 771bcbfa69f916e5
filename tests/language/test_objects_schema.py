"""The JSON Schema of MQSC in YAML and JSON says what the vocabulary says."""

from __future__ import annotations

import json

import jsonschema
import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, check
from mqlint.language.objects.schema import objects_schema
from mqlint.vocabulary import CommandSpec, Kind
from tests.shipped import shipped_rulebook, shipped_vocabulary

VOCABULARY = shipped_vocabulary()
SCHEMA = objects_schema(VOCABULARY)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
WORDS = {"VOC002", "VOC005", "VOC007"}


def values_of(name: str) -> jsonschema.Draft202012Validator:
    """What judges the parameters of a command."""
    return jsonschema.Draft202012Validator({**SCHEMA["$defs"][name], "$defs": SCHEMA["$defs"]})


@pytest.mark.slow
def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_each_attribute_takes_what_the_vocabulary_allows() -> None:
    for text in VOCABULARY.commands():
        verb, _, noun = text.partition(" ")
        command = VOCABULARY.command(verb, noun or None)
        if command is not None and verb not in ("DISPLAY", "END"):
            takes_what_is_allowed(command, values_of(text.lower().replace(" ", "-")))


def takes_what_is_allowed(command: CommandSpec, validator: jsonschema.Draft202012Validator) -> None:
    for attribute in command.attributes:
        key, domain = attribute.word.lower(), attribute.domain
        is_certain = attribute.evidence != "recall" and not attribute.recalled_bounds
        right: list[object] = [word.lower() for word in domain.words if "#" not in word]
        wrong: list[object] = []
        if domain.kind is Kind.INT:
            right += [domain.low, domain.high, str(domain.low)]
            wrong += [domain.low - 1, domain.high + 1, "no such word"] if is_certain else []
        elif domain.kind is Kind.WORDS:
            is_closed = is_certain and not any("#" in word for word in domain.words)
            wrong += ["no such word", {}] if is_closed else []
        elif domain.kind is Kind.FLAG:
            right, wrong = ["yes"], ["maybe"]
        for value in right:
            assert validator.is_valid({key: value}), (key, value)
        for value in wrong:
            assert not validator.is_valid({key: value}), (key, value)
        assert validator.is_valid({key: "{{ value }}"}) or domain.kind is Kind.FLAG
    assert not validator.is_valid({"nosuchword": 1})


BODY: dict[str, object] = {
    "type": "runCommandJSON",
    "command": "define",
    "qualifier": "qlocal",
    "name": "A.B",
}
BODIES: dict[str, tuple[dict[str, object], bool]] = {
    "no parameters": (BODY, True),
    "right values": (BODY | {"parameters": {"maxdepth": 5, "put": "disabled"}}, True),
    "a synonym of the qualifier": (BODY | {"qualifier": "ql", "parameters": {"get": "x"}}, False),
    "a misspelt attribute": (BODY | {"parameters": {"maxdepht": 5}}, False),
    "a number out of range": (BODY | {"parameters": {"maxdepth": -1}}, False),
    "a list of names": (
        BODY | {"qualifier": "namelist", "parameters": {"names": ["A", "B"]}},
        True,
    ),
    "a keyword of another attribute": (BODY | {"parameters": {"usage": "enabled"}}, False),
    "DISPLAY": (BODY | {"command": "display", "responseParameters": ["all"]}, True),
}


@pytest.mark.parametrize("case", BODIES)
def test_it_judges_a_body_as_the_check_does(case: str) -> None:
    body, is_right = BODIES[case]
    analyser = Analyser(VOCABULARY)
    data = json.dumps(body).encode()
    run = check([Input("a.json", data=data)], Settings(), analyser, shipped_rulebook())
    assert (WORDS.isdisjoint(finding.rule.id for finding in run.findings)) == is_right
    assert VALIDATOR.is_valid(body) == is_right
    listed = {key: value for key, value in body.items() if key != "type"}
    assert VALIDATOR.is_valid({"mq_commands": [listed]}) == is_right
    assert VALIDATOR.is_valid([body]) == is_right


@pytest.mark.parametrize("document", [{"kind": "ConfigMap"}, {"mq_commands": [{}]}, "text"])
def test_other_documents_do_not_fit(document: object) -> None:
    assert not VALIDATOR.is_valid(document)
