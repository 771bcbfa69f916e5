"""Tests of one text: the operators of conditions whose operands are written in the policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address, ip_network
from operator import ge, gt, le, lt, methodcaller
from typing import cast

from mqlint.chlauth.wildcard import generic_fits
from mqlint.config.settings import parse_level
from mqlint.number import signed_number
from mqlint.policy.compile.logic import Truth, all_of, any_of, negate
from mqlint.policy.compile.pattern import pattern_of

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]
Test = Callable[[str], Truth]


class PolicyError(ValueError):
    """A condition or check with an invalid operand."""


def compile_test(source: Json) -> Test:
    """Return the function of a test: a word, a list of words, or operators."""
    if isinstance(source, dict):
        tests = [_operator(name, value) for name, value in source.items()]
        return tests[0] if len(tests) == 1 else lambda text: all_of(test(text) for test in tests)
    return (words_alone(source) or frozenset()).__contains__


def words_alone(source: Json) -> frozenset[str] | None:
    """Return the words of a test that is one or several of them; None for operators."""
    if isinstance(source, dict):
        return None
    if isinstance(source, list | tuple):
        return frozenset(word_of(word) for word in source)
    return frozenset((word_of(source),))


def word_of(source: Json) -> str:
    """Return a scalar of a policy as the text that attributes are compared with."""
    if source is True or source is False:
        return "true" if source else "false"
    return str(source)


def _operator(name: str, value: Json) -> Test:
    if name not in OPERATORS:
        raise PolicyError(f"unknown operator {name!r}")
    return OPERATORS[name](value)


def _not(source: Json) -> Test:
    test = compile_test(source)
    return lambda text: negate(test(text))


def _all(source: Json) -> Test:
    tests = [compile_test(inner) for inner in cast("Sequence[Json]", source)]
    return lambda text: all_of(test(text) for test in tests)


def _any(source: Json) -> Test:
    tests = [compile_test(inner) for inner in cast("Sequence[Json]", source)]
    return lambda text: any_of(test(text) for test in tests)


def _words(source: Json) -> list[str]:
    sources = source if isinstance(source, list | tuple) else [source]
    return [word_of(word) for word in sources]


def _like(source: Json) -> Test:
    patterns = _words(source)
    exact = frozenset(word for word in patterns if "*" not in word)
    starts = tuple(word[:-1] for word in patterns if word.find("*") == len(word) - 1 >= 0)
    others = [word for word in patterns if "*" in word[:-1]]
    if others:
        return lambda text: (
            text in exact
            or text.startswith(starts)
            or any(generic_fits(pattern, text) for pattern in others)
        )
    if not exact:
        return methodcaller("startswith", starts)
    return lambda text: text in exact or text.startswith(starts)


def _compare(name: str) -> Callable[[Json], Test]:
    holds = COMPARISONS[name]

    def make(source: Json) -> Test:
        limit = int(word_of(source))

        def test(text: str) -> Truth:
            number = signed_number(text)
            return number is not None and holds(number, limit)

        return test

    return make


def _length(source: Json) -> Test:
    test = compile_test(source)
    return lambda text: test(str(len(text)))


def _in_network(source: Json) -> Test:
    networks = [ip_network(word) for word in _words(source)]

    def test(text: str) -> Truth:
        try:
            address = ip_address(text.split("(")[0])
        except ValueError:
            return None
        return any(address in network for network in networks)

    return test


def _older_than(source: Json) -> Test:
    limit = parse_level(word_of(source))
    if limit is None:
        raise PolicyError(f"found {source!r}, expected a release such as 9.4.0, 9.4 or 940")
    bound = _padded(limit.parts, 0)

    def test(text: str) -> Truth:
        release = parse_level(text)
        if release is None:
            return None
        if _padded(release.parts, 1 << 30) < bound:
            return True
        return False if _padded(release.parts, 0) >= bound else None

    return test


def _padded(release: tuple[int, ...], last: int) -> tuple[int, ...]:
    """The four numbers of a release, those it leaves open being `last`."""
    return (*release, *[last] * 4)[:4]


COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    compare.__name__: compare for compare in (lt, le, gt, ge)
}

OPERATORS: Mapping[str, Callable[[Json], Test]] = {
    "is": compile_test,
    "not": _not,
    "all": _all,
    "any": _any,
    "blank": lambda source: lambda text: (not text.strip()) is source,
    "like": _like,
    "starts_with": lambda source: methodcaller("startswith", tuple(_words(source))),
    "ends_with": lambda source: methodcaller("endswith", tuple(_words(source))),
    "matches": lambda source: pattern_of(word_of(source)).search,
    **{name: _compare(name) for name in COMPARISONS},
    "length": _length,
    "in_network": _in_network,
    "older_than": _older_than,
}
"""The tests of one text, by the word in a policy."""
