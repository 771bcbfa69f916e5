"""Checks what stands under `check:`, one function a kind.

Each takes the value under the kind's name and what may be said of the facts that the policy is
about. It returns plain JSON, which `mqlint.policy.compile.build` makes the kind of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mqlint.config.node import Node, Plain
from mqlint.policy.compile.predicate import COMBINING, HOPS
from mqlint.policy.kinds.grouped import GROUPS, SCOPES
from mqlint.policy.kinds.reaches import PARTNERS, PLACES, USERS
from mqlint.policy.kinds.reaches import WORDS as REACH_WORDS
from mqlint.policy.kinds.sequence import REACHES, SIDES
from mqlint.policy.language.conditions import Conditions
from mqlint.policy.language.operands import some

Body = dict[str, Plain]

BODY: Mapping[str, tuple[str, ...]] = {
    "related": ("to", "by", "must", "where", "agree", "differ", "across", "at"),
    "grouped": ("by", "within", "between", "distinct", "agree", "size", "at"),
    "sequence": (*SIDES, "undone_by", "same", "within"),
    "reaches": ("from", "as", "by", "every", "must"),
}
"""What may stand under the name of a kind; under `attributes` it is a condition, and `at`."""

MUST = ("exist", "not-exist")
ORDERS = ("required", "forbidden")


def _attributes(body: Node, about: Conditions) -> Body:
    condition = about.condition(body, skip=("at",))
    first = next((key for key in condition if key not in (*COMBINING, *HOPS)), None)
    return {"required": condition, "at": about.at(body) or first}


def _related(body: Node, about: Conditions) -> Body:
    body.keys_allowed(BODY["related"])
    to, where, across = body.require("to"), body.get("where"), body.get("across")
    is_across = across.boolean() if across is not None else False
    other = about.of(to, None if is_across else about)
    theirs, mine = about.pairs(body.require("by"), other)
    must = body.require("must").one_of(MUST) == "exist"
    if is_across and must and sorted(theirs) not in (["name"], ["name", "queue_manager"]):
        raise body.require("by").error(
            "what must exist somewhere is looked for by its name, or by name and queue_manager"
        )
    _compares_here(body, is_across)
    compiled: Body = {
        "object": other.object,
        "to": about.of(to).condition(to, skip=("object",)),
        "theirs": [*theirs],
        "mine": [*mine],
        "must": must,
        "where": other.condition(where) if where is not None else None,
        "across": is_across,
    }
    for key in ("agree", "differ"):
        compiled[key] = [*other.keys(body.get(key))]
        about.keys(body.get(key))
    told = [*other.keys(body.get("agree")), *other.keys(body.get("differ"))]
    if where is not None:
        told += [key for key in where.mapping() if key not in (*COMBINING, *HOPS)]
    compiled["told"] = [*dict.fromkeys(told)]
    compiled["at"] = about.at(body)
    return compiled


def _compares_here(body: Node, is_across: bool) -> None:
    """Refuse what compares with a fact of another queue manager: `grouped` does that."""
    compared = [body.get(key) for key in ("agree", "differ")]
    wrong = next((node for node in compared if node is not None and is_across), None)
    if wrong is not None:
        raise wrong.key_error("across says whether it is there; what must agree is grouped")


def _grouped(body: Node, about: Conditions) -> Body:
    body.keys_allowed(BODY["grouped"])
    by = body.require("by")
    keys = some(by) if by.kind == "sequence" else [by]
    for key in keys:
        about.key(key, key.string())
    within, between = body.get("within"), body.get("between")
    group = "queue_manager" if between is None else between.one_of(tuple(GROUPS))
    compiled: Body = {
        "by": [key.string() for key in keys],
        "within": "estate" if within is None else within.one_of(SCOPES),
        "between": group,
        "agree": [*about.keys(body.get("agree"))],
    }
    _bounds(body, group, compiled, about)
    compiled["at"] = about.at(body)
    return compiled


def _bounds(body: Node, group: str, compiled: Body, about: Conditions) -> None:
    distinct, size = body.get("distinct"), body.get("size")
    if distinct is not None:
        distinct.keys_allowed((group,))
        bound = distinct.require(group)
        bound.keys_allowed(("min", "max"))
        _numbers(bound, {"min": "least_groups", "max": "most_groups"}, compiled, about)
    if size is not None:
        size.keys_allowed(("min", "max"))
        _numbers(size, {"min": "size_least", "max": "size_most"}, compiled, about)
    if distinct is None and size is None and not compiled["agree"]:
        raise body.error("a group needs a bound: distinct, agree or size")


def _numbers(body: Node, names: Mapping[str, str], compiled: Body, about: Conditions) -> None:
    """Keep the bounds that are written, under the names the kind has for them."""
    for key, name in names.items():
        found = body.get(key)
        if found is not None:
            compiled[name] = about.operands.number(found)
    if not body.mapping():
        raise body.error("expected min, max or both")


def _sequence(body: Node, about: Conditions) -> Body:
    body.keys_allowed(BODY["sequence"])
    if about.object not in ("step", "command"):
        raise body.error("only steps come in an order: match object: step, or command")
    sides = [side for side in SIDES if body.get(side) is not None]
    if len(sides) != 1:
        raise body.error("expected one of before and after")
    other = body.require(sides[0])
    other.keys_allowed(ORDERS)
    if len(other.mapping()) != 1:
        raise other.error("expected one of required and forbidden")
    word, condition = next(iter(other.mapping().items()))
    undone_by, within = body.get("undone_by"), body.get("within")
    if within is not None and word == "forbidden":
        raise within.error("what is forbidden is looked for in the procedure: leave it out")
    return {
        "side": sides[0],
        "other": about.condition(condition),
        "required": word == "required",
        "undone_by": about.condition(undone_by) if undone_by is not None else None,
        "same": [*about.keys(body.get("same"))],
        "within": "queue_manager" if within is None else within.one_of(REACHES),
    }


def _reaches(body: Node, about: Conditions) -> Body:
    body.keys_allowed(BODY["reaches"])
    if about.object != "channel":
        raise body.error("what is reached is a channel: match it with object: channel")
    source, user, partner = body.require("from"), body.get("as"), body.get("by")
    every, must = body.get("every"), body.get("must")
    if source.kind == "sequence":
        networks = [_network(node) for node in some(source)]
    else:
        networks = [source.one_of(PLACES)]
    return {
        "source": [*networks],
        "user": "any" if user is None else user.one_of(USERS),
        "partner": "anyone" if partner is None else partner.one_of(PARTNERS),
        "every": every is not None and every.boolean(),
        "must": must is not None and must.boolean(),
    }


def _network(node: Node) -> str:
    from mqlint.chlauth.address import NoAddressError, network  # here, as few policies ask

    try:
        network(node.string())
    except NoAddressError:
        raise node.error(f"found {node.raw!r}, expected a network such as 10.20.0.0/16") from None
    return node.string()


CHECKS: Mapping[str, Callable[[Node, Conditions], Body]] = {
    "attributes": _attributes,
    "related": _related,
    "grouped": _grouped,
    "sequence": _sequence,
    "reaches": _reaches,
}
"""The check of each kind's body."""

KINDS = (*CHECKS, "diagnostic")


def words_of_kind(kind: str, check: Mapping[str, Plain]) -> tuple[str, ...]:
    """Return what a message may say beyond the fact itself, by the compiled check of a kind."""
    if kind == "sequence" and check.get("required"):
        return ()  # what is missing has no name
    told = check.get("told")
    keys = told if isinstance(told, list) else []
    return (*WORDS.get(kind, ()), *(f"related.{key}" for key in keys))


WORDS: Mapping[str, tuple[str, ...]] = {
    "related": ("related.name", "related.site", "related.queue_manager"),
    "grouped": (
        "size",
        *("others.site", "others.queue_manager", "others.name"),
        *("others.value", "others.path", "others.group"),
    ),
    "sequence": ("related.step",),
    "reaches": REACH_WORDS,
}
