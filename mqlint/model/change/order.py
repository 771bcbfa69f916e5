"""The order in which the commands of a plan work.

A process comes before the queue that it is started for, a queue before its alias, a receiver before
the sender that calls it, and a channel authentication record before the channel that it protects.
New objects come before others of their type that may name them, such as an initiation queue.
The queue manager's own attributes, which name objects, come last, but a limit that others must keep
is raised before them. Deletions are in the opposite
order, after the objects that named the deleted ones were altered. What is no longer named is
altered then too. Only what would make the queue manager refuse a new object is deleted before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mqlint.model.change.described import DescribedObject
from mqlint.model.change.step import Kind
from mqlint.model.comparison.difference import Difference
from mqlint.number import whole_number

_TYPES = (
    *("cfstruct", "buffpool", "psid", "stgclass", "authinfo", "namelist", "process", "comminfo"),
    *("topic", "qlocal", "qmodel", "qremote", "qalias", "sub", "service", "chlauth"),
    *("channel", "channel that starts", "listener", "policy", "authrec", "qmgr"),
)
_RANKS: Mapping[str, int] = {name: rank for rank, name in enumerate(_TYPES)}
_STARTING = frozenset({"SDR", "SVR", "RQSTR", "CLUSSDR", "CLNTCONN"})
_FIRST, _MADE, _LAST = range(3)
_ORDER: tuple[Kind, ...] = ("delete", "define", "replace", "alter")
_ORDER_OF_TOPICS: tuple[Kind, ...] = ("delete", "replace", "define", "alter")
"""A topic string must be free before another topic can have it."""

_REPOSITORY = frozenset({"REPOS", "REPOSNL"})
"""Blank before the channels of a full repository leave the cluster."""
_DEFAULT_MAXMSGL = 4194304


def needed_first(found: Sequence[Difference]) -> frozenset[str]:
    """Return the attributes of a queue manager that change before the other objects of a plan.

    No queue and no channel can have a MAXMSGL above that of the queue manager (IBM MQ
    documentation, ALTER queues), so a higher value is set before theirs. A full repository of a
    cluster says that it is none before its channels leave, but not if the other of the two
    attributes names the cluster instead.
    """
    words = set[str]()
    if all(each.type == "qmgr" for each in found):
        repository = [each for each in found if each.attribute in _REPOSITORY]
        if not any(each.b for each in repository):
            words.update(each.attribute for each in repository)
        words.update(each.attribute for each in found if _is_raised(each))
    return frozenset(words)


def _is_raised(found: Difference) -> bool:
    if found.attribute != "MAXMSGL":
        return False
    before, after = (whole_number(value or str(_DEFAULT_MAXMSGL)) for value in (found.a, found.b))
    return before is not None and after is not None and after > before


def rank_of(
    kind: Kind, described: DescribedObject, *, is_first: bool = False, is_last: bool = False
) -> tuple[int, int, int, str]:
    """Return what sorts a step among all steps of a queue manager.

    `is_first` is one that others build on, as on default objects, `is_last` one that waits until
    the others are done.
    """
    object_type, subtype = described.type, described.subtype
    starts = object_type == "channel" and subtype in _STARTING
    if is_last and subtype == "CLUSSDR":
        starts = False  # a cluster-receiver leaves through the cluster-sender
    place = _RANKS.get("channel that starts" if starts else object_type, len(_TYPES))
    if is_last:
        return _LAST, -place, int(subtype == "CLUSSDR"), described.name
    order = _ORDER_OF_TOPICS if object_type == "topic" else _ORDER
    group = _FIRST if is_first or described.is_default_object else _MADE
    return group, place, order.index(kind), described.name
