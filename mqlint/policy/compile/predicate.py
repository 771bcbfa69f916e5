"""Conditions: a closed language over facts, compiled to functions of three-valued logic.

A condition is a mapping, all entries of which must hold. Its keys are the keys of
`mqlint.policy.compile.accessors`, `all`, `any` and `not` over conditions, or `exists` and `none`
over other facts of the same queue manager. The test of a key is a word, a list of words of which
one must be it, or a mapping of operators. A list value satisfies a test when one of its elements
does. An absent attribute reads as blank.

An operand may be read from a fact: `{key: QDEPTHLO, times: 2, plus: 1}`. Where a condition is
about another fact than the one that is judged, `this.KEY` is read from the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Protocol, TypeVar, cast

from mqlint.chlauth.wildcard import generic_fits
from mqlint.model.core.fact import Fact
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.number import signed_number
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.chlauth_accessors import Reader
from mqlint.policy.compile.join import Join, texts
from mqlint.policy.compile.logic import Truth, all_of, any_of, negate
from mqlint.policy.compile.operators import (
    COMPARISONS,
    Json,
    Test,
    compile_test,
    words_alone,
)
from mqlint.policy.compile.subquery import Subquery

Source = Mapping[str, Json]
"""A condition, or the operand of an operator, in compiled form."""

Operand = Callable[[Fact, Fact | None], Value]
"""Reads a value from a fact, or from the one that is judged, which is None if it is the same."""

FactTest = Callable[[str, Fact, Fact | None], Truth]
"""A test of a text against values of facts."""


ValueTest = Callable[[Value], Truth]
"""A test of a value."""


class Condition(Protocol):
    """A test of a fact; `this` is the fact that is judged, if it is another one."""

    def __call__(self, fact: Fact, this: Fact | None = None, /) -> Truth:
        """Return whether it holds."""


T = TypeVar("T")

COMBINING = ("all", "any", "not")
SUBQUERIES = ("exists", "none")


def compile_condition(source: Source) -> Condition:
    parts = [_entry(key, value) for key, value in source.items()]
    if len(parts) == 1:
        return parts[0]
    return _combined(parts, decisive=False)


def _combined(parts: Sequence[Condition], decisive: bool) -> Condition:
    """All of several where false is decisive, else any of them, as `all_of` and `any_of` say.

    It is written out, as most of a run's time is spent here.
    """

    def condition(fact: Fact, this: Fact | None = None) -> Truth:
        result: Truth = not decisive
        for part in parts:
            truth = part(fact, this)
            if truth is decisive:
                return truth
            if truth is None:
                result = None
        return result

    return condition


def _entry(key: str, value: Json) -> Condition:
    if key in SUBQUERIES:
        subquery = _subquery(cast("Source", value))
        return subquery if key == "exists" else lambda fact, this=None: negate(subquery(fact, this))
    if key == "not":
        inner = compile_condition(cast("Source", value))
        return lambda fact, this=None: negate(inner(fact, this))
    if key in COMBINING:
        inners = [compile_condition(inner) for inner in cast("Sequence[Source]", value)]
        return _combined(inners, decisive=key == "any")
    return _attribute(key, value)


def fold(
    condition: Source,
    of_entry: Callable[[str, Json, bool], T],
    combine: Callable[[bool, Sequence[T]], T],
    *,
    holds: bool = True,
) -> T:
    """Return what follows from a condition that `holds`, or fails, by what does from its entries.

    `of_entry` is asked about each entry that combines no others, and whether that one holds.
    `combine` takes whether all of some parts are so, or one of them is, and what follows from each.
    """

    def part(key: str, test: Json) -> T:
        if key not in COMBINING:
            return of_entry(key, test, holds)
        if key == "not":
            return fold(cast("Source", test), of_entry, combine, holds=not holds)
        inners = cast("Sequence[Source]", test)
        found = [fold(inner, of_entry, combine, holds=holds) for inner in inners]
        return combine(holds is (key == "all"), found)

    return combine(holds, [part(*item) for item in condition.items()])


# -- the test of a key --------------------------------------------------------------------------


def _attribute(key: str, source: Json) -> Condition:
    read = reader(key)
    if isinstance(source, dict) and "same" in source:
        return _same(read, source["same"])
    if needs_fact(source):
        compare = _fact_test(source)
        return lambda fact, this=None: apply_test(
            lambda text: compare(text, fact, this), read(fact)
        )
    test, of_text = value_test(source), text_test(source)

    def condition(fact: Fact, this: Fact | None = None) -> Truth:
        value = read(fact)
        return of_text(value) if isinstance(value, str) else test(value)

    return condition


def text_test(source: Json) -> Test:
    """Return what `value_test` does for values that are one text: most are, and this is faster."""
    return _whole_value_test(source) or compile_test(source)


def value_test(source: Json) -> ValueTest:
    """Return the function of a test that asks nothing but a value."""
    whole, words = _whole_value_test(source), words_alone(source)
    if whole is not None:
        return whole
    return partial(apply_test, compile_test(source)) if words is None else _among(words)


def _whole_value_test(source: Json) -> ValueTest | None:
    """The function of an operator on a whole value, or of `not` over one; None for other tests."""
    if isinstance(source, dict) and len(source) == 1:
        ((name, operand),) = source.items()
        if name in VALUE_OPERATORS:
            return VALUE_OPERATORS[name](operand)
        if name == "not" and asks_whole_value(operand):
            inner = value_test(operand)
            return lambda value: negate(inner(value))
    return None


def asks_whole_value(source: Json) -> bool:
    """Whether a test asks something of a value as a whole, rather than of its texts."""
    return isinstance(source, dict) and not source.keys().isdisjoint(VALUE_OPERATORS)


def _among(words: frozenset[str]) -> ValueTest:
    """Whether a value, or an element of a list, is one of some words."""

    def test(value: Value) -> Truth:
        if isinstance(value, str):
            return value in words
        if value is UNKNOWN:
            return None
        return "" in words if value is ABSENT or not value else not words.isdisjoint(value)

    return test


def apply_test(test: Test, value: Value) -> Truth:
    """Return what `test` says of a value; of a list, whether one element satisfies it."""
    if isinstance(value, str):
        return test(value)
    if value is UNKNOWN:
        return None
    if value is ABSENT:
        return test("")
    return any_of(test(item) for item in value) if value else test("")


def same(value: Value, other: Value) -> Truth:
    """Whether two values are equal; None when one of them is unknown."""
    if value is UNKNOWN or other is UNKNOWN:
        return None
    return value == other


def _same(read: Reader, source: Json) -> Condition:
    other = _operand({"key": source})
    return lambda fact, this=None: same(read(fact), other(fact, this))


def _count(source: Json) -> ValueTest:
    """How many elements a list has; a single text counts as one, a blank one as none."""
    test = compile_test(source)

    @lru_cache(maxsize=1024)  # few lists come again and again
    def count(value: Value) -> Truth:
        return None if value is UNKNOWN else test(str(len(texts(value))))

    return count


VALUE_OPERATORS: Mapping[str, Callable[[Json], ValueTest]] = {
    "known": lambda source: lambda value: (value is not UNKNOWN) is source,
    "count": _count,
}
"""Operators on a whole value, which cannot be combined."""

FACT_OPERATORS = (*VALUE_OPERATORS, "same")
"""Operators that cannot be combined: `same` compares with another value of the fact."""


# -- operands that are read from facts ----------------------------------------------------------


def needs_fact(test: Json) -> bool:
    if isinstance(test, dict):
        return "key" in test or any(map(needs_fact, test.values()))
    return isinstance(test, list | tuple) and any(map(needs_fact, test))


def _operand(source: Source) -> Operand:
    """What reads `{key: KEY, times: N, plus: N}`; UNKNOWN when no number is there to count with."""
    key = str(source["key"])
    read = reader(key.removeprefix("this."))
    is_this = key.startswith("this.")

    def value(fact: Fact, this: Fact | None) -> Value:
        return read(this if is_this and this is not None else fact)

    if "times" not in source and "plus" not in source:
        return value
    times, plus = int(str(source.get("times", 1))), int(str(source.get("plus", 0)))

    def sum_up(fact: Fact, this: Fact | None) -> Value:
        number = _number(value(fact, this))
        return UNKNOWN if number is None else str(number * times + plus)

    return sum_up


def _number(value: Value) -> int | None:
    return signed_number(value) if isinstance(value, str) else None


def _fact_test(source: Json) -> FactTest:
    """The function of a test with operands of which some are read from facts."""
    if not needs_fact(source):
        test = compile_test(source)
        return lambda text, fact, this: test(text)
    operators = cast("Source", source)
    if "key" in operators:
        return _is_value(_operand(operators))
    tests = [_fact_operator(name, operand) for name, operand in operators.items()]
    if len(tests) == 1:
        return tests[0]
    return lambda text, fact, this: all_of(test(text, fact, this) for test in tests)


def _fact_operator(name: str, operand: Json) -> FactTest:
    if not needs_fact(operand):
        return _fact_test({name: operand})
    if name == "is":
        return _fact_test(operand)
    if name == "not":
        inner = _fact_test(operand)
        return lambda text, fact, this: negate(inner(text, fact, this))
    if name in COMBINING:
        combine = all_of if name == "all" else any_of
        inners = [_fact_test(inner) for inner in cast("Sequence[Json]", operand)]
        return lambda text, fact, this: combine(inner(text, fact, this) for inner in inners)
    read = _operand(cast("Source", operand))
    return _compare(read, name) if name in COMPARISONS else _fits(read, name)


def _is_value(read: Operand) -> FactTest:
    """Whether a text is the value read, or one of its elements."""

    def test(text: str, fact: Fact, this: Fact | None) -> Truth:
        return apply_test(lambda other: other == text, read(fact, this))

    return test


_FITS: Mapping[str, Callable[[str, str], bool]] = {
    "like": lambda text, pattern: generic_fits(pattern, text),
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}


def _fits(read: Operand, name: str) -> FactTest:
    """Whether a text fits the value read, begins or ends with it; a blank one is unknown."""
    holds = _FITS[name]

    def test(text: str, fact: Fact, this: Fact | None) -> Truth:
        return apply_test(
            lambda other: holds(text, other) if other.strip() else None, read(fact, this)
        )

    return test


def _compare(read: Operand, name: str) -> FactTest:
    """A comparison with the number read; None unless both are numbers."""
    holds = COMPARISONS[name]

    def test(text: str, fact: Fact, this: Fact | None) -> Truth:
        number, other = signed_number(text), _number(read(fact, this))
        return None if number is None or other is None else holds(number, other)

    return test


# -- subqueries ---------------------------------------------------------------------------------


def _subquery(source: Source) -> Subquery:
    """Separate tests of other facts alone from comparisons with the fact that is judged."""
    to = cast("Source", source["to"])
    alone = {key: value for key, value in to.items() if not any(_keys_of_this(value))}
    compared = {key: value for key, value in to.items() if key not in alone}
    theirs, mine = cast("list[str]", source["theirs"]), cast("list[str]", source["mine"])
    return Subquery(
        Join(str(source["object"]), theirs, mine),
        compile_condition(alone) if alone else None,
        compile_condition(compared) if compared else None,
        sorted(set(_keys_of_this(compared))),
        as_read=bool(source.get("as_read")),
    )


def _keys_of_this(source: Json) -> Iterator[str]:
    """The keys that a part of a condition reads from the fact that is judged."""
    if isinstance(source, dict):
        for value in source.values():
            yield from _keys_of_this(value)
    elif isinstance(source, list | tuple):
        for value in source:
            yield from _keys_of_this(value)
    elif isinstance(source, str) and source.startswith("this."):
        yield source.removeprefix("this.")
