"""Checks the value of `check:`, one function a kind.

Each takes the value under the kind's name and the conditions on facts that the policy is about. It
returns plain JSON, which `mqlint.policy.compile.build` makes the kind of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mqlint.config.node import Node, Plain
from mqlint.policy.compile.predicate import COMBINING, SUBQUERIES
from mqlint.policy.kinds.places import PLACES
from mqlint.policy.kinds.sequence import SIDES
from mqlint.policy.language.conditions import Conditions, some
from mqlint.policy.language.table import KINDS, PLACEHOLDERS

Compiled = dict[str, Plain]
_OF_MANAGER = "qmgr."


def _attributes(node: Node, about: Conditions) -> Compiled:
    condition = about.condition(node, skip=("at", "cause"))
    first = next((key for key in condition if key not in (*COMBINING, *SUBQUERIES)), None)
    at, cause = about.at(node), node.get("cause")
    if cause is not None:
        about.key(cause, cause.string())
        if at is not None or not cause.string().startswith(_OF_MANAGER):
            raise cause.error("expected an attribute of the queue manager (qmgr.KEY), and no `at`")
    return {
        "required": condition,
        "at": at or first,
        "stated": at is not None,
        "cause": None if cause is None else cause.string().removeprefix(_OF_MANAGER),
    }


def _related(node: Node, about: Conditions) -> Compiled:
    values = KINDS["related"].form.read(node)
    to, where, across = node.require("to"), node.get("where"), values.get("across", False)
    other = about.of(to, None if across else about)
    theirs, mine = about.pairs(node.require("by"), other)
    must = values["must"] == "exist"
    as_read = values.get("as_read", False)
    if as_read and not must:
        raise node.require("by").error("as_read needs `must: exist`")
    at_named_manager = len(theirs) == 2 and "queue_manager" in theirs
    by_name = list(theirs) == ["name"] or at_named_manager
    similar = values.get("similar", False)
    if similar and (not (across and must and by_name) or as_read):
        raise node.require("by").error(
            "similar needs `must: exist`, `across: true`, and name or queue_manager and another key"
        )
    if across and must and not (as_read or by_name):
        raise node.require("by").error(
            "a fact that must exist anywhere is found by its name, "
            "or by queue_manager and another key"
        )
    agree, differ = node.get("agree"), node.get("differ")
    compared = agree or differ
    if across and compared is not None:
        raise compared.key_error("across says whether it is there; what must agree is grouped")
    compiled: Compiled = {
        "object": other.object,
        "to": about.of(to).condition(to, skip=("object",)),
        "theirs": [*theirs],
        "mine": [*mine],
        "must": must,
        "where": None if where is None else other.condition(where),
        "across": across,
        "as_read": as_read,
        "similar": similar,
        "agree": [*about.keys_of_both(agree, other)],
        "differ": [*about.keys_of_both(differ, other)],
    }
    reported = [*other.keys(agree), *other.keys(differ)]
    if where is not None:
        reported += [key for key in where.mapping() if key not in (*COMBINING, *SUBQUERIES)]
    return {**compiled, "reported": [*dict.fromkeys(reported)], "at": about.at(node)}


def _grouped(node: Node, about: Conditions) -> Compiled:
    values = KINDS["grouped"].form.read(node)
    by = node.require("by")
    keys = some(by) if by.kind == "sequence" else [by]
    for key in keys:
        about.key(key, key.string())
    between = values.get("between", "queue_manager")
    compiled: Compiled = {
        "by": [key.string() for key in keys],
        "within": values.get("within", "estate"),
        "between": between,
        "agree": [*about.keys(node.get("agree"))],
    }
    distinct, size = node.get("distinct"), node.get("size")
    if distinct is not None:
        distinct.keys_allowed((between,))
        bounds = {"min": "least_groups", "max": "most_groups"}
        compiled |= _bounds(distinct.require(between), bounds, about)
    if size is not None:
        compiled |= _bounds(size, {"min": "size_least", "max": "size_most"}, about)
    if distinct is None and size is None and not compiled["agree"]:
        raise node.error("a group needs a bound: distinct, agree or size")
    against = node.get("against")
    if against is not None:
        if distinct is not None or size is not None:
            raise against.key_error("against is only for what must agree")
        compiled["against"] = about.condition(against)
    compiled["greater"] = values.get("greater", False)
    if compiled["greater"] and against is None:
        raise node.error("greater would compare with nothing: add against")
    return {**compiled, "at": about.at(node)}


def _bounds(node: Node, fields: Mapping[str, str], about: Conditions) -> Compiled:
    """The bounds that are set, by the fields that the kind has for them."""
    node.keys_allowed(tuple(fields))
    if not node.mapping():
        raise node.error("expected min, max or both")
    bounds = node.mapping()
    return {fields[key]: about.operands.number(bounds[key]) for key in fields if key in bounds}


def _sequence(node: Node, about: Conditions) -> Compiled:
    values = KINDS["sequence"].form.read(node)
    if about.object not in ("step", "command"):
        raise node.error("sequence needs steps: match object: step, or command")
    sides = [side for side in SIDES if side in values]
    if len(sides) != 1:
        raise node.error("expected one of before, after and beside")
    (side,) = sides
    other = node.require(side)
    if side == "beside" and "required" in other.mapping():
        raise other.error("beside is for a forbidden step: expected before or after")
    if len(other.mapping()) != 1:
        raise other.error("expected one of required and forbidden")
    word, condition = next(iter(other.mapping().items()))
    undone_by, within = node.get("undone_by"), node.get("within")
    if within is not None and word == "forbidden":
        raise within.error("a forbidden step is always searched in the procedure: omit it")
    return {
        "side": side,
        "other": about.condition(condition),
        "required": word == "required",
        "undone_by": None if undone_by is None else about.condition(undone_by),
        "same": [*about.keys(node.get("same"))],
        "within": values.get("within", "queue_manager"),
    }


def _reaches(node: Node, about: Conditions) -> Compiled:
    values = KINDS["reaches"].form.read(node)
    if about.object != "channel":
        raise node.error("reaches needs channels: match object: channel")
    source = node.require("from")
    if source.kind == "sequence":
        places = [_network(item) for item in some(source)]
    else:
        places = [source.one_of(PLACES)]
    return {
        "source": [*places],
        "user": values.get("as", "any"),
        "partner": values.get("by", "anyone"),
        "every": values.get("every", False),
        "must": values.get("must", False),
    }


def _network(node: Node) -> str:
    from mqlint.chlauth.address import NoAddressError, network  # here, as few policies ask

    try:
        network(node.string())
    except NoAddressError:
        raise node.error(f"found {node.raw!r}, expected a network such as 10.20.0.0/16") from None
    return node.string()


CHECKS: Mapping[str, Callable[[Node, Conditions], Compiled]] = {
    "attributes": _attributes,
    "related": _related,
    "grouped": _grouped,
    "sequence": _sequence,
    "reaches": _reaches,
}
"""The check of each kind's node."""


def placeholders_of(kind: str, check: Mapping[str, Plain]) -> tuple[str, ...]:
    """Return what a message may name beyond the fact itself, by the compiled check of a kind."""
    if kind == "sequence" and check.get("required"):
        return ()  # what is missing has no name
    reported = check.get("reported")
    keys = reported if isinstance(reported, list) else []
    return (*PLACEHOLDERS.get(kind, ()), *(f"related.{key}" for key in keys))
