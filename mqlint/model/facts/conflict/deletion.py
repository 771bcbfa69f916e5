"""Objects that a script deletes while something uses them, and commands for what it has deleted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from mqlint.language.mqsc import Command, Templated, items
from mqlint.model.core.action import accepts_absence
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import shipped_key
from mqlint.model.core.value import Value
from mqlint.model.facts.conflict.contradiction import (
    ConflictFact,
    conflict,
    is_defined,
    line_of,
    scope,
    successive,
)
from mqlint.model.facts.security.grant import have_a_command_each

_BACKSTOPS = ("*", "SYSTEM.*")
_ADVERTISING = ("CLUSTER", "CLUSNL", "CHLTYPE")


def commands_after_deletion(found: MQObject) -> Iterator[ConflictFact]:
    """An ALTER or DELETE of what an earlier command of the same text deleted."""
    if not is_defined(found):
        return
    for first, second in successive(found):
        if first.change is not Change.REMOVE or second.change is Change.MAKE:
            continue
        deleted, place = first.name_place(), second.name_place()
        may_fail = deleted != place and not accepts_absence(second.command)
        if may_fail and scope(first.command) == scope(second.command):
            text = f"{second.command.verb} {second.command.noun}"
            yield conflict(found, "gone", place, other=text, attribute=line_of(deleted))


def deleted_in_use(found: MQObject) -> Iterator[ConflictFact]:
    """A queue or cluster-receiver that one script deletes while something still has it."""
    is_channel = found.type == "channel"
    if not found.is_named or not (is_channel or found.is_a("queue")):
        return
    subscribers = _Subscribers(found)
    for layers in found.chains:
        made = [at for at, layer in enumerate(layers) if layer.change is Change.MAKE]
        before: Layer | None = None
        written: dict[str, Value] = {}
        for at, layer in enumerate(layers):
            if layer.change is not Change.REMOVE:
                before = layer
                values = ((word, layer.value(word)) for word in _ADVERTISING)
                written.update((word, value) for word, value in values if value is not None)
                continue
            if layer.maybe or before is None or before.maybe:
                continue
            place = layer.name_place()
            cluster = written.get("CLUSTER") or written.get("CLUSNL")
            if is_channel and (written.get("CHLTYPE") != "CLUSRCVR" or (made and made[-1] > at)):
                continue
            if isinstance(cluster, str) and cluster:
                yield conflict(found, "advertised", place, other=cluster)
            for name in subscribers.at(layer):
                yield conflict(found, "subscribed", place, other=name)


def removed_records(manager: QueueManager) -> Iterator[ConflictFact]:
    """A command that removes channel authentication records which its own text sets before."""
    removals: dict[Command, list[tuple[MQObject, Layer, Layer]]] = {}
    for record in manager.all_named("chlauth"):
        if record.exists is not False or not record.has_several_layers:
            continue
        for first, second in successive(record):
            is_set = first.change in (Change.MAKE, Change.JOIN)
            if is_set and second.change is Change.REMOVE and not second.origin.supposed:
                removals.setdefault(second.command, []).append((record, first, second))
    for removed in removals.values():
        record, _, removal = removed[0]
        beside = [(first.name_place(), "sets it") for _, first, _ in removed]
        number = "a record" if len(removed) == 1 else f"{len(removed)} records"
        yield conflict(record, "removed", removal.name_place(), beside, other=number)


def unblocked_channels(manager: QueueManager) -> Iterator[ConflictFact]:
    """A command that removes the record by which all other partners of channels are blocked.

    MQ supplies one for SYSTEM.*; one for all channels makes it unnecessary.
    """
    keys = {profile: shipped_key(profile, "ADDRESSMAP", "*") for profile in _BACKSTOPS}
    records = {profile: manager.recorded("chlauth", key) for profile, key in keys.items()}
    everywhere = records["*"]
    if everywhere is not None and everywhere.exists is not False:
        return
    for record in records.values():
        removal = _removal(record) if record is not None and record.exists is False else None
        is_block = record is None or record.value_before_deletion("USERSRC") in (None, "NOACCESS")
        if record is not None and removal is not None and is_block:
            yield conflict(record, "unblocked", removal.name_place())


def _removal(record: MQObject) -> Layer | None:
    """The command that removes a record, if its text does not set the record before."""
    ends = [(layers[0], layers[-1]) for layers in record.chains]
    removed = (last for first, last in ends if first is last and last.change is Change.REMOVE)
    return next((layer for layer in removed if not layer.maybe and not layer.origin.supposed), None)


def withdrawn_authorities(manager: QueueManager) -> Iterator[ConflictFact]:
    """A command that takes all authorities from a user or group that its text gives them before.

    In a script other programs may run between both and use them, unless each line between is a
    command of MQ.
    """
    if have_a_command_each(manager):
        return
    for record in manager.all_named("authrec"):
        if not record.has_several_layers or not record.is_named:
            continue
        for layers in record.chains:
            first, last = layers[-2:] if len(layers) > 1 else (layers[-1], layers[-1])
            is_certain = not (first.maybe or last.maybe)
            if is_certain and _gives(first) and _takes_all(last) and not last.origin.supposed:
                given, place = first.name_place(), last.name_place()
                lines = place.start.line - given.start.line
                is_whole = last.origin.segments is None or lines <= last.number - first.number
                beside = [(given, "gives them")]
                if given.path == place.path and is_whole:
                    yield conflict(record, "withdrawn", place, beside, other=line_of(given))


def _gives(layer: Layer) -> bool:
    """Whether a command adds authorities that are known; NONE is none."""
    added = layer.command.get("AUTHADD") or ""
    return not isinstance(added, Templated) and any(word != "NONE" for word in items(added))


def _takes_all(layer: Layer) -> bool:
    """Whether a command leaves an authority record without any authority."""
    taken = layer.command.get("AUTHRMV")
    is_all = taken is not None and "ALL" in items(taken) and not layer.command.get("AUTHADD")
    return layer.change is Change.REMOVE or is_all


_Event = tuple[int, str, bool]
"""The number of a command, the name of its subscription, and whether this puts to a queue then."""


def _subscriptions(manager: QueueManager) -> dict[tuple[str, Origin], list[_Event]]:
    """What each script does to the subscriptions that put to a queue, in the order of its commands.

    One that is made again with another DEST puts to the first queue no longer.
    """
    found: dict[tuple[str, Origin], list[_Event]] = {}
    for sub in manager.all_named("sub"):
        queues: dict[Origin, str] = {}
        for layer in chain.from_iterable(sub.chains):
            if layer.change is Change.ALTER:
                continue
            before = queues.pop(layer.order, None)
            if before is not None:
                found[before, layer.order].append((layer.number, sub.name, False))
            queue = layer.value("DEST") if layer.change is Change.MAKE else None
            if isinstance(queue, str) and not layer.maybe:
                queues[layer.order] = queue
                event = layer.number, sub.name, True
                found.setdefault((queue, layer.order), []).append(event)
    for events in found.values():
        events.sort()
    return found


class _Subscribers:
    """The subscriptions that put to a queue when it is deleted, each once in a script."""

    def __init__(self, queue: MQObject) -> None:
        self._queue = queue
        self._scripts: dict[Origin, tuple[int, dict[str, None]]] = {}

    def at(self, deletion: Layer) -> list[str]:
        """Return their names. Deletions are asked for in the order of their commands."""
        found = self._queue.manager.cached(_subscriptions)
        events = found.get((self._queue.name, deletion.order), ())
        done, names = self._scripts.get(deletion.order, (0, {}))
        while done < len(events) and events[done][0] < deletion.number:
            _, name, puts = events[done]
            names.pop(name, None)
            if puts:
                names[name] = None
            done += 1
        self._scripts[deletion.order] = done, {}
        return list(names)
