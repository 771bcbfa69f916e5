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
from mqlint.policy.compile.predicate import SUBQUERIES, Source, fold, value_test
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
    yield from fold(compiled["match"], _needed, _combined)
    yield from fold(compiled["unless"] or {}, _needed, _combined, holds=False)
    if compiled["kind"] == "attributes":
        yield from fold(compiled["check"]["required"], _needed, _combined, holds=False)


def _needed(key: str, test: Json, holds: bool) -> set[str]:
    """What must be known for an entry of a condition to be true, or false."""
    wanted = cast("Source", test)
    if key not in SUBQUERIES or holds is not (key == "none") or wanted.get("as_read"):
        return set()
    return set(_that_none_is_left_out(str(wanted["object"])))


def _combined(is_all: bool, parts: Sequence[set[str]]) -> set[str]:
    return set[str]().union(*parts) if is_all else set.intersection(*parts or [set()])


def _that_none_is_left_out(object_type: str) -> Iterator[str]:
    """What says that all facts of a type are here; nothing if that follows from the files."""
    fact_type = FACT_TYPES.get(object_type)
    if fact_type is None or fact_type.has_all is complete:
        yield OBJECTS
    elif object_type == "step":
        yield JOBS
