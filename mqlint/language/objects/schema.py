"""The JSON Schema of MQSC in YAML and JSON, from the vocabulary: for editors.

It is about bodies of the REST API and lists `mq_commands`. What a schema cannot express (which
attributes belong together, what a release has), it allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mqlint.config.forms import ref
from mqlint.vocabulary import AttributeSpec, CommandSpec, Domain, Kind, Vocabulary

Schema = dict[str, Any]

_END = "END"
_TEMPLATE: Schema = {"type": "string", "pattern": r"\{\{|\$\{|\{%"}
_ANY: Schema = {"type": ["string", "number", "boolean", "array"]}
_FLAG: Schema = {"enum": ["yes", "no", True, False]}
_HIGHEST = 2**53
_ANY_DIGIT = "#"


def objects_schema(vocabulary: Vocabulary) -> Schema:
    commands = [
        command
        for name in vocabulary.commands()
        if (command := vocabulary.command(*_parted(name))) is not None and command.verb != _END
    ]
    checked = [command for command in commands if not command.is_display]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "MQSC in YAML and JSON",
        "description": "Commands of IBM MQ as the administrative REST API takes them "
        "(runCommandJSON), and lists mq_commands of them for Ansible.",
        "anyOf": [
            {
                "type": "object",
                "required": ["mq_commands"],
                "properties": {"mq_commands": {"type": "array", "items": ref("command")}},
            },
            {"allOf": [{"required": ["type"]}, ref("command")]},
            {"type": "array", "items": ref("command")},
        ],
        "$defs": {
            "command": {
                "type": "object",
                "required": ["command"],
                "properties": {
                    "type": {"const": "runCommandJSON"},
                    "command": {"enum": _cases({command.verb for command in commands})},
                    "qualifier": {"enum": _cases(vocabulary.noun_words)},
                    "name": {"type": "string"},
                    "parameters": {"type": "object"},
                    "responseParameters": {"type": "array", "items": {"type": "string"}},
                },
                "additionalProperties": False,
                "allOf": [_choice(command, vocabulary) for command in checked],
            },
            **{_name(command): _parameters(command) for command in checked},
        },
    }


def _parted(name: str) -> tuple[str, str | None]:
    verb, _, noun = name.partition(" ")
    return verb, noun or None


def _name(command: CommandSpec) -> str:
    return command.text.lower().replace(" ", "-")


def _cases(words: Iterable[str]) -> list[str]:
    return sorted({form for word in words for form in (word.lower(), word.upper())})


def _choice(command: CommandSpec, vocabulary: Vocabulary) -> Schema:
    """What holds for an object with the verb and the qualifier of a command."""
    condition: Schema = {"command": {"enum": _cases([command.verb])}}
    then: Schema = {"properties": {"parameters": ref(_name(command))}}
    needed = ["command"]
    if command.noun is not None:
        nouns = [word for word in vocabulary.noun_words if vocabulary.noun(word) == command.noun]
        condition["qualifier"] = {"enum": _cases(nouns)}
        needed.append("qualifier")
    if command.name_domain is not None and not command.name_optional:
        then["required"] = ["name"]
    return {"if": {"properties": condition, "required": needed}, "then": then}


def _parameters(command: CommandSpec) -> Schema:
    """The parameters of a command; what is in upper case is not checked."""
    properties = {
        word.lower(): _value(spec)
        for word in sorted(command.words)
        if (spec := command.attribute(word)) is not None
    }
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": {"^[A-Z]": _ANY},
        "additionalProperties": False,
    }


def _value(spec: AttributeSpec) -> Schema:
    """The values of an attribute, or a template in their place."""
    found: Schema = {"anyOf": [*_forms(spec.domain), _TEMPLATE]}
    if spec.recalled_bounds or spec.evidence == "recall":
        found = dict(_ANY)
    if spec.domain.kind is Kind.FLAG:
        found = _FLAG
    since = spec.availability.since
    described = spec.word
    if since is not None and not since.recalled:
        described += f", from IBM MQ {'.'.join(map(str, since.lts))}"
    return {"description": described, **found}


def _forms(domain: Domain) -> list[Schema]:
    if domain.item is not None:
        items: Schema = {"type": "array", "items": {"anyOf": [*_forms(domain.item), _TEMPLATE]}}
        if domain.most:
            items["maxItems"] = domain.most
        return [items, *_forms(domain.item), *_empty(domain)]
    words = [word for word in domain.words if _ANY_DIGIT not in word]
    keywords: list[Schema] = [{"enum": _cases(words)}] if words else []
    if domain.kind is Kind.WORDS and len(words) == len(domain.words):
        return [*keywords, *([{"type": "boolean"}] if {"YES", "NO"} & set(words) else [])]
    if domain.kind is Kind.INT:
        number: Schema = {"type": "integer", "minimum": domain.low}
        if domain.high < _HIGHEST:
            number["maximum"] = domain.high
        return [number, {"type": "string", "pattern": r"^-?[0-9]+$"}, *keywords, *_empty(domain)]
    text: Schema = {"type": ["string", "number"]}
    if domain.kind is Kind.NAME and domain.length:
        text["maxLength"] = max(domain.length, domain.length_zos)
    return [text]


def _empty(domain: Domain) -> list[Schema]:
    return [{"const": ""}] if domain.empty or domain.item is not None else []
