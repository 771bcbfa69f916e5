"""The JSON Schema of a policy file, from the table of the language.

It is published as `mqlint/policy/policy.schema.json`, for editors. What only the vocabulary of MQ
knows (which attribute an object has) is left to the loader.
"""

from __future__ import annotations

from mqlint.config.forms import FLAG, TEXT, Schema, any_of, closed, document, of_keys, ref, words
from mqlint.policy.compile.predicate import FACT_OPERATORS
from mqlint.policy.language.forms import (
    KEY,
    NUMBER,
    OBJECT,
    OBJECTS,
    PAIRS,
    SCALAR,
    condition_schema,
)
from mqlint.policy.language.table import CASE, HEADER, OPERATORS, TEXT_OPERATORS


def policy_schema() -> Schema:
    schema = {
        **of_keys(HEADER),
        "if": {"properties": {"check": {"required": ["diagnostic"]}}},
        "else": {"required": ["match"]},
        "$defs": {
            "object": words(*OBJECTS).schema,
            "condition": condition_schema(),
            "test": _test(),
            "testOfKey": any_of(
                ref("test"),
                *(closed({name: OPERATORS[name].schema}, [name]) for name in FACT_OPERATORS),
            ),
            "param": closed({"param": TEXT.schema}, ["param"]),
            "key": closed({"key": KEY.schema}, ["key"]),
            "sum": closed(
                {"key": KEY.schema, "times": NUMBER.schema, "plus": NUMBER.schema}, ["key"]
            ),
            "hop": {
                **condition_schema(
                    {"by": PAIRS.schema, OBJECT.name: OBJECT.schema, "as_read": FLAG.schema}
                ),
                "required": [OBJECT.name],
            },
            "case": CASE.schema,
        },
    }
    return document(
        "A policy of mqlint",
        "One rule over IBM MQ configuration: what it is about, what it checks, and "
        "cases that prove it. See docs/writing-policies.md.",
        schema,
    )


def _test() -> Schema:
    """A word, a list of words, a parameter, a key of the fact, or operators."""
    operators = closed({name: OPERATORS[name].schema for name in TEXT_OPERATORS})
    return any_of(
        SCALAR.schema,
        {"type": "array", "minItems": 1, "items": SCALAR.schema},
        ref("param"),
        ref("key"),
        {**operators, "minProperties": 1},
    )
