"""Whether the files of a queue manager keep a channel from starting."""

from __future__ import annotations

from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, Value, flag
from mqlint.model.procedure.steps import steps


def held(found: MQObject) -> Value:
    """Return `true` if a script stops a channel, or if its channel initiator does not start.

    The channel initiator does not start with SCHINIT(MANUAL), or if every strmqm has -ns (IBM's
    pages "ALTER QMGR" and "strmqm").
    """
    if found.type != "channel":
        return ABSENT
    return flag(found.name in found.manager.cached(_stopped) or found.manager.cached(_is_silent))


def _stopped(manager: QueueManager) -> frozenset[str]:
    stopping = (step for step in steps(manager) if step.name == "STOP CHANNEL")
    names = (step.value("object") for step in stopping)
    return frozenset(name for name in names if isinstance(name, str))


def _is_silent(manager: QueueManager) -> bool:
    own = manager.own_object()
    if own is not None and own.value("SCHINIT") == "MANUAL":
        return True
    starts = [step for step, _ in manager.control_steps("strmqm")]
    return bool(starts) and all(step.option("ns") is not None for step in starts)
