"""The high availability of a queue manager, and whether it is replicated to another site."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.model.core.fact import Fact
from mqlint.model.core.layer import Change
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value, flag

_MULTI_INSTANCE = "MultiInstance"
_MANIFESTS = {"NativeHA": "native-ha", _MULTI_INSTANCE: "multi-instance"}
_OF_ALL = frozenset({"qmgr", "chlauth", "authrec"})
_CHANGING = frozenset({Change.ALTER, Change.REMOVE})


def availability(manager: QueueManager) -> Value:
    """Return `rdqm`, `native-ha` or `multi-instance`; unknown if no file shows it.

    Without such a file it need not be a queue manager of one host: cluster software of the
    operating system may move it.
    """
    return next(_shown(manager), None) or next(_asked(manager), UNKNOWN)


def replicated(manager: QueueManager) -> Value:
    """Return `true` if it is copied to another site, or `false`.

    That is by crtmqm -rr, by a group of Native HA, or by strmqm -r, which replays production's log.
    """
    is_backup = any(step.option("r") is not None for step, _ in manager.control_steps("strmqm"))
    return flag(is_backup or _is_replica(manager))


def reinstated_by(fact: Fact) -> Value:
    """Return `replication` if files show that DR gets its queue manager by it, or `definitions`."""
    return "replication" if fact.manager.cached(_is_replica) else "definitions"


def _is_replica(manager: QueueManager) -> bool:
    """Whether it has its data from a queue manager of the same name, or gives it to that one."""
    return (
        any(step.option("rr") is not None for step, _ in manager.control_steps("crtmqm"))
        or any(stanza.name.lower() == "nativeharecoverygroup" for stanza, _ in manager.stanzas)
        or any(
            declared.type == "manifest" and declared.field("group.role") is not None
            for declared, _ in manager.declared
        )
    )


def restored(manager: QueueManager) -> Value:
    """Return `true` if its commands only change objects, of which no command defines any.

    The objects come with a copy of the queue manager then. Objects that every queue manager has,
    and records, which such commands may add, say nothing.
    """
    found = [
        each
        for each in manager.all_recorded(records=False)
        if each.type not in _OF_ALL and not each.name.startswith("SYSTEM.")
    ]
    is_only_changed = bool(found) and all(
        layer.change in _CHANGING for each in found for layer in each.layers
    )
    is_made = bool(manager.stanzas) or any(manager.control_steps("crtmqm"))
    return flag(is_only_changed and not is_made)


def second_instance(manager: QueueManager) -> Value:
    """Return `true` if a script registers it with addmqinf and starts it with strmqm -x.

    Its data is on shared storage then, where another host created the queue manager. So it is if a
    container with several instances is described by a file or folder `standby`.
    """
    is_added = any(manager.control_steps("addmqinf")) and not any(manager.control_steps("crtmqm"))
    is_multi = any(step.option("x") is not None for step, _ in manager.control_steps("strmqm"))
    is_standby = any(
        declared.value("availability") == _MULTI_INSTANCE and "standby" in origin.path.lower()
        for declared, origin in manager.declared
    )
    return flag((is_added and is_multi) or is_standby)


def _shown(manager: QueueManager) -> Iterator[str]:
    """What manifests, captured output and ini files show."""
    for declared, _ in manager.declared:
        if declared.type == "manifest":
            kind = _MANIFESTS.get(str(declared.value("availability")))
            if kind is not None:
                yield kind
        elif declared.type == "instance" and declared.field("REPLADDR") is not None:
            yield "native-ha"
        elif declared.type == "instance" and str(declared.value("MODE")).lower() == "standby":
            yield "multi-instance"
        elif declared.type == "rdqm" and declared.field("ha_role") is not None:
            yield "rdqm"
    if any(stanza.name.lower() == "nativehalocalinstance" for stanza, _ in manager.stanzas):
        yield "native-ha"


def _asked(manager: QueueManager) -> Iterator[str]:
    """What commands make of it, or take for granted."""
    for step, _ in manager.all_steps():
        if step.command == "crtmqm" and step.option("sx", "sxs") is not None:
            yield "rdqm"
        elif step.command == "crtmqm" and step.option("lr") is not None:
            yield "native-ha"
        elif step.command in ("rdqmadm", "rdqmint"):
            yield "rdqm"
    for step, _ in manager.control_steps("strmqm"):
        if step.option("x") is not None:
            yield "multi-instance"
