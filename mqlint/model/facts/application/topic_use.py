"""Topics that applications publish on or subscribe to, joined with topic objects and authorities.

Authority for a topic string is that of the topic objects at its node and above it: the check goes
up the tree until one gives the authority (IBM MQ documentation, "Publish/subscribe security",
q014470_). The root is that of SYSTEM.BASE.TOPIC.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.application.connection import FIELDS, via_of
from mqlint.model.facts.files.resources import ResourceFact, resource_type
from mqlint.model.facts.routing.path import may_be_in_cluster
from mqlint.model.facts.routing.topic_tree import plain_levels, topics_above
from mqlint.model.facts.security.grant import grants_of

_ROOT = "SYSTEM.BASE.TOPIC"
_AUTHORITIES = {
    "publish": frozenset({"PUB"}),
    "subscribe": frozenset({"SUB"}),
    "open": frozenset({"PUB", "SUB"}),
}
"""The authorities of which an application needs one."""
_ATTRIBUTES = {"publish": "PUB", "subscribe": "SUB"}


def _above(fact: ResourceFact) -> Iterator[MQObject]:
    """The topic objects at and above the topic string, the nearest first."""
    text = plain_levels(fact.name)
    return iter(()) if fact.manager.key.anonymous else topics_above(fact.manager, text)


def _inhibited(fact: ResourceFact) -> Value:
    """The nearest topic object that decides, if it is DISABLED; absent if it allows the use."""
    attribute = _ATTRIBUTES.get(str(fact.value("action")), "")
    for topic in _above(fact) if attribute else ():
        value = topic.value(attribute)
        if value == "DISABLED":
            return topic.name
        if value != "ASPARENT":
            return UNKNOWN if value is UNKNOWN else ABSENT
    return ABSENT


def _allowed(fact: ResourceFact) -> Value:
    """The users and groups that may use the topic as the application does.

    Unknown if a record or a topic object may count that is not known, or is not here.
    """
    manager, wanted = fact.manager, _AUTHORITIES.get(str(fact.value("action")), frozenset())
    grants = manager.cached(grants_of)["TOPIC"]
    is_open = grants.open or grants.for_unknown or manager.has_unnamed("topic")
    if manager.key.anonymous or is_open or manager.cached(_has_unknown_string):
        return UNKNOWN
    names = [_ROOT, *(topic.name for topic in _above(fact))]
    deciding = [pair for name in names for pair in grants.deciding(name).items()]
    if any(grant.authorization.authorities is UNKNOWN for _, grant in deciding):
        return UNKNOWN
    having = {entity[1] for entity, grant in deciding if wanted & {*grant.authorization.known}}
    is_whole = manager.has_all("authrec") and manager.has_all("topic")
    is_whole = is_whole and not manager.cached(may_be_in_cluster)
    return tuple(sorted(having)) if having or is_whole else UNKNOWN


def _has_unknown_string(manager: QueueManager) -> bool:
    return any(topic.value("TOPICSTR") is UNKNOWN for topic in manager.objects("topic"))


TOPIC_USE = resource_type(
    "topic_use",
    ("action", *FIELDS),
    derived={
        "allowed": _allowed,
        "inhibited": _inhibited,
        "via": via_of,
    },
    beside=lambda fact: tuple((topic.where(), f"topic {topic.name}") for topic in _above(fact)),
)
"""A topic string that an application uses, with the fields of the connection."""
