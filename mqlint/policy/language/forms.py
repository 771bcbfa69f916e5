"""The values that keys of a policy take: as the reference writes them, and as JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field

from mqlint.config.node import Node
from mqlint.dataclass import frozen
from mqlint.model.facts.registry import FACT_TYPES
from mqlint.policy.compile.accessors import DERIVED
from mqlint.policy.compile.predicate import SUBQUERIES

Schema = dict[str, object]

OBJECTS = (
    *"qmgr queue qlocal qalias qremote qmodel channel namelist process topic sub listener".split(),
    *"service authinfo comminfo chlauth authrec policy stgclass cfstruct psid buffpool".split(),
    *(type_ for type_ in FACT_TYPES if type_ != "qmgr"),
)
"""The types of facts that a condition may be about."""


@frozen
class Form:
    """The values that a key takes.

    `written` is how the reference writes them. `words` are the values of an enumeration, `keys`
    those of a mapping with fixed keys.
    """

    written: str
    schema: Schema
    words: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()


@frozen
class Key:
    """A key of a mapping: what it takes, one line on what it means, and whether it must be set."""

    name: str
    form: Form
    about: str
    required: bool = field(default=False, kw_only=True)

    @property
    def schema(self) -> Schema:
        """The schema of its value, with its description."""
        return {**self.form.schema, "description": self.about}


def names(keys: Iterable[Key]) -> tuple[str, ...]:
    """Return the names of keys, in order."""
    return tuple(key.name for key in keys)


def required(keys: Iterable[Key]) -> tuple[str, ...]:
    """Return the names of those keys that must be set."""
    return tuple(key.name for key in keys if key.required)


class Body:
    """A mapping of a policy file, read by the keys of its form."""

    def __init__(self, node: Node, form: Form) -> None:
        """Refuse keys that the form does not have; ConfigError for no mapping."""
        node.keys_allowed(names(form.keys))
        self.node = node
        self._forms = {key.name: key.form for key in form.keys}

    def get(self, name: str) -> Node | None:
        """Return the value of a key, None if it is not set."""
        return self.node.get(name)

    def require(self, name: str) -> Node:
        """Return the value of a key; ConfigError if it is not set."""
        return self.node.require(name)

    def form(self, name: str) -> Form:
        return self._forms[name]

    def word(self, name: str, default: str) -> str:
        node = self.node.get(name)
        return default if node is None else node.one_of(self._forms[name].words)

    def flag(self, name: str, default: bool = False) -> bool:
        node = self.node.get(name)
        return default if node is None else node.boolean()


# -- schemas ------------------------------------------------------------------------------------


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def closed(properties: Mapping[str, object], needed: Iterable[str] = ()) -> Schema:
    """Return the schema of a mapping with these keys and no others."""
    listed = list(needed)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        **({"required": listed} if listed else {}),
    }


def any_of(*schemas: Schema) -> Schema:
    """Return the schema of a value that fits one of several."""
    return {"anyOf": list(schemas)}


def condition_schema(others: Mapping[str, object] | None = None, *, about: bool = False) -> Schema:
    """Return the schema of a condition; editors offer its keys that are no attributes.

    `others` are further keys of it. With `about` the type of the object is one of them.
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
    properties |= others or {}
    if about:
        properties["object"] = words(*OBJECTS).schema
    return {
        "type": "object",
        "minProperties": 1,
        "properties": properties,
        "additionalProperties": test,
        **({"required": ["object"]} if about else {}),
    }


# -- forms --------------------------------------------------------------------------------------


def words(*allowed: str) -> Form:
    written = ", ".join(f"`{word}`" for word in allowed)
    return Form(written, {"enum": list(allowed)}, allowed)


def formed(pattern: re.Pattern[str], written: str) -> Form:
    text = pattern.pattern.removesuffix(r"\Z")
    return Form(written, {"type": "string", "pattern": f"^{text}$"})


def either(*forms: Form) -> Form:
    written = " or ".join(form.written for form in forms)
    return Form(written, any_of(*(form.schema for form in forms)))


def mapping(*keys: Key, some: bool = False, one: bool = False) -> Form:
    """Return the form of a mapping: `some` key must be set, or exactly `one`."""
    schema = closed({key.name: key.schema for key in keys}, required(keys))
    if some or one:
        schema["minProperties"] = 1
    if one:
        schema["maxProperties"] = 1
    return Form(f"`{{{', '.join(names(keys))}}}`", schema, keys=keys)


TEXT = Form("text", {"type": "string"})
TEXTS = Form("list of texts", {"type": "array", "items": TEXT.schema})
KEY = Form("key", TEXT.schema)
KEYS = Form("list of keys", {**TEXTS.schema, "minItems": 1})
NETWORKS = Form("list of networks", KEYS.schema)
FLAG = Form("`true` or `false`", {"type": "boolean"})
SCALAR = Form("text, number or truth value", {"type": ["string", "number", "boolean"]})
NUMBER = Form("whole number or `{param: NAME}`", any_of({"type": "integer"}, ref("param")))
PAIRS = Form(
    "`{THEIR_KEY: MY_KEY, ...}`",
    {"type": "object", "minProperties": 1, "additionalProperties": TEXT.schema},
)
CONDITION = Form("condition", ref("condition"))
FILES = Form(
    "`{PATH: TEXT, ...}`",
    {"type": "object", "additionalProperties": SCALAR.schema},
)
