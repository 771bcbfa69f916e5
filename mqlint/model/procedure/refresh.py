"""Clusters of a queue manager that its scripts do not name in REFRESH CLUSTER.

IBM MQ documentation, "Recovering a queue manager" (in a cluster): it is refreshed for every cluster
that it is in.
"""

from __future__ import annotations

from collections.abc import Set

from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.routing.cluster import clusters
from mqlint.model.procedure.command_class import command_words, object_named
from mqlint.model.procedure.procedure import Procedure, procedures
from mqlint.vocabulary.limits import NAME

COMMAND = "REFRESH CLUSTER"


def unrefreshed(procedure: Procedure) -> Value:
    """Return the clusters of the queue manager that no procedure refreshes, absent if none is left.

    Unknown if the procedure runs something that is not here.
    """
    refreshed = procedure.cached(_refreshed)
    return UNKNOWN if refreshed is None else procedure.manager.cached(_left)


def _left(manager: QueueManager) -> Value:
    """The clusters that no procedure with only known steps names."""
    named: set[str] = set()
    for procedure in manager.cached(procedures):
        refreshed = procedure.cached(_refreshed)
        named |= refreshed if refreshed is not None else set()
    starts = {name[:-1] for name in named if name.endswith("*")}
    members = (cluster.name for cluster in manager.cached(clusters) if cluster.name not in named)
    return tuple(name for name in members if not _begins_with(name, starts)) or ABSENT


def _begins_with(name: str, starts: set[str]) -> bool:
    return any(name[:length] in starts for length in range(min(len(name), NAME) + 1))


def _refreshed(procedure: Procedure) -> Set[str] | None:
    """The clusters that are named, also by commands that may not run; None if any may be."""
    if procedure.script.calls or procedure.unread():
        return None  # what is not here may refresh any cluster
    named: set[str] = set()
    for _, command in procedure.commands(quiet=False):
        if command_words(command) == COMMAND:
            cluster = object_named(command)
            if not isinstance(cluster, str):
                return None
            named.add(cluster)
    return named
