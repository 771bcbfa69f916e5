"""Why a policy reports a fact or is silent: what each part of its conditions is, of which value.

The parts are asked by the functions that judge, one by one, so that an explanation cannot disagree
with the judgement.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, cast

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.join import Join, texts
from mqlint.policy.compile.logic import Truth
from mqlint.policy.compile.operators import Json
from mqlint.policy.compile.predicate import (
    COMBINING,
    SUBQUERIES,
    Condition,
    Source,
    compile_condition,
)
from mqlint.policy.policy import Policy
from mqlint.source.masking import shown

NOT_KNOWN = "unknown"
NOT_SET = "not set"


@frozen
class ConditionPart:
    """One entry of a condition: its key, its test as JSON, whether it holds, of which value.

    `value` is blank if the entry is about other facts, and where it combines the `parts`. Those of
    an entry about other facts say what leaves it open.
    """

    key: str
    test: str
    truth: Truth
    value: str = ""
    parts: tuple[ConditionPart, ...] = ()


VERDICTS: Mapping[str, str] = {
    "fault": "the rule reports it",
    "unknown": "the rule reports nothing because a value is unknown",
    "not-about": "the rule does not apply: `match` is false",
    "exempt": "the rule does not apply: `unless` is true",
    "compared": "the rule compares it with other queue managers",
    "as-required": "the rule finds no fault",
}
"""The verdicts of a policy on a fact, with the words for people."""


@frozen
class Explanation:
    """What a policy makes of one fact.

    `clauses` are the parts under `match`, `unless` and `check`; of a check that looks at other
    facts there are none. `verdict` is a word of `VERDICTS`. `places` are those of the faults.
    """

    fact: Fact
    clauses: Mapping[str, Sequence[ConditionPart]]
    verdict: str
    places: tuple[Location, ...] = ()


def explain(policy: Policy, fact: Fact, facts: Facts) -> Explanation:
    """Return what `policy` makes of a fact of the type that it is about."""
    source = policy.source
    conditions = {"match": source["match"], "unless": source["unless"] or {}}
    if source["kind"] == "attributes":
        conditions["check"] = source["check"]["required"]
    clauses = {
        clause: tuple(
            map(partial(_opened, fact=fact), parts_of(condition, fact), condition.values())
        )
        for clause, condition in conditions.items()
    }
    verdict = _verdict(policy, fact)
    faults = policy.kind.local(fact, facts) if policy.is_about(fact) else ()
    if places := tuple(fault.place for fault in faults):
        verdict = "fault"
    return Explanation(fact, clauses, verdict, places)


def _verdict(policy: Policy, fact: Fact) -> str:
    source = policy.source
    if source["match"] and compile_condition(source["match"])(fact) is False:
        return "not-about"
    if source["unless"] and compile_condition(source["unless"])(fact) is True:
        return "exempt"
    if not policy.is_about(fact):
        return "unknown"
    if policy.kind.looks_for:
        return "compared"
    if source["kind"] == "attributes":
        holds = compile_condition(source["check"]["required"])(fact)
        return "unknown" if holds is None else "as-required"
    return "as-required"


def parts_of(condition: Source, fact: Fact) -> Iterator[ConditionPart]:
    return (entry.part(fact) for entry in entries_of(condition))


@frozen
class ConditionEntry:
    """One entry of a condition, ready to be asked about facts.

    `read` returns the value that is tested, None for an entry about other facts; an entry that
    combines others has these as `inner`.
    """

    key: str
    test: str
    condition: Condition
    read: Callable[[Fact], Value] | None = None
    inner: tuple[ConditionEntry, ...] = ()

    def part(self, fact: Fact) -> ConditionPart:
        """Return what the entry is of a fact."""
        truth = self.condition(fact)
        value = "" if self.read is None else _shown(self.read(fact))
        parts = tuple([entry.part(fact) for entry in self.inner])
        return ConditionPart(self.key, self.test, truth, value, parts)


def entries_of(condition: Source) -> tuple[ConditionEntry, ...]:
    return tuple([_entry(key, test) for key, test in condition.items()])


def _entry(key: str, test: Json) -> ConditionEntry:
    condition = compile_condition({key: test})
    if key == "not":
        return ConditionEntry(key, "", condition, inner=entries_of(cast("Source", test)))
    if key in COMBINING:
        several = map(entries_of, cast("Sequence[Source]", test))
        return ConditionEntry(key, "", condition, inner=tuple(chain.from_iterable(several)))
    if key in SUBQUERIES:
        return ConditionEntry(key, _of_others(cast("dict[str, Any]", test)), condition)
    written = test if isinstance(test, str) else json.dumps(test, ensure_ascii=False)
    return ConditionEntry(key, written, condition, reader(key))


def _of_others(test: Mapping[str, Any]) -> str:
    """A subquery as a policy has it: the type, what joins the facts, and what must be true."""
    joined = ", ".join(
        theirs if theirs == mine else f"{theirs} is {mine} of this one"
        for theirs, mine in zip(test["theirs"], test["mine"], strict=True)
    )
    where = json.dumps(test["to"], ensure_ascii=False) if test["to"] else ""
    return " ".join(filter(None, (test["object"], f"whose {joined}" if joined else "", where)))


def _shown(value: Value) -> str:
    if value is UNKNOWN:
        return NOT_KNOWN
    if value is ABSENT:
        return NOT_SET
    return shown(value if isinstance(value, str) else ", ".join(value))


# -- what leaves an entry about other facts open ---------------------------------------------------


def _opened(part: ConditionPart, test: Json, fact: Fact) -> ConditionPart:
    """A part with what leaves those of its entries open that are about other facts."""
    if part.truth is not None:
        return part
    if part.key in SUBQUERIES:
        return replace(part, parts=tuple(islice(_missing(cast("dict[str, Any]", test), fact), 1)))
    conditions = [test] if part.key == "not" else test
    if part.key not in COMBINING:
        return part
    tests = [
        value for condition in cast("Sequence[Source]", conditions) for value in condition.values()
    ]
    return replace(part, parts=tuple(map(partial(_opened, fact=fact), part.parts, tests)))


def _missing(query: Mapping[str, Any], fact: Fact) -> Iterator[ConditionPart]:
    """Yield what is not known of this fact, then of each other one, then that others may exist."""
    yield from _unknown_values(query["mine"], fact)
    join = Join(query["object"], query["theirs"], query["mine"])
    wanted = ("",) if join.joins_all else texts(join.my_value(fact))
    for text in wanted:
        for other in chain(*join.candidates(text, Facts(fact.manager))):
            if other is not fact:
                yield from _open_of(query, other)
    what = " ".join([query["object"], *map(join.name_in, wanted if join.has_name else ())])
    yield ConditionPart(shown(f"whether a file that is not here has {what}"), "", None)


def _open_of(query: Mapping[str, Any], other: Fact) -> Iterator[ConditionPart]:
    """Yield another fact that may be the one, with what is not known of it."""
    unknown = [*_unknown_values(query["theirs"], other)]
    parts = [*parts_of(query["to"], other)]
    if any(part.truth is False for part in parts):
        return
    unknown += [part for part in parts if part.truth is None]
    if isinstance(other, MQObject) and not other.exists:
        unknown.append(ConditionPart("whether it is defined", "", None))
    if unknown:
        head = f"{other.where().line_text} {other.type} {other.name}"
        yield ConditionPart(shown(head), "", None, parts=tuple(unknown))


def _unknown_values(keys: Sequence[str], fact: Fact) -> Iterator[ConditionPart]:
    for key in keys:
        if reader(key)(fact) is UNKNOWN:
            yield ConditionPart(key, "", None, NOT_KNOWN)
