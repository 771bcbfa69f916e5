"""The order in which the commands of a plan work.

A process comes before the queue that it is started for, a queue before its alias, a receiver before
the sender that calls it, and a channel authentication record before the channel that it protects.
New objects come before others of their type that may name them, such as an initiation queue.
The queue manager's own attributes, which name objects, come last. Deletions are in the opposite
order, after the objects that named the deleted ones were altered.
"""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.model.change.step import Kind

_TYPES = (
    *("cfstruct", "buffpool", "psid", "stgclass", "authinfo", "namelist", "process", "comminfo"),
    *("topic", "qlocal", "qmodel", "qremote", "qalias", "sub", "service", "chlauth"),
    *("channel", "channel that starts", "listener", "policy", "authrec", "qmgr"),
)
_RANKS: Mapping[str, int] = {name: rank for rank, name in enumerate(_TYPES)}
_STARTING = frozenset({"SDR", "SVR", "RQSTR", "CLUSSDR", "CLNTCONN"})
_DEFAULTS, _MADE, _DELETED = range(3)


def rank_of(
    kind: Kind, object_type: str, subtype: str | None, name: str, *, is_default_object: bool
) -> tuple[int, int, bool, str]:
    """Return what sorts a step among all steps of a queue manager."""
    starts = object_type == "channel" and subtype in _STARTING
    place = _RANKS.get("channel that starts" if starts else object_type, len(_TYPES))
    if kind == "delete":
        return _DELETED, -place, False, name
    return _DEFAULTS if is_default_object else _MADE, place, kind != "define", name
