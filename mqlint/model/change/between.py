"""What the plans of several queue managers must do one after the other.

A queue exists before a remote queue leads to it, and a receiving channel before the channel that
calls it. Deletions are in the opposite order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.dataclass import NamedTuple, frozen
from mqlint.model.change.plan import Plan
from mqlint.model.change.step import Kind, PlanStep
from mqlint.model.comparison.written import Rename
from mqlint.model.core.action import QUEUE_TYPES
from mqlint.model.core.queue_manager import QueueManager

_MAKES: frozenset[Kind] = frozenset({"define", "replace"})
_CALLED = frozenset({"RCVR", "CLUSRCVR", "SVRCONN"})
_CALLING = frozenset({"SDR", "SVR", "CLUSSDR", "CLNTCONN"})

_Queue = tuple[str, str]
"""The names of a queue manager and of a queue."""


class StepOf(NamedTuple):
    queue_manager: str
    step: PlanStep


@frozen
class Precedence:
    """A step that must be done before one of another queue manager."""

    first: StepOf
    then: StepOf


def precedences(plans: Sequence[Plan], rename: Rename) -> list[Precedence]:
    """Return what must be done at one queue manager before something is done at another.

    `rename` returns the names in the plans for names of the wanted description. A name of a channel
    that several queue managers define says nothing about which of them is called.
    """
    found = [*_of_queues(plans, rename), *_of_channels(plans)]
    return [each for each in found if each.first.queue_manager != each.then.queue_manager]


def _steps(plans: Iterable[Plan]) -> Iterator[StepOf]:
    for plan in plans:
        for step in plan.steps:
            yield StepOf(plan.now.key.name, step)


def _of_queues(plans: Sequence[Plan], rename: Rename) -> Iterator[Precedence]:
    made: dict[_Queue, StepOf] = {}
    deleted: dict[_Queue, StepOf] = {}
    for found in _steps(plans):
        if found.step.type in QUEUE_TYPES:
            key = found.queue_manager, found.step.name
            if found.step.kind in _MAKES:
                made[key] = found
            elif found.step.kind == "delete":
                deleted[key] = found
    if not made and not deleted:
        return
    for plan in plans:
        steps = [step for step in plan.steps if step.type == "qremote"]
        before = _targets(plan.now, str) if steps else {}
        after = _targets(plan.wanted, rename) if steps else {}
        for step in steps:
            own = StepOf(plan.now.key.name, step)
            is_left = step.kind == "delete"
            if not is_left and after.get(step.name) in made:
                yield Precedence(made[after[step.name]], own)
            if step.kind != "define" and before.get(step.name) in deleted:
                yield Precedence(own, deleted[before[step.name]])


def _targets(manager: QueueManager, rename: Rename) -> Mapping[str, _Queue]:
    found = {}
    for remote in manager.objects("qremote"):
        target, name = remote.value("RQMNAME"), remote.value("RNAME")
        if isinstance(target, str) and isinstance(name, str):
            found[rename(str(remote.name))] = rename(target), rename(name)
    return found


def _of_channels(plans: Sequence[Plan]) -> Iterator[Precedence]:
    ends: dict[tuple[Kind, str, bool], list[StepOf]] = {}
    for found in _steps(plans):
        step = found.step
        if step.type == "channel" and step.kind in ("define", "delete"):
            is_called = step.subtype in _CALLED
            if is_called or step.subtype in _CALLING:
                ends.setdefault((step.kind, step.name, is_called), []).append(found)
    for (kind, name, is_called), called in ends.items():
        if is_called and len(called) == 1:
            for calling in ends.get((kind, name, False), ()):
                pair = (called[0], calling) if kind == "define" else (calling, called[0])
                yield Precedence(*pair)
