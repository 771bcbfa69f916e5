"""Checks the tests of a policy's conditions: operators, what they take, and parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from mqlint.config.errors import not_among
from mqlint.config.node import Node, Plain
from mqlint.policy.compile import operators
from mqlint.policy.compile.pattern import PatternError, compile_pattern
from mqlint.policy.language.table import (
    BOOLEAN,
    INTEGER,
    OPERATORS,
    OTHER_KEY,
    REGEX,
    TEST,
    TESTS,
    TEXT_OPERATORS,
    WORD,
    Operand,
)


class Operands:
    """Reads tests and their operands.

    `parameters` are the types of the policy's parameters, `key` reads the key of a value to
    compare with and refuses an unknown one.
    """

    def __init__(self, parameters: Mapping[str, str], key: Callable[[Node], str]) -> None:
        self.parameters = parameters
        self.key = key

    def test(self, node: Node, allowed: Iterable[str] = TEXT_OPERATORS) -> Plain:
        """Return a test: a word, a list of words, a parameter, a key or a mapping of operators."""
        if node.kind == "sequence":
            return [_word(item) for item in some(node)]
        if node.kind != "mapping":
            return _word(node)
        if "param" in node.mapping():
            return self.parameter(node, WORD)
        if "key" in node.mapping():
            return self._from_fact(node, WORD)
        node.keys_allowed(tuple(allowed))
        if not node.mapping():
            raise node.error("an empty test always holds: omit it")
        return {name: self.operand(name, value) for name, value in node.mapping().items()}

    def operand(self, name: str, node: Node) -> Plain:
        takes = OPERATORS[name].takes
        if takes is OTHER_KEY:
            return self.key(node)
        if takes is TEST:
            return self.test(node)
        if takes is TESTS:
            return [self.test(item) for item in some(node)]
        if node.kind == "mapping" and takes.from_fact and "param" not in node.mapping():
            return self._from_fact(node, takes)
        if takes is INTEGER:
            return self.number(node)
        if node.kind == "mapping":
            return self.parameter(node, takes)
        if takes is BOOLEAN:
            return node.boolean()
        return _regex(node) if takes is REGEX else _made(name, node)

    def number(self, node: Node) -> Plain:
        """Return a whole number, or the parameter that stands for one."""
        return self.parameter(node, INTEGER) if node.kind == "mapping" else node.integer()

    def parameter(self, node: Node, wanted: Operand) -> Plain:
        """Return the use of a parameter, which must be declared and of a type that fits."""
        node.keys_allowed(("param",))
        name = node.require("param")
        if not self.parameters:
            raise name.error("the policy declares no parameters")
        word = name.one_of(tuple(self.parameters))
        found = self.parameters[word]
        if found not in wanted.parameters:
            types = not_among(found, wanted.parameters)
            raise name.error(f"the parameter {word!r} is of type {found}: {types}")
        return {"param": word}

    def _from_fact(self, node: Node, wanted: Operand) -> Plain:
        """A value that is read from a fact, for a number with a factor and a summand."""
        node.keys_allowed(wanted.from_fact)
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
        operators.OPERATORS[name](cast("str", value))
    except (ValueError, operators.PolicyError) as error:
        raise node.error(str(error)) from None
    return value


def some(node: Node) -> list[Node]:
    """Return the elements of a list that must not be empty."""
    if not node.sequence():
        raise node.error("an empty list has no effect: omit it")
    return node.sequence()


def _word(node: Node) -> Plain:
    """A word, number or truth value to compare with."""
    node.text()
    return node.plain()
