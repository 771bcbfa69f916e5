"""What STOP CHANNEL of a sender leaves on its transmission queue, and what sets it right again.

When a sender or server stops, the queue manager sets its transmission queue to GET(DISABLED) and
turns triggering off. START CHANNEL resets both (IBM MQ documentation, q015680_). If no sender is
started on the queue afterwards, it stays so: no channel is triggered, and no application can get.
"""

from __future__ import annotations

from dataclasses import replace

from mqlint.model.change.described import DescribedObject, Text
from mqlint.model.change.step import PlanStep
from mqlint.model.comparison.written import Rename
from mqlint.model.core.queue_manager import QueueManager

_SENDERS = ("SDR", "SVR")
_CHANGED_BY_STOP = ("GET", "TRIGGER")


class Senders:
    """The senders of one queue manager before and after a change, by transmission queue."""

    def __init__(self, now: QueueManager, wanted: QueueManager, rename: Rename) -> None:
        before, after = _by_queue(now, str), _by_queue(wanted, rename)
        self._started = {queue for queue, _ in after - before}
        self._restarted = {queue for queue, _ in before - after}
        self._queues_now = _queues(now, str)
        self._queues_wanted = _queues(wanted, rename)

    def completed(
        self, step: PlanStep, a: DescribedObject | None, b: DescribedObject | None
    ) -> PlanStep:
        """Return the step of a channel with what its transmission queues need."""
        old, new = _queue_of(a), _queue_of(b)
        if old == new or step.type != "channel":
            return replace(step, queues=frozenset({old} - {""}))
        commands, undo, starts = step.commands, step.undo, step.starts
        if old and old not in self._started:
            commands += _restored(self._queues_wanted.get(old))
        if new and undo and new not in self._restarted:
            undo += _restored(self._queues_now.get(new))
        if b is not None and a is None and new in self._restarted:
            starts = (b.acts("START"),)
        return replace(
            step,
            commands=commands,
            undo=undo,
            starts=starts,
            queues=frozenset({old, new} - {""}),
        )


def _queue_of(sender: DescribedObject | None) -> str:
    if sender is None or sender.subtype not in _SENDERS:
        return ""
    queue = sender.value("XMITQ")
    return queue if isinstance(queue, str) else ""


def _by_queue(manager: QueueManager, rename: Rename) -> set[tuple[str, str]]:
    """The transmission queues and names of senders."""
    channels = (DescribedObject(found, rename) for found in manager.objects("channel"))
    return {(_queue_of(found), found.name) for found in channels if _queue_of(found)}


def _queues(manager: QueueManager, rename: Rename) -> dict[str, DescribedObject]:
    queues = (DescribedObject(found, rename) for found in manager.objects("qlocal"))
    return {queue.name: queue for queue in queues if queue.can_be_named}


def _restored(queue: DescribedObject | None) -> tuple[str, ...]:
    """ALTER that gives a queue the values that its description has."""
    if queue is None:
        return ()
    values: dict[str, Text | None] = {word: queue.value(word) for word in _CHANGED_BY_STOP}
    command, _ = queue.alteration(values)
    return (command,) if command else ()
