"""Checks the tests of a policy's conditions: operators, what they take, and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from mqlint.config.errors import not_among
from mqlint.config.node import Node, Plain
from mqlint.policy.compile.operators import OPERATORS, PolicyError
from mqlint.policy.compile.pattern import PatternError, compile_pattern

TAKES: Mapping[str, str] = {
    "is": "test",
    "not": "test",
    "all": "tests",
    "any": "tests",
    "blank": "boolean",
    "like": "texts or key",
    "starts_with": "texts or key",
    "ends_with": "texts or key",
    "matches": "regex",
    **dict.fromkeys(("lt", "le", "gt", "ge"), "number or key"),
    "length": "test",
    "in_network": "networks",
    "older_than": "release",
    "known": "boolean",
    "same": "key",
    "count": "test",
}
"""What each operator takes."""

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "word": ("integer", "boolean", "text", "texts"),
    "boolean": ("boolean",),
    "texts": ("text", "texts"),
    "regex": ("regex",),
    "number": ("integer",),
    "networks": ("networks",),
    "release": ("release",),
}
"""The types of parameters that may stand for each."""


class Operands:
    """Reads tests and their operands.

    `parameters` are the types of the policy's parameters, `key` reads the key of a value to
    compare with and refuses an unknown one.
    """

    def __init__(self, parameters: Mapping[str, str], key: Callable[[Node], str]) -> None:
        self.parameters = parameters
        self.key = key

    def test(self, node: Node, allowed: tuple[str, ...] = tuple(OPERATORS)) -> Plain:
        """Return a test: a word, a list of words, a parameter, a key or a mapping of operators."""
        if node.kind == "sequence":
            return [_word(one) for one in some(node)]
        if node.kind != "mapping":
            return _word(node)
        if "param" in node.mapping():
            return self.parameter(node, "word")
        if "key" in node.mapping():
            return self._from_fact(node, ("key",))
        node.keys_allowed(allowed)
        if not node.mapping():
            raise node.error("an empty test holds for everything: leave it out")
        return {name: self.operand(name, value) for name, value in node.mapping().items()}

    def whole(self, name: str, node: Node) -> Plain:
        """Return the operand of an operator on a whole value."""
        return self.key(node) if name == "same" else self.operand(name, node)

    def operand(self, name: str, node: Node) -> Plain:
        """Return what an operator takes."""
        wanted, _, or_key = TAKES[name].partition(" or ")
        if wanted == "test":
            return self.test(node)
        if wanted == "tests":
            return [self.test(one) for one in some(node)]
        if node.kind == "mapping" and or_key and "param" not in node.mapping():
            words = ("key", "times", "plus") if wanted == "number" else ("key",)
            return self._from_fact(node, words)
        if wanted == "number":
            return self.number(node)
        if node.kind == "mapping":
            return self.parameter(node, wanted)
        if wanted == "boolean":
            return node.boolean()
        if wanted == "regex":
            return _regex(node)
        return _made(name, node)

    def number(self, node: Node) -> Plain:
        """Return a whole number, or the parameter that stands for one."""
        return self.parameter(node, "number") if node.kind == "mapping" else node.integer()

    def parameter(self, node: Node, wanted: str) -> Plain:
        """Return the use of a parameter, which must be declared and of a type that fits."""
        node.keys_allowed(("param",))
        name = node.require("param")
        if not self.parameters:
            raise name.error("the policy declares no parameters")
        word = name.one_of(tuple(self.parameters))
        found = self.parameters[word]
        if found not in PARAMETERS[wanted]:
            types = not_among(found, PARAMETERS[wanted])
            raise name.error(f"the parameter {word!r} is of type {found}: {types}")
        return {"param": word}

    def _from_fact(self, node: Node, allowed: tuple[str, ...]) -> Plain:
        """A value that is read from a fact, perhaps with something added."""
        node.keys_allowed(allowed)
        found: dict[str, Plain] = {"key": self.key(node.require("key"))}
        for word in ("times", "plus"):
            if word in node.mapping():
                found[word] = self.number(node.mapping()[word])
        return found


def _regex(node: Node) -> str:
    try:
        compile_pattern(node.string())
    except PatternError as error:
        raise node.error(f"not a pattern mqlint can match: {error}") from None
    return node.string()


def _made(name: str, node: Node) -> Plain:
    """The operand of like, in_network and others: tried by making the test."""
    if node.kind == "sequence":
        some(node)
    value = node.text() if name == "older_than" else node.plain()
    try:
        OPERATORS[name](cast("str", value))
    except (ValueError, PolicyError) as error:
        raise node.error(str(error)) from None
    return value


def some(node: Node) -> list[Node]:
    """Return the elements of a list that must not be empty."""
    if not node.sequence():
        raise node.error("an empty list says nothing: leave it out")
    return node.sequence()


def _word(node: Node) -> Plain:
    """A word, number or truth value to compare with."""
    node.text()
    return node.plain()
