"""Checks conditions of a policy: each key, operator, operand and parameter must be known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import cast

from mqlint.config.errors import choices, not_among
from mqlint.config.node import Node, Plain
from mqlint.model.facts.files.status import STATUS_TYPES
from mqlint.model.facts.registry import FACT_TYPES
from mqlint.number import signed_number
from mqlint.policy.compile import operators
from mqlint.policy.compile.accessors import DERIVED, SUFFIXES
from mqlint.policy.compile.pattern import PatternError, compile_pattern
from mqlint.policy.compile.predicate import COMBINING, FACT_OPERATORS, SUBQUERIES
from mqlint.policy.language.forms import OBJECTS
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
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.domain import Domain


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


class Conditions:
    """Reads conditions on facts of one type, which is `object`.

    `parameters` are the types of the policy's parameters by their names. `this` speaks of the
    fact that is judged, where that is another one.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        object_type: str,
        parameters: Mapping[str, str] | None = None,
        this: Conditions | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.object = object_type
        self.operands = Operands(parameters or {}, self.value_key)
        self._this = this

    def of(self, node: Node, this: Conditions | None = None) -> Conditions:
        """Return the reader for other facts, whose type is under `object` in `node`."""
        other = node.require("object").one_of(OBJECTS)
        return Conditions(self.vocabulary, other, self.operands.parameters, this)

    def condition(self, node: Node, skip: tuple[str, ...] = ()) -> dict[str, Plain]:
        """Return the compiled form of a condition; the keys `skip` are no part of it."""
        condition = {
            key: self._entry(key, value) for key, value in node.mapping().items() if key not in skip
        }
        if not condition and not skip:
            raise node.error("an empty condition always holds: omit it")
        return condition

    def _entry(self, key: str, value: Node) -> Plain:
        if key == "not":
            return self.condition(value)
        if key in COMBINING:
            return [self.condition(node) for node in some(value)]
        if key in SUBQUERIES:
            return self._subquery(key, value)
        self.key(value, key)
        self._values(key, value)
        return self._test_of_key(value)

    def _subquery(self, key: str, node: Node) -> Plain:
        """What `exists` and `none` ask of another fact of the same queue manager."""
        if self._this is not None:
            raise node.key_error(f"{key} goes one hop: it cannot be used for another fact")
        other = self.of(node, self)
        theirs, mine = self.pairs(node.get("by"), other)
        to = other.condition(node, skip=("object", "by", "as_read"))
        read = {} if node.get("as_read") is None else {"as_read": node.require("as_read").boolean()}
        return {"object": other.object, "theirs": [*theirs], "mine": [*mine], "to": to, **read}

    def pairs(self, by: Node | None, other: Conditions) -> tuple[list[str], list[str]]:
        """Return the keys that facts are joined by: of the others, and of this one."""
        if by is None:
            return [], []
        pairs = by.mapping()
        if not pairs:
            raise by.error("expected pairs: their key and this fact's key")
        for theirs, mine in pairs.items():
            self.key(mine, mine.string())
            other.key(mine, theirs)
        return list(pairs), [mine.string() for mine in pairs.values()]

    # -- keys -------------------------------------------------------------------------------

    def key(self, node: Node, key: str) -> None:
        """Refuse a key that is neither derived nor an attribute; its place is `node`."""
        word = key.removeprefix("qmgr.")
        of = "qmgr" if word != key else self.object
        for suffix in SUFFIXES:
            word = word.removesuffix(suffix)
        own = FACT_TYPES[of].attributes if of in FACT_TYPES else ()
        if word in DERIVED or any(fnmatchcase(word, pattern) for pattern in own):
            return
        if of == "step" and self.vocabulary.is_attribute(word):
            return
        attributes = self._known(of)
        if word not in attributes:
            known = [*DERIVED, *own, *attributes]
            near = not_among(word, known).split(" allowed:")[0]
            message = f"{of} has no attribute {word!r}: {near}".rstrip(": ")
            raise node.error(message) if node.raw == key else node.key_error(message)

    def _values(self, key: str, node: Node) -> None:
        """Refuse a value that an attribute never has: the test would never hold."""
        of = "qmgr" if key.startswith("qmgr.") else self.object
        word = key.removeprefix("qmgr.")
        types = _types_of(of)
        known = frozenset[str]().union(*(self.vocabulary.keywords_of(kind, word) for kind in types))
        numbers = [domain for kind in types for domain in self.vocabulary.numbers_of(kind, word)]
        for value in _literals(node) if known or numbers else ():
            text = value.text()
            if known and text and text not in known:
                raise value.error(f"{word} is never {text!r}: {not_among(text, known)}")
            if numbers and text and not any(_has(domain, text) for domain in numbers):
                raise value.error(f"{word} is never {text!r}: {_range(numbers)}")

    def value_key(self, node: Node) -> str:
        key = node.string()
        word = key.removeprefix("this.")
        if word == key:
            self.key(node, key)
        elif self._this is None:
            raise node.error("this. is the checked fact: no other fact exists here")
        else:
            self._this.key(_renamed(node, word), word)
        return key

    def keys(self, node: Node | None) -> list[str]:
        if node is None:
            return []
        for key in some(node):
            self.key(key, key.string())
        return list(node.strings())

    def keys_of_both(self, node: Node | None, other: Conditions) -> list[str]:
        """Return a list of keys that facts of both types must have."""
        other.keys(node)
        return self.keys(node)

    def at(self, body: Node) -> str | None:
        """Return the attribute that a check points at, under `at`."""
        at = body.get("at")
        if at is None:
            return None
        self.key(at, at.string())
        return at.string()

    def _known(self, object_type: str) -> frozenset[str]:
        found: set[str] = set()
        for kind in _types_of(object_type):
            found |= self.vocabulary.attributes_of(kind)
        display = self.vocabulary.command("DISPLAY", object_type.upper())
        if object_type in STATUS_TYPES and display is not None:
            found.update(attribute.name for attribute in display.attributes)
        if object_type == "chlauth":
            found.add("ACTION")  # an option, but it decides what becomes of a list
        return frozenset(found)

    # -- tests ------------------------------------------------------------------------------

    def _test_of_key(self, node: Node) -> Plain:
        """A test of the value of a key, which may ask something of the value as a whole."""
        if node.kind != "mapping":
            return self.operands.test(node)
        alone = [name for name in FACT_OPERATORS if name in node.mapping()]
        if not alone:
            return self.operands.test(node, OPERATORS)
        node.keys_allowed(OPERATORS)
        (name, *_) = alone
        value = node.mapping()[name]
        if len(node.mapping()) > 1:
            raise value.key_error(f"{name} must be alone: use all with conditions")
        return {name: self.operands.operand(name, value)}


def _types_of(object_type: str) -> tuple[str, ...]:
    """The object types of the vocabulary that `object` of a policy stands for."""
    return ("qlocal", "qalias", "qremote", "qmodel") if object_type == "queue" else (object_type,)


def _has(domain: Domain, text: str) -> bool:
    """Whether a number or a keyword is among the values of a domain of numbers."""
    number = signed_number(text)
    return text in domain.words if number is None else domain.low <= number <= domain.high


def _range(domains: Sequence[Domain]) -> str:
    low, high = (min(d.low for d in domains), max(d.high for d in domains))
    words = {word for domain in domains for word in domain.words}
    return f"allowed: {choices({f'{low} to {high}', *words})}"


def _literals(node: Node) -> Iterator[Node]:
    """The words that a test compares with: alone, in a list, and within `not`, `all` and `any`."""
    if node.kind == "sequence":
        for item in node.sequence():
            yield from _literals(item)
    elif node.kind == "mapping":
        for name, inner in node.mapping().items():
            if name in ("not", "all", "any"):
                yield from _literals(inner)
    else:
        yield node


def _renamed(node: Node, word: str) -> Node:
    """The same place in the file with another text."""
    return Node(node.kind, word, node.path, node.line, node.column)
