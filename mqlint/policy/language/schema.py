"""The JSON Schema of a policy file, made of the words that the loader goes by.

It is published as `mqlint/policy/policy.schema.json`, for editors. What only the vocabulary of MQ
knows (which attribute an object has) is left to the loader.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from mqlint.config.settings import PROFILES
from mqlint.model.facts.registry import FACT_TYPES
from mqlint.policy.compile.accessors import DERIVED
from mqlint.policy.compile.operators import OPERATORS
from mqlint.policy.compile.predicate import FACT_OPERATORS, HOPS
from mqlint.policy.kinds.grouped import GROUPS, SCOPES
from mqlint.policy.kinds.reaches import PARTNERS, PLACES, USERS
from mqlint.policy.kinds.sequence import REACHES, SIDES
from mqlint.policy.language.cases import CASE_KEYS
from mqlint.policy.language.kinds import BODY, KINDS, MUST, ORDERS
from mqlint.policy.language.operands import PARAMETERS, TAKES
from mqlint.policy.language.parameters import TYPES
from mqlint.policy.language.words import (
    CONFIDENCES,
    EVIDENCES,
    HEADER,
    ID,
    NAME,
    OBJECTS,
    PARAMETER,
    PARAMETER_NAME,
    REQUIRED,
    SEVERITIES,
)

Schema = dict[str, object]

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_KEYS: Schema = {**_TEXTS, "minItems": 1}
_SCALAR: Schema = {"type": ["string", "number", "boolean"]}
_CONDITION: Schema = {"$ref": "#/$defs/condition"}
_TEST: Schema = {"$ref": "#/$defs/test"}
_TEST_OF_KEY: Schema = {"$ref": "#/$defs/testOfKey"}
_HOP: Schema = {"$ref": "#/$defs/hop"}
_NUMBER: Schema = {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/param"}]}


def policy_schema() -> Schema:
    """Return the schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A policy of mqlint",
        "description": "One rule over IBM MQ configuration: what it is about, what it checks, and "
        "cases that prove it. See docs/writing-policies.md.",
        **_closed({key: _described(_HEADER[key], _SAYS[key]) for key in HEADER}, REQUIRED),
        "if": {"properties": {"check": {"required": ["diagnostic"]}}},
        "else": {"required": ["match"]},
        "$defs": {
            "condition": _condition(),
            "test": _test(),
            "testOfKey": _test_of_key(),
            "param": _closed({"param": _TEXT}, ["param"]),
            "key": _closed({"key": _TEXT}, ["key"]),
            "sum": _closed({"key": _TEXT, "times": _NUMBER, "plus": _NUMBER}, ["key"]),
            "hop": _about({"by": _pairs()}),
            "case": _case(),
        },
    }


def as_text() -> str:
    """Return the schema as JSON, as it is published."""
    return json.dumps(policy_schema(), indent=1) + "\n"


# -- parts ------------------------------------------------------------------------------------


def _described(schema: Schema, text: str) -> Schema:
    return {**schema, "description": text}


def _closed(properties: Mapping[str, object], required: Iterable[str] = ()) -> Schema:
    """An object with these keys and no others."""
    needed = list(required)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        **({"required": needed} if needed else {}),
    }


def _one(properties: Mapping[str, object]) -> Schema:
    """An object with one of these keys."""
    return {**_closed(properties), "minProperties": 1, "maxProperties": 1}


def _of(words: Iterable[str]) -> Schema:
    return {"enum": list(words)}


def _pairs() -> Schema:
    """Their key and this fact's key."""
    return {"type": "object", "minProperties": 1, "additionalProperties": _TEXT}


def _any_of(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


# -- conditions -------------------------------------------------------------------------------


def _condition_keys() -> dict[str, object]:
    """The keys of a condition that are no attributes; editors offer them."""
    conditions = {"type": "array", "minItems": 1, "items": _CONDITION}
    of_types = (key for kind in FACT_TYPES.values() for key in kind.attributes if "*" not in key)
    derived = dict.fromkeys((*DERIVED, *of_types), _TEST_OF_KEY)
    hops = dict.fromkeys(HOPS, _HOP)
    return {"all": conditions, "any": conditions, "not": _CONDITION, **hops, **derived}


def _condition() -> Schema:
    return {
        "type": "object",
        "minProperties": 1,
        "properties": _condition_keys(),
        "additionalProperties": _TEST_OF_KEY,
    }


def _about(others: Mapping[str, object] | None = None) -> Schema:
    """A condition that begins with the type of the object it is about."""
    condition = _condition()
    properties = {**_condition_keys(), **(others or {}), "object": _of(OBJECTS)}
    return {**condition, "properties": properties, "required": ["object"]}


def _test() -> Schema:
    """A word, a list of words, a parameter, a key of the fact, or operators."""
    operators = _closed({name: _operand(TAKES[name]) for name in OPERATORS})
    return _any_of(
        _SCALAR,
        {"type": "array", "minItems": 1, "items": _SCALAR},
        {"$ref": "#/$defs/param"},
        {"$ref": "#/$defs/key"},
        {**operators, "minProperties": 1},
    )


def _test_of_key() -> Schema:
    alone = (_closed({name: _operand(TAKES[name])}, [name]) for name in FACT_OPERATORS)
    return _any_of(_TEST, *alone)


def _operand(takes: str) -> Schema:
    wanted, _, or_key = takes.partition(" or ")
    if wanted == "test":
        return _TEST
    if wanted == "tests":
        return {"type": "array", "minItems": 1, "items": _TEST}
    if wanted == "key":
        return _TEXT
    forms = [*_FORMS[wanted]]
    if wanted in PARAMETERS:
        forms.append({"$ref": "#/$defs/param"})
    if or_key:
        forms.append({"$ref": "#/$defs/sum" if wanted == "number" else "#/$defs/key"})
    return _any_of(*forms)


_FORMS: Mapping[str, tuple[Schema, ...]] = {
    "boolean": ({"type": "boolean"},),
    "texts": (_SCALAR, {"type": "array", "minItems": 1, "items": _SCALAR}),
    "regex": (_TEXT,),
    "number": ({"type": "integer"},),
    "networks": (_TEXT, _KEYS),
    "release": ({"type": ["string", "number"]},),
}


# -- kinds ------------------------------------------------------------------------------------


def _check() -> Schema:
    kinds = {
        "attributes": {**_condition(), "properties": {**_condition_keys(), "at": _TEXT}},
        "related": _closed(_kind("related"), ["to", "by", "must"]),
        "grouped": _closed(_kind("grouped"), ["by"]),
        "sequence": {
            **_closed(_kind("sequence")),
            "oneOf": [{"required": [side]} for side in SIDES],
        },
        "reaches": _closed(_kind("reaches"), ["from"]),
        "diagnostic": _described(_TEXT, "A code of mqlint itself: reserved to its own rules."),
    }
    return {
        **_closed({kind: kinds[kind] for kind in KINDS}),
        "minProperties": 1,
        "maxProperties": 1,
    }


def _kind(kind: str) -> dict[str, object]:
    return {key: _BODIES[kind][key] for key in BODY[kind]}


def _bounds(*words: str) -> Schema:
    return {**_closed(dict.fromkeys(words, _NUMBER)), "minProperties": 1}


_SIDE: Schema = {
    **_closed(dict.fromkeys(ORDERS, _CONDITION)),
    "minProperties": 1,
    "maxProperties": 1,
}
_BODIES: Mapping[str, Mapping[str, Schema]] = {
    "related": {
        "to": _about(),
        "by": _pairs(),
        "must": _of(MUST),
        "where": _CONDITION,
        "agree": _KEYS,
        "differ": _KEYS,
        "across": {"type": "boolean"},
        "at": _TEXT,
    },
    "grouped": {
        "by": _any_of(_TEXT, _KEYS),
        "within": _of(SCOPES),
        "between": _of(GROUPS),
        "distinct": {**_closed(dict.fromkeys(GROUPS, _bounds("min", "max"))), "minProperties": 1},
        "agree": _KEYS,
        "size": _bounds("min", "max"),
        "at": _TEXT,
    },
    "sequence": {
        **dict.fromkeys(SIDES, _SIDE),
        "undone_by": _CONDITION,
        "same": _KEYS,
        "within": _of(REACHES),
    },
    "reaches": {
        "from": _any_of(_of(PLACES), _KEYS),
        "as": _of(USERS),
        "by": _of(PARTNERS),
        "every": {"type": "boolean"},
        "must": {"type": "boolean"},
    },
}


# -- header and cases -------------------------------------------------------------------------


def _case() -> Schema:
    properties = {key: _described(_CASE[key], _CASE_SAYS[key]) for key in CASE_KEYS}
    return _closed(properties, ["name", "files", "flagged"])


def _parameters() -> Schema:
    values: Mapping[str, Schema] = {
        "type": _of(TYPES),
        "default": {"type": ["string", "number", "boolean", "array"]},
        "says": _TEXT,
    }
    one = _closed({key: values[key] for key in PARAMETER}, PARAMETER)
    return {
        "type": "object",
        "propertyNames": {"pattern": f"^{PARAMETER_NAME.pattern.removesuffix(_END)}$"},
        "additionalProperties": one,
    }


def _formed(pattern: str) -> Schema:
    return {"type": "string", "pattern": f"^{pattern.removesuffix(_END)}$"}


_END = r"\Z"
_HEADER: Mapping[str, Schema] = {
    "id": _formed(ID.pattern),
    "name": _formed(NAME.pattern),
    "summary": _TEXT,
    "severity": {**_closed(dict.fromkeys(PROFILES, _of(SEVERITIES))), "minProperties": 1},
    "confidence": _of(CONFIDENCES),
    "evidence": _of(EVIDENCES),
    "why": _TEXT,
    "fix": _TEXT,
    "see": _TEXTS,
    "messages": _TEXTS,
    "covers": _TEXTS,
    "aliases": _TEXTS,
    "ignorable": {"type": "boolean"},
    "parameters": _parameters(),
    "match": _about(),
    "check": _check(),
    "unless": _CONDITION,
    "message": _TEXT,
    "cases": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/case"}},
}
_SAYS: Mapping[str, str] = {
    "id": "Two to four letters and three digits, never used again.",
    "name": "Words joined by hyphens, for people.",
    "summary": "What is wrong, in one line.",
    "severity": "How bad it is, by profile; one that is not named does not run the policy.",
    "confidence": "How sure a finding is.",
    "evidence": "Where it is known from: a product's output, IBM's pages, or memory.",
    "why": "What goes wrong, in the words of someone who has been called at night for it.",
    "fix": "What to do. Indented lines keep their breaks.",
    "see": "Addresses of pages that were read.",
    "messages": "Messages and reason codes that stand in the logs then.",
    "covers": "Rows of the catalogue.",
    "aliases": "Former ids.",
    "ignorable": "false when no comment in a file may suppress it.",
    "parameters": "What users may set in mqlint.yaml, used as {param: NAME}.",
    "match": "The type of object, and the condition on it.",
    "check": "One kind of check, and what it asks.",
    "unless": "A condition that makes a fact exempt.",
    "message": "What a finding says; {name} and other keys in braces are filled in.",
    "cases": "Small estates with the places the policy must flag: one flagged, one clean.",
}
_CASE: Mapping[str, Schema] = {
    "name": {"type": ["string", "number", "boolean"]},
    "files": {"type": "object", "additionalProperties": _SCALAR},
    "base": {"type": "object", "additionalProperties": _SCALAR},
    "config": {"type": "object"},
    "profiles": {"type": "array", "items": _of(PROFILES)},
    "today": {"type": ["string", "number"]},
    "flagged": _TEXTS,
    "also": _TEXTS,
}
_CASE_SAYS: Mapping[str, str] = {
    "name": "What the case shows.",
    "files": "Texts of files by their paths.",
    "base": "Texts of the files as they were: the case is a change, and what is new is flagged.",
    "config": "What mqlint.yaml would say.",
    "profiles": "The profiles of the run; all that the policy has a severity in, when left out.",
    "today": "The day on which waivers are judged.",
    "flagged": "Every path:line with a finding of this policy.",
    "also": "Other rules that a clean case may raise.",
}
