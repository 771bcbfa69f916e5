"""Whether a queue with triggering can ever start its application."""

from __future__ import annotations

from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.number import whole_number


def trigger_of(found: MQObject) -> Value:
    """Return `off`, `ready`, or the first thing that keeps a local queue's trigger from firing.

    These are `type-none` (TRIGTYPE says that nothing starts), `no-initiation-queue`,
    `missing-initiation-queue`, `no-process`, `missing-process` and `depth-never-reached` (TRIGDPTH
    is over MAXDEPTH). Unknown where none is certain and one cannot be ruled out; absent of other
    objects. A transmission queue needs no process (IBM: q026910, "Prerequisites for triggering").
    """
    if found.type != "qlocal":
        return ABSENT
    switch = found.value("TRIGGER")
    if switch != "YES":
        return UNKNOWN if switch is UNKNOWN else "off"
    faults = (_type(found), _initiation_queue(found), _process(found), _depth(found))
    for fault in faults:
        if isinstance(fault, str) and fault:
            return fault
    return UNKNOWN if UNKNOWN in faults else "ready"


def _type(found: MQObject) -> Value:
    kind = found.value("TRIGTYPE")
    if kind is UNKNOWN:
        return UNKNOWN
    return "type-none" if kind == "NONE" else ""


def _initiation_queue(found: MQObject) -> Value:
    return _named(found, "INITQ", "queue", "initiation-queue")


def _process(found: MQObject) -> Value:
    usage = found.value("USAGE")
    if usage == "XMITQ":
        return ""
    fault = _named(found, "PROCESS", "process", "process")
    return UNKNOWN if usage is UNKNOWN and fault else fault


def _named(found: MQObject, attribute: str, object_type: str, word: str) -> Value:
    """Whether the object that an attribute names is missing."""
    name = found.value(attribute)
    if not isinstance(name, str):
        return UNKNOWN
    if not name.strip():
        return f"no-{word}"
    there = found.manager.exists(object_type, name.strip())
    return UNKNOWN if there is None else "" if there else f"missing-{word}"


def _depth(found: MQObject) -> Value:
    kind, wanted, most = (found.value(word) for word in ("TRIGTYPE", "TRIGDPTH", "MAXDEPTH"))
    if kind is not UNKNOWN and kind != "DEPTH":
        return ""
    if not (isinstance(wanted, str) and isinstance(most, str)) or kind is UNKNOWN:
        return UNKNOWN
    depth, limit = whole_number(wanted), whole_number(most)
    if depth is None or limit is None:
        return UNKNOWN
    return "depth-never-reached" if depth > limit else ""
