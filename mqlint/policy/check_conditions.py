"""Checks the conditions of a policy: every key, operator and operand must be known."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import cast

from mqlint.config.errors import not_among
from mqlint.config.node import Node, Plain
from mqlint.model.fact import FACT_TYPES
from mqlint.policy.condition import COMBINING, FACT_OPERATORS, OPERATORS, PolicyError
from mqlint.policy.pattern import PatternError, compile_pattern
from mqlint.policy.reading import DERIVED, SUFFIXES
from mqlint.policy.words import OBJECTS
from mqlint.vocabulary import Vocabulary


class Conditions:
    """What may be said of facts of one type, which is `object`."""

    def __init__(self, vocabulary: Vocabulary, object_type: str) -> None:
        self.vocabulary = vocabulary
        self.object = object_type

    def of(self, node: Node) -> Conditions:
        """Return the same for the type that stands under `object` in `node`."""
        return Conditions(self.vocabulary, node.require("object").one_of(OBJECTS))

    def condition(self, node: Node, skip: tuple[str, ...] = ()) -> dict[str, Plain]:
        """Return the compiled form of a condition; the keys `skip` are no part of it."""
        condition: dict[str, Plain] = {}
        for key, value in node.mapping().items():
            if key in skip:
                continue
            if key == "not":
                condition[key] = self.condition(value)
            elif key in COMBINING:
                condition[key] = [self.condition(one) for one in some(value)]
            else:
                self.key(value, key)
                condition[key] = self._test(value, top=True)
        if not condition and not skip:
            raise node.error("an empty condition holds for everything: leave it out")
        return condition

    def key(self, node: Node, key: str) -> None:
        """Refuse a key that is neither derived nor an attribute; it stands at `node`."""
        word = key.removeprefix("qmgr.")
        of = "qmgr" if word != key else self.object
        for suffix in SUFFIXES:
            word = word.removesuffix(suffix)
        own = FACT_TYPES[of].keys if of in FACT_TYPES else ()
        if word in DERIVED or any(fnmatchcase(word, one) for one in own):
            return
        if of == "step" and self.vocabulary.is_attribute(word):
            return
        attributes = self._known(of)
        if word not in attributes:
            known = [*DERIVED, *own, *attributes]
            near = not_among(word, known).split(" allowed:")[0]
            message = f"{of} has no attribute {word!r}: {near}".rstrip(": ")
            raise node.error(message) if node.raw == key else node.key_error(message)

    def keys(self, node: Node | None) -> list[str]:
        """Return a list of keys, not empty where it is written."""
        if node is None:
            return []
        for key in some(node):
            self.key(key, key.string())
        return list(node.strings())

    def at(self, body: Node) -> str | None:
        """Return the attribute that a check points at, under `at`."""
        at = body.get("at")
        if at is None:
            return None
        self.key(at, at.string())
        return at.string()

    def _known(self, object_type: str) -> frozenset[str]:
        types = ("qlocal", "qalias", "qremote", "qmodel")
        found: set[str] = set()
        for one in types if object_type == "queue" else (object_type,):
            found |= self.vocabulary.attributes_of(one)
        if object_type == "chlauth":
            found.add("ACTION")  # an option, but it decides what becomes of a list
        return frozenset(found)

    def _test(self, node: Node, *, top: bool = False) -> Plain:
        if node.kind == "sequence":
            return [_word(one) for one in some(node)]
        if node.kind != "mapping":
            return _word(node)
        allowed = (*OPERATORS, *FACT_OPERATORS) if top else tuple(OPERATORS)
        node.keys_allowed(allowed)
        if not node.mapping():
            raise node.error("an empty test holds for everything: leave it out")
        for name in FACT_OPERATORS:
            if name in node.mapping() and len(node.mapping()) > 1:
                raise node.mapping()[name].key_error(f"{name} stands alone: use all of conditions")
        return {name: self._operand(name, value) for name, value in node.mapping().items()}

    def _operand(self, name: str, node: Node) -> Plain:
        if name in ("blank", "known"):
            return node.boolean()
        if name in ("lt", "le", "gt", "ge", "longer_than"):
            return node.integer()
        if name == "same":
            self.key(node, node.string())
            return node.string()
        if name == "matches":
            try:
                compile_pattern(node.string())
            except PatternError as error:
                raise node.error(f"not a pattern mqlint can match: {error}") from None
            return node.string()
        if name in ("not", "is"):
            return self._test(node)
        if name in ("all", "any"):
            return [self._test(one) for one in some(node)]
        return _patterns(name, node)


def _patterns(name: str, node: Node) -> Plain:
    """The operand of like and in_network: one text or a list of them."""
    if node.kind == "sequence":
        some(node)
    try:
        OPERATORS[name](cast("str", node.plain()))
    except (ValueError, PolicyError) as error:
        raise node.error(str(error)) from None
    return node.plain()


def some(node: Node) -> list[Node]:
    """Return the elements of a list that must not be empty."""
    if not node.sequence():
        raise node.error("an empty list says nothing: leave it out")
    return node.sequence()


def _word(node: Node) -> Plain:
    """A word, number or truth value to compare with."""
    node.text()
    return node.plain()
