"""Queues that applications open, joined with those of the queue manager."""

from __future__ import annotations

from mqlint.model.core.fact import Places
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.application.connecting import user_denied
from mqlint.model.facts.application.connection import FIELDS, server_of, via_of
from mqlint.model.facts.application.undefined import FOR_CLIENTS, OF_CONTAINER, similar, undefined
from mqlint.model.facts.files.resources import ResourceFact, resource_type
from mqlint.model.facts.routing.path import may_be_in_cluster
from mqlint.vocabulary.applications import AGENT_QUEUES


def queue_of(fact: ResourceFact) -> MQObject | None:
    """Return the queue that a use names, None if it is not here."""
    return None if fact.manager.key.anonymous else fact.manager.find("queue", fact.name)


def _queue_state(fact: ResourceFact) -> Value:
    """`defined`, `missing`, `deleted`, `elsewhere` (a cluster may have it), or unknown.

    `undefined` if it may be missing, as a channel is.
    """
    manager = fact.manager
    if manager.key.anonymous:
        return UNKNOWN
    is_shipped = OF_CONTAINER.fullmatch(fact.name) is not None
    if not is_shipped and manager.exists("queue", fact.name) is False:
        if manager.cached(may_be_in_cluster):
            return "elsewhere"
        return "missing" if manager.deleted("queue", fact.name) is None else "deleted"
    if queue_of(fact) is not None:
        return "defined"
    in_cluster = manager.cached(may_be_in_cluster)
    return UNKNOWN if in_cluster else undefined(manager, "queue", fact.name) or UNKNOWN


def _missing_with(fact: ResourceFact) -> Value:
    """The first queue that an agent of Managed File Transfer lacks, if this is a later one."""
    agent = fact.value("application")
    if fact.manager.key.anonymous or not isinstance(agent, str):
        return ABSENT
    names = [f"{prefix}{agent.upper()}" for prefix in AGENT_QUEUES]
    before = names[: names.index(fact.name)] if fact.name in names else []
    missing = (name for name in before if fact.manager.exists("queue", name) is False)
    return next(missing, ABSENT)


def _similar_queue(fact: ResourceFact) -> Value:
    """A queue of which the name that no command defines is a typo."""
    if fact.manager.key.anonymous or _queue_state(fact) == "missing":
        return ABSENT
    return similar(fact.manager, "queue", fact.name)


def _chain(fact: ResourceFact) -> tuple[MQObject, ...]:
    """The queue that is named, and the one that an alias leads to."""
    found = queue_of(fact)
    if found is None or found.type != "qalias":
        return () if found is None else (found,)
    if found.value("TARGTYPE") != "QUEUE":
        return (found,)
    target = found.value("TARGET")
    base = found.manager.find("queue", target.strip()) if isinstance(target, str) else None
    return (found,) if base is None else (found, base)


def _resolves(fact: ResourceFact) -> Value:
    """The type of queue that the name leads to: qlocal, qremote or qmodel; unknown elsewhere."""
    chain = _chain(fact)
    if not chain or not chain[-1].exists or chain[-1].type == "qalias":
        return UNKNOWN
    return chain[-1].type


def _inhibited(fact: ResourceFact, attribute: str) -> Value:
    """The first queue of the chain with GET(DISABLED) or PUT(DISABLED); absent if all allow it."""
    states = [(found, found.value(attribute)) for found in _chain(fact) if found.exists]
    for found, state in states:
        if state == "DISABLED":
            return found.name
    is_known = states and all(state != UNKNOWN for _, state in states)
    return ABSENT if is_known else UNKNOWN


_AUTHORITIES = {"get": "GET", "put": "PUT"}


def _denied(fact: ResourceFact) -> tuple[str, bool] | None:
    """What `user_denied` says of a use; None if its authority or its channel is not known."""
    channel, authority = server_of(fact), _AUTHORITIES.get(str(fact.value("action")))
    if channel is None or authority is None or channel.subtype != FOR_CLIENTS:
        return None
    return user_denied(fact, channel, authority)


def _denied_user(fact: ResourceFact) -> Value:
    """A user for whom the channel runs and whom no record lets do this; else absent."""
    found = _denied(fact)
    return UNKNOWN if found is None else found[0] or ABSENT


def _allowed_others(fact: ResourceFact) -> Value:
    found = _denied(fact)
    return UNKNOWN if found is None else "yes" if found[1] else "no"


def _beside_use(fact: ResourceFact) -> Places:
    """The queue that is named and the one that an alias leads to, or what deletes the queue."""
    deleted = None if fact.manager.key.anonymous else fact.manager.deleted("queue", fact.name)
    chain = _chain(fact) or (() if deleted is None else (deleted,))
    return tuple((found.where(), f"{found.type} {found.name}") for found in chain)


USE = resource_type(
    "use",
    ("action", *FIELDS),
    derived={
        "queue.state": _queue_state,
        "queue.similar": _similar_queue,
        "missing.with": _missing_with,
        "resolves": _resolves,
        "inhibited.GET": lambda fact: _inhibited(fact, "GET"),
        "inhibited.PUT": lambda fact: _inhibited(fact, "PUT"),
        "denied.user": _denied_user,
        "denied.others": _allowed_others,
        "via": via_of,
    },
    beside=_beside_use,
)
"""A queue that an application opens, with the fields of the connection."""
AGENT = resource_type("agent", ("part", "QMNAME"))
"""An agent of Managed File Transfer that a file names, by its name in capitals."""
