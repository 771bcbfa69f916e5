"""Conditions: a closed language over facts, compiled to functions of three-valued logic.

A condition is a mapping, all entries of which must hold. Its keys are the keys of
`mqlint.policy.reading`, or `all`, `any` and `not` over conditions. The test of a key is a word, a
list of words of which one must be it, or a mapping of operators. A list value satisfies a test
when one of its elements does. An absent attribute reads as blank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from ipaddress import ip_address, ip_network
from typing import cast

from mqlint.model.fact import Fact
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.policy.logic import Truth, all_of, any_of, negate
from mqlint.policy.pattern import compile_pattern
from mqlint.policy.reading import Reader, reader

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]
Condition = Callable[[Fact], Truth]
Test = Callable[[str], Truth]

COMBINING = ("all", "any", "not")


class PolicyError(ValueError):
    """A condition or check that says nothing the tool understands."""


def compile_condition(source: Mapping[str, Json]) -> Condition:
    """Return the function of a checked condition."""
    parts = [_entry(key, value) for key, value in source.items()]
    if len(parts) == 1:
        return parts[0]
    return lambda fact: all_of(part(fact) for part in parts)


def _entry(key: str, value: Json) -> Condition:
    if key == "not":
        inner = compile_condition(cast("Mapping[str, Json]", value))
        return lambda fact: negate(inner(fact))
    if key in ("all", "any"):
        combine = all_of if key == "all" else any_of
        inners = [
            compile_condition(cast("Mapping[str, Json]", one))
            for one in cast("Sequence[Json]", value)
        ]
        return lambda fact: combine(inner(fact) for inner in inners)
    return _attribute(reader(key), value)


def _attribute(read: Reader, source: Json) -> Condition:
    if isinstance(source, Mapping) and "known" in source:
        wanted = source["known"]
        return lambda fact: (read(fact) is not UNKNOWN) is wanted
    if isinstance(source, Mapping) and "same" in source:
        other = reader(str(source["same"]))
        return lambda fact: same(read(fact), other(fact))
    test = compile_test(source)
    return lambda fact: apply_test(test, read(fact))


def apply_test(test: Test, value: Value) -> Truth:
    """Return what `test` says of a value; of a list, whether one element satisfies it."""
    if isinstance(value, str):
        return test(value)
    if value is UNKNOWN:
        return None
    if value is ABSENT:
        return test("")
    return any_of(test(item) for item in value) if value else test("")


def same(one: Value, other: Value) -> Truth:
    """Whether two values are equal; None when one of them is unknown."""
    if one is UNKNOWN or other is UNKNOWN:
        return None
    return one == other


def compile_test(source: Json) -> Test:
    """Return the function of a test: a word, a list of words, or operators."""
    if isinstance(source, Mapping):
        tests = [_operator(name, value) for name, value in source.items()]
        return tests[0] if len(tests) == 1 else lambda text: all_of(one(text) for one in tests)
    if isinstance(source, Sequence) and not isinstance(source, str):
        words = frozenset(_word(one) for one in source)
        return lambda text: text in words
    word = _word(source)
    return lambda text: text == word


def _word(source: Json) -> str:
    if source is True or source is False:
        return "true" if source else "false"
    return str(source)


def _operator(name: str, value: Json) -> Test:
    try:
        make = OPERATORS[name]
    except KeyError:
        raise PolicyError(f"unknown operator {name!r}") from None
    return make(value)


def _not(source: Json) -> Test:
    test = compile_test(source)
    return lambda text: negate(test(text))


def _all(source: Json) -> Test:
    tests = [compile_test(one) for one in cast("Sequence[Json]", source)]
    return lambda text: all_of(test(text) for test in tests)


def _any(source: Json) -> Test:
    tests = [compile_test(one) for one in cast("Sequence[Json]", source)]
    return lambda text: any_of(test(text) for test in tests)


def _blank(source: Json) -> Test:
    return lambda text: (not text.strip()) is source


def _like(source: Json) -> Test:
    sources = source if isinstance(source, list | tuple) else [source]
    patterns = [_word(one) for one in sources]
    return lambda text: any(fnmatchcase(text, pattern) for pattern in patterns)


def _matches(source: Json) -> Test:
    pattern = compile_pattern(_word(source))
    return pattern.search


def _compare(holds: Callable[[int, int], bool]) -> Callable[[Json], Test]:
    def make(source: Json) -> Test:
        limit = int(_word(source))
        return lambda text: holds(int(text), limit) if _is_number(text) else False

    return make


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 20


def _longer_than(source: Json) -> Test:
    limit = int(_word(source))
    return lambda text: len(text) > limit


def _in_network(source: Json) -> Test:
    sources = source if isinstance(source, list | tuple) else [source]
    networks = [ip_network(_word(one)) for one in sources]

    def test(text: str) -> Truth:
        try:
            address = ip_address(text.split("(")[0])
        except ValueError:
            return None
        return any(address in network for network in networks)

    return test


OPERATORS: Mapping[str, Callable[[Json], Test]] = {
    "is": compile_test,
    "not": _not,
    "all": _all,
    "any": _any,
    "blank": _blank,
    "like": _like,
    "matches": _matches,
    "lt": _compare(lambda one, other: one < other),
    "le": _compare(lambda one, other: one <= other),
    "gt": _compare(lambda one, other: one > other),
    "ge": _compare(lambda one, other: one >= other),
    "longer_than": _longer_than,
    "in_network": _in_network,
}
FACT_OPERATORS = ("known", "same")
