"""The classes of MQSC commands, which are the attribute `class` of steps."""

from __future__ import annotations

from typing import Final

from mqlint.language.mqsc import Command, Shape, Templated, decode
from mqlint.model.core.action import RECORDS
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

_OF_QUEUE_MANAGERS = {"START": "start", "STOP": "end"}
_OF_OBJECTS = {"DELETE": "delete-object", "START": "start-object", "STOP": "stop-object"}
QUIET = frozenset({"define", "authorise", "set", "display"})
"""Classes of MQSC that make no facts: the objects they make are facts, or nothing is."""
MQSC_CLASSES = (
    *"define alter delete-object set authorise display refresh reset resolve".split(),
    *"start-object stop-object suspend resume clear purge ping archive backup recover move".split(),
)
"""The classes of what runmqsc can run."""


def class_of(shape: Shape) -> str:
    """Return what MQSC commands of a shape do; blank for a text that is not a command."""
    known = shape.cache.get("class")
    if known is None:
        is_archived = shape.verb == "SET" and shape.noun == "LOG" and "ARCHIVED" in shape.words
        verb = "ARCHIVE" if is_archived else shape.verb or ""  # on z/OS it sets parameters
        known = shape.cache["class"] = _class(verb, shape.noun or "")
    return str(known)


def _class(verb: str, noun: str) -> str:
    if not verb or not noun:
        return ""
    if noun == "QMGR" and verb in _OF_QUEUE_MANAGERS:
        return _OF_QUEUE_MANAGERS[verb]
    if verb == "SET" and noun in RECORDS:
        return "authorise"
    return _OF_OBJECTS.get(verb, verb.lower())


_MONITORED: Final = {
    "QSTATUS": ("MSGAGE", "QTIME", "LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME"),
    "CHSTATUS": ("NETTIME", "XQTIME", "COMPTIME", "EXITTIME", "XBATCHSZ", "XQMSGSA"),
}
"""What a status shows only if monitoring is on ("Attributes that control real-time monitoring")."""


def monitored(shape: Shape) -> Value:
    """Return the first attribute of a DISPLAY that is blank without monitoring."""
    words = _MONITORED.get(shape.noun or "", ()) if shape.verb == "DISPLAY" else ()
    return next((word for word in words if word in shape.words), ABSENT)


def command_words(command: Command) -> str:
    shape = command.form.shape
    return f"{shape.verb} {shape.noun}"


def object_named(command: Command) -> Value:
    """Return the name in the parentheses after the noun."""
    slot = command.form.shape.name_slot
    if slot < 0:
        return ABSENT
    raw = command.values[slot]
    return UNKNOWN if isinstance(raw, Templated) else decode(raw)
