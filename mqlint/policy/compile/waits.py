"""The configuration that a policy needs: without it the policy reports nothing.

It is computed from the compiled form. A result is certain, but a policy may need more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from mqlint.model.core.fact import complete
from mqlint.model.core.value import ABSENT
from mqlint.model.facts.registry import FACT_TYPES, OF_HOSTS
from mqlint.policy.compile.operators import Json
from mqlint.policy.compile.predicate import Source, value_test
from mqlint.policy.policy import Clause

SITES, QUEUE_MANAGERS, MIGRATION = "sites", "queue_managers", "migration"
OBJECTS, JOBS = "inventory: objects", "inventory: jobs"

_OF_SITES = ("role", "site.")
_FULL = ("size_least", "least_groups")


def waits_for(compiled: Mapping[str, Any], clauses: Iterable[Clause]) -> frozenset[str]:
    """Return the keys of the configuration without which a compiled policy finds no fault.

    `clauses` must all hold where it finds fault.
    """
    return frozenset((*_by_clauses(clauses), *_by_kind(compiled), *_by_absence(compiled)))


def _by_clauses(clauses: Iterable[Clause]) -> Iterator[str]:
    for clause in clauses:
        for key, names in ((SITES, _OF_SITES), (MIGRATION, ("migration.",))):
            if all(
                attribute.startswith(names) and value_test(json.loads(test))(ABSENT) is not True
                for attribute, test in clause
            ):
                yield key


def _by_kind(compiled: Mapping[str, Any]) -> Iterator[str]:
    kind, check = compiled["kind"], compiled["check"]
    if kind == "grouped":
        is_named = check.get("against") is not None and "name" in check["by"]
        is_own = check["within"] == "queue_manager" or check["between"] == "place"
        if not is_own and not is_named:  # see Grouped._party
            yield QUEUE_MANAGERS
        if any(key in check for key in _FULL):
            yield OBJECTS
    elif kind == "related" and check["across"]:
        if not check["as_read"] and check["object"] not in OF_HOSTS:
            yield QUEUE_MANAGERS
    elif kind == "related" and check["must"] and not check["as_read"]:
        yield from _that_none_is_left_out(check["object"])
    elif kind == "sequence" and check["required"]:
        yield JOBS


def _by_absence(compiled: Mapping[str, Any]) -> Iterator[str]:
    """What says that something is missing, where nothing else can make the policy speak."""
    yield from _of_held(compiled["match"])
    yield from _of_failed(compiled["unless"] or {})
    if compiled["kind"] == "attributes":
        yield from _of_failed(compiled["check"]["required"])


def _of_held(condition: Source) -> set[str]:
    """What must be known for a condition to be true."""
    return {key for entry in condition.items() for key in _of_entry(*entry, held=True)}


def _of_failed(condition: Source) -> set[str]:
    """What must be known for a condition to be false: one of its entries is."""
    return _common([_of_entry(*entry, held=False) for entry in condition.items()])


def _of_entry(key: str, test: Json, *, held: bool) -> set[str]:
    if key in ("exists", "none"):
        wanted = cast("Source", test)
        is_missing = held is (key == "none")
        is_open = is_missing and not wanted.get("as_read")
        return set(_that_none_is_left_out(str(wanted["object"]))) if is_open else set()
    if key == "not":
        inner = cast("Source", test)
        return _of_failed(inner) if held else _of_held(inner)
    if key in ("all", "any"):
        inners = cast("Sequence[Source]", test)
        found = [_of_held(inner) if held else _of_failed(inner) for inner in inners]
        return set().union(*found) if held is (key == "all") else _common(found)
    return set()


def _common(found: Sequence[set[str]]) -> set[str]:
    return set.intersection(*found) if found else set()


def _that_none_is_left_out(object_type: str) -> Iterator[str]:
    """What says that all facts of a type are here; nothing if that follows from the files."""
    fact_type = FACT_TYPES.get(object_type)
    if fact_type is None or fact_type.has_all is complete:
        yield OBJECTS
    elif object_type == "step":
        yield JOBS
