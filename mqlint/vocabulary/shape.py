"""Shapes of the vocabulary's YAML: what an entry may hold, and the record that it becomes.

A check takes a value of YAML and returns plain data for the cache, which holds JSON. It raises
ConfigError, with the place and the nearest right word, for a value of another form. A `Shape` also
loads that plain data. A dataclass declares an entry: its fields that are `required` or `optional`
are the keys. The module of each vocabulary has its `SHAPE`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from mqlint.config.errors import guess
from mqlint.config.node import Node, Plain
from mqlint.dataclass import frozen
from mqlint.vocabulary.target import parse_level

Value = TypeVar("Value")
Default = TypeVar("Default")
Check = Callable[[Node], Plain]
Checks = Mapping[str, Check]
Record = Callable[[Node], dict[str, Plain]]


def listed(check: Check) -> Check:
    """Return the check of a list, in which no text may be twice."""

    def check_list(node: Node) -> Plain:
        seen: set[str] = set()
        for item in node.sequence():
            if item.raw in seen:
                raise item.error(f"{item.raw!r} is in the list twice")
            seen |= {item.raw} - {""}  # a list or mapping has no text
        return [check(item) for item in node.items]

    return check_list


def several(check: Check) -> Check:
    """Return the check of a list, or of one value that is written without a list."""
    check_list = listed(check)
    return lambda node: check_list(node) if node.kind == "sequence" else [check(node)]


def word(*allowed: str) -> Check:
    return lambda node: node.one_of(allowed)


def known(node: Node, names: Collection[str], what: str) -> str:
    """Return a text that is among very many `names`; the error says `what` they are."""
    text = node.text()
    if text in names:
        return text
    raise node.error(f"unknown {what} {text!r}{guess(text, names)}")


def table(check: Check) -> Check:
    return lambda node: {name: check(value) for name, value in node.mapping().items()}


def keys(required: Checks, optional: Checks) -> Record:
    checks = {**required, **optional}

    def check_keys(node: Node) -> dict[str, Plain]:
        node.keys_allowed(checks)
        for key in required:
            node.require(key)
        return {key: checks[key](value) for key, value in node.mapping().items()}

    return check_keys


def level(node: Node) -> Plain:
    """Return a release such as 9.4.0, as it is written."""
    text = node.text()
    try:
        parse_level(text)
    except ValueError as error:
        raise node.error(str(error)) from None
    return text


def bounds(node: Node) -> Plain:
    """Return a least and a greatest number."""
    numbers = [item.integer() for item in node.sequence()]
    if len(numbers) != 2 or numbers[0] > numbers[1]:
        raise node.error("expected two numbers, the least and the greatest")
    return list(numbers)


texts = listed(Node.text)


@frozen
class Shape(Generic[Value]):
    """How a value is checked, and loaded from the plain data that the check returns."""

    check: Check
    load: Callable[[Any], Value]


def one_of(*allowed: str) -> Shape[str]:
    return Shape(word(*allowed), str)


def list_of(shape: Shape[Value]) -> Shape[tuple[Value, ...]]:
    return Shape(listed(shape.check), lambda raw: tuple(map(shape.load, raw)))


def table_of(shape: Shape[Value]) -> Shape[Mapping[str, Value]]:
    """Return the shape of a mapping with any keys, whose values all have this shape."""
    return Shape(
        table(shape.check),
        lambda raw: {name: shape.load(value) for name, value in raw.items()},
    )


TEXT = Shape(Node.text, str)
FLAG = Shape(Node.boolean, bool)
NUMBER = Shape(Node.integer, int)
TEXTS: Shape[tuple[str, ...]] = Shape(texts, tuple)
WORDS: Shape[frozenset[str]] = Shape(texts, frozenset)
PAIRS: Shape[Mapping[str, str]] = Shape(table(Node.text), dict)
LISTS = table_of(TEXTS)
GROUPS = list_of(TEXTS)
BOUNDS: Shape[tuple[int, ...]] = Shape(bounds, tuple)
LEVEL = Shape(level, parse_level)
EVIDENCE = one_of("product", "document", "recall")


def required(shape: Shape[Value], key: str = "") -> Value:
    """Declare a field that an entry must have, as `key` if that is not the field's name."""
    return cast("Value", field(metadata={"shape": shape, "key": key}))


def optional(
    shape: Shape[Value], default: Default, key: str = "", *, hashed: bool | None = None
) -> Value | Default:
    """Declare a field that an entry may have; without it the value is `default`."""
    metadata = {"shape": shape, "key": key}
    declared: Any = field(default_factory=lambda: default, hash=hashed, metadata=metadata)
    return cast("Value", declared)


def inline(checks: Checks, read: Callable[[Mapping[str, Any]], Value]) -> Value:
    """Declare a field made of several keys of the entry, which `read` takes from all of them."""
    metadata = {"checks": checks, "read": read}
    return field(default_factory=lambda: read({}), metadata=metadata)


class _Declared:
    """The fields that a record declares, by their keys."""

    def __init__(self, record: type) -> None:
        declared = [(item, item.metadata) for item in fields(record) if item.metadata]
        self.inline = [(item.name, data["read"]) for item, data in declared if "read" in data]
        self.keys: dict[str, tuple[str, Shape[object]]] = {}
        self.required: dict[str, Check] = {}
        self.checks: dict[str, Check] = {}
        for item, data in declared:
            if "shape" in data:
                key, shape = data["key"] or item.name, data["shape"]
                self.keys[key] = item.name, shape
                checks = self.checks if item.default_factory is not MISSING else self.required
                checks[key] = shape.check
            else:
                self.checks |= data["checks"]


_declared = cache(_Declared)


def checks_of(record: type, without: Collection[str]) -> dict[str, Check]:
    """Return the checks of the keys that an entry may have, for a record that is `inline`."""
    checks = _declared(record).checks.items()
    return {key: check for key, check in checks if key not in without}


def entry(record: type, others: Checks = MappingProxyType({})) -> Record:
    """Return the check of an entry that `record` declares; `others` are more keys it may have."""
    declared = _declared(record)
    return keys(declared.required, {**declared.checks, **others})


def load(record: Callable[..., Value], raw: Mapping[str, Any], **others: object) -> Value:
    """Return the record of a checked entry; `others` are fields that it does not declare."""
    declared = _declared(cast(type, record))
    for key, (name, shape) in declared.keys.items():
        if key in raw:
            others[name] = shape.load(raw[key])
    for name, read in declared.inline:
        others[name] = read(raw)
    return record(**others)


def shape_of(record: Callable[..., Value]) -> Shape[Value]:
    return Shape(entry(cast(type, record)), lambda raw: load(record, raw))


def sections(shapes: Mapping[str, Shape[Value]]) -> Shape[dict[str, Value]]:
    """Return the shape of a mapping with exactly these keys, each with a shape of its own."""
    return Shape(
        keys({name: shape.check for name, shape in shapes.items()}, {}),
        lambda raw: {name: shape.load(raw[name]) for name, shape in shapes.items()},
    )


def entries(record: Callable[..., Value]) -> Shape[Mapping[str, Value]]:
    """Return the shape of a mapping from names to entries; the name is a field of each record."""
    return Shape(
        table(entry(cast(type, record))),
        lambda raw: {name: load(record, plain, name=name) for name, plain in raw.items()},
    )
