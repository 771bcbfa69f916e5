"""The values that keys of a policy take, besides those of any file (`mqlint.config.forms`)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mqlint.config.forms import (
    TEXT,
    TEXTS,
    Form,
    Key,
    Schema,
    any_of,
    ref,
    required,
    schema_of,
)
from mqlint.config.node import Node
from mqlint.model.facts.registry import FACT_TYPES
from mqlint.policy.compile.accessors import DERIVED
from mqlint.policy.compile.predicate import SUBQUERIES

OBJECTS = (
    *"qmgr queue qlocal qalias qremote qmodel channel namelist process topic sub listener".split(),
    *"service authinfo comminfo chlauth authrec policy stgclass cfstruct psid buffpool".split(),
    *(type_ for type_ in FACT_TYPES if type_ != "qmgr"),
)
"""The types of facts that a condition may be about."""

OBJECT = Key("object", Form("type of a fact", ref("object")), required=True)


def condition_schema(others: Mapping[str, object] | None = None) -> Schema:
    """Return the schema of a condition; editors offer its keys that are no attributes.

    `others` are further keys of it, whose values may be other than tests.
    """
    conditions = {"type": "array", "minItems": 1, "items": ref("condition")}
    of_types = (key for kind in FACT_TYPES.values() for key in kind.attributes if "*" not in key)
    test = ref("testOfKey")
    properties: dict[str, object] = {
        "all": conditions,
        "any": conditions,
        "not": ref("condition"),
        **dict.fromkeys(SUBQUERIES, ref("hop")),
        **{key: {**test, "description": derived.about} for key, derived in DERIVED.items()},
    }
    properties |= {key: test for key in of_types if key not in properties}
    return {
        "type": "object",
        "minProperties": 1,
        "properties": properties | dict(others or {}),
        "additionalProperties": test,
    }


def condition_with(*keys: Key) -> Schema:
    """Return the schema of a condition with further keys, whose values are texts."""
    needed = required(keys)
    return {
        "allOf": [ref("condition")],
        "properties": {key.name: key.schema for key in keys},
        **({"required": list(needed)} if needed else {}),
    }


def formed(pattern: re.Pattern[str], written: str) -> Form:
    def read(node: Node) -> str:
        if pattern.match(node.string()) is None:
            raise node.error(f"expected {written}")
        return node.string()

    return Form(written, schema_of(pattern), read=read)


def either(*forms: Form) -> Form:
    written = " or ".join(form.written for form in forms)
    return Form(written, any_of(*(form.schema for form in forms)))


KEY = Form("key", TEXT.schema)
KEYS = Form("list of keys", {**TEXTS.schema, "minItems": 1})
NETWORKS = Form("list of networks", KEYS.schema)
SCALAR = Form(
    "text, number or truth value", {"type": ["string", "number", "boolean"]}, read=Node.text
)
NUMBER = Form("whole number or `{param: NAME}`", any_of({"type": "integer"}, ref("param")))
PAIRS = Form(
    "`{THEIR_KEY: MY_KEY, ...}`",
    {"type": "object", "minProperties": 1, "additionalProperties": TEXT.schema},
)
CONDITION = Form("condition", ref("condition"))
FILES = Form(
    "`{PATH: TEXT, ...}`",
    {"type": "object", "additionalProperties": SCALAR.schema},
    read=lambda node: tuple((path, text.text()) for path, text in node.mapping().items()),
)
