"""What REFRESH CLUSTER leaves out: clusters of a queue manager that its scripts do not name.

IBM MQ documentation, "Recovering a queue manager" (in a cluster): it is refreshed for every cluster
that it is in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.cluster import clusters
from mqlint.vocabulary.limits import NAME

if TYPE_CHECKING:
    from mqlint.model.procedure.step_facts import StepFact

COMMAND = "REFRESH CLUSTER"


def unrefreshed(step: StepFact) -> Value:
    """Return the clusters of the queue manager that no procedure refreshes, absent if none is left.

    Unknown where the procedure of `step` runs something that is not here.
    """
    kept = step.procedure.kept
    if unrefreshed not in kept:
        kept[unrefreshed] = _refreshed(step.procedure.steps) is not None
    return step.manager.once(_left) if kept[unrefreshed] else UNKNOWN


def _left(manager: QueueManager) -> Value:
    """The clusters that are named by no procedure of which all steps are known."""
    from mqlint.model.procedure.procedure import procedures  # steps are made there

    named: set[str] = set()
    for one in manager.once(procedures):
        named |= _refreshed(one.steps) or set()
    starts = {one[:-1] for one in named if one.endswith("*")}
    members = (one.name for one in manager.once(clusters) if one.name not in named)
    left = tuple(member for member in members if not _begins_so(member, starts))
    return left or ABSENT


def _begins_so(name: str, starts: set[str]) -> bool:
    return any(name[:length] in starts for length in range(min(len(name), NAME) + 1))


def _refreshed(steps: Iterable[StepFact]) -> set[str] | None:
    """The clusters that are named, also where it may not run; None where any may be."""
    named: set[str] = set()
    for step in steps:
        command = step.value("command")
        if command is UNKNOWN:  # not here; it may be MQSC alone, which may refresh as well
            return None
        if command == COMMAND:
            cluster = step.value("cluster")
            if not isinstance(cluster, str):
                return None
            named.add(cluster)
    return named
