"""What must hold of a fact for a policy to find fault with it, worked out when it is compiled.

A clause is a few tests of attributes of which one must hold. Clauses are necessary conditions and
no sufficient ones: what is not about plain attributes makes none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from mqlint.model.core.value import ABSENT
from mqlint.model.facts.registry import FACT_TYPES
from mqlint.policy.compile.accessors import HAS, OF_VALUE
from mqlint.policy.compile.operators import COMPARISONS, Json
from mqlint.policy.compile.predicate import SUBQUERIES, Source, fold, needs_fact, value_test
from mqlint.policy.compile.waits import waits_for
from mqlint.policy.policy import Clause, Preconditions

_NOT_BLANK = {"blank": False}
_OF_MANAGER = frozenset(
    "platform target.level migration.from migration.to role queue_manager".split()
    + "site.name site.role site.isolation site.reinstated_by".split()
)
OF_ALL = ("name",)
"""What every fact has and is fast to read, besides attributes."""


def needs_of(compiled: Mapping[str, Any]) -> Preconditions:
    """Return what must hold of a fact for a policy (in compiled form) to find fault with it."""
    kind, check = compiled["kind"], compiled["check"]
    found = _Clauses(
        FACT_TYPES[compiled["object"]].cheap if compiled["object"] in FACT_TYPES else ()
    )
    clauses = found.held(compiled["match"])
    if compiled["unless"]:
        clauses += found.failed(compiled["unless"])
    if kind == "attributes":
        clauses += found.failed(check["required"])
    if kind == "grouped":
        keys: Sequence[str] = check["by"]
    else:
        keys = check["mine"] if kind == "related" else ()
    clauses += [clause for key in keys for clause in _joined(key)]
    is_all = not compiled["unless"] and found.say_all(compiled["match"])
    needed = tuple(dict.fromkeys(clauses))
    return Preconditions(needed, is_all, waits_for(compiled, needed))


def storable_needs(compiled: Mapping[str, Any]) -> list[Any]:
    """Return what `needs_of` does as a value that can be stored in JSON."""
    needs = needs_of(compiled)
    clauses = [[[*test] for test in sorted(clause)] for clause in needs.clauses]
    return [clauses, needs.is_all, sorted(needs.waits_for)]


def needs_in(stored: str) -> Preconditions:
    """Return the preconditions that `storable_needs` stored in JSON."""
    clauses, is_all, keys = json.loads(stored)
    return Preconditions(
        tuple(frozenset(map(tuple, clause)) for clause in clauses), is_all, frozenset(keys)
    )


class _Clauses:
    """Makes clauses of conditions; `own` are keys in lower case that are fast to read.

    A trailing `*` means all that begin so.
    """

    def __init__(self, own: Sequence[str]) -> None:
        self._own = own

    def held(self, condition: Source) -> list[Clause]:
        return fold(condition, self._clauses, _combined)

    def failed(self, condition: Source) -> list[Clause]:
        """What must hold for a condition to be false."""
        return fold(condition, self._clauses, _combined, holds=False)

    def say_all(self, condition: Source) -> bool:
        """Whether a condition is true wherever its clauses hold: then it need not be asked."""
        return all(self._says_all(*item) for item in condition.items())

    def _says_all(self, key: str, test: Json) -> bool:
        if key == "any":
            return all(
                self.say_all(branch) and len(self.held(branch)) == 1 for branch in _inner(test)
            )
        if key == "all":
            return all(map(self.say_all, _inner(test)))
        return key != "not" and _is_plain(key, test, self._own)

    def _clauses(self, key: str, test: Json, holds: bool) -> list[Clause]:
        """The clauses of one entry of a condition, none when it is not about plain attributes."""
        if key in SUBQUERIES:
            return _found(cast("Source", test)) if holds is (key == "exists") else []
        is_clusters = key == "clusters" and holds and _asks_value(test)
        if is_clusters and value_test(test)(ABSENT) is False:
            return _joined(key)  # it holds of none that is in no cluster
        if _is_plain(key, test, self._own):
            return [frozenset({_literal(key, test if holds else {"not": test})})]
        return _compared(test)


def _inner(test: Json) -> Sequence[Source]:
    """The conditions that `all` or `any` combines; they were checked when the policy was loaded."""
    return cast("Sequence[Source]", test)


def _combined(is_all: bool, parts: Sequence[list[Clause]]) -> list[Clause]:
    """The clauses of all parts, or one that holds when a part does: none if a part has none."""
    if is_all or len(parts) == 1:
        return [clause for part in parts for clause in part]
    if not parts or not all(parts):
        return []
    return [frozenset(literal for part in parts for literal in part[0])]


def _is_plain(key: str, test: Json, own: Sequence[str]) -> bool:
    """Whether an entry tests one attribute by its value alone."""
    is_fast = _is_attribute(key) or _is_listed(key, own) or key in OF_ALL
    return (is_fast or is_of_manager(key)) and _asks_value(test)


def _is_listed(key: str, own: Sequence[str]) -> bool:
    return any(key == word or (word[-1] == "*" and key.startswith(word[:-1])) for word in own)


def _is_attribute(key: str) -> bool:
    """Whether a key is an attribute of MQSC, or follows from the value that commands give it."""
    attribute, dot, suffix = key.partition(".")
    return attribute.isupper() and (not dot or f".{suffix}" in OF_VALUE)


def _asks_value(test: Json) -> bool:
    """Whether a test asks nothing but one value."""
    return not needs_fact(test) and not (isinstance(test, dict) and "same" in test)


def is_of_manager(key: str) -> bool:
    """Whether a key has one value for all facts of a queue manager."""
    return key in _OF_MANAGER or key.startswith(("qmgr.", HAS))


def _found(subquery: Source) -> list[Clause]:
    """What must hold for a subquery to find a fact: some type of content, and what joins them."""
    object_type, theirs = str(subquery["object"]), cast("Sequence[str]", subquery["theirs"])
    found = [frozenset({_literal(f"{HAS}{object_type}", "true")})]
    if object_type == "qmgr" and len(theirs) == 1:
        found += [frozenset({_literal(f"qmgr.{theirs[0]}", _NOT_BLANK)})]
    return found


def _compared(test: Json) -> list[Clause]:
    """A value of the queue manager that others are compared with must be known for an answer."""
    if not isinstance(test, dict) or len(test) != 1:
        return []
    ((operator, operand),) = test.items()
    if operator == "key":
        key = str(operand).removeprefix("this.")
        return [frozenset({_literal(key, {"known": True})})] if is_of_manager(key) else []
    return _compared(operand) if operator in ("is", "not", *COMPARISONS) else []


def _joined(key: str) -> list[Clause]:
    """A value that facts are joined by must not be blank."""
    if key == "clusters":
        return [frozenset(_literal(word, _NOT_BLANK) for word in ("CLUSTER", "CLUSNL"))]
    attribute = key.split(".")[0]
    return [frozenset({_literal(attribute, _NOT_BLANK)})] if attribute.isupper() else []


def _literal(attribute: str, test: object) -> tuple[str, str]:
    return attribute, json.dumps(test, sort_keys=True)
