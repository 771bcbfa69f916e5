"""What a new queue manager comes with: its default objects, and its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.model.core.object import MQObject
    from mqlint.model.core.queue_manager import QueueManager

_DEFAULT_OBJECTS = {
    "qlocal": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "qalias": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "qremote": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "qmodel": "SYSTEM.DEFAULT.MODEL.QUEUE",
    "namelist": "SYSTEM.DEFAULT.NAMELIST",
    "process": "SYSTEM.DEFAULT.PROCESS",
    "topic": "SYSTEM.DEFAULT.TOPIC",
    "sub": "SYSTEM.DEFAULT.SUB",
    "service": "SYSTEM.DEFAULT.SERVICE",
    "listener": "SYSTEM.DEFAULT.LISTENER.TCP",
    "comminfo": "SYSTEM.DEFAULT.COMMINFO.MULTICAST",
}
_DEFAULT_CHANNELS = {
    "SDR": "SYSTEM.DEF.SENDER",
    "SVR": "SYSTEM.DEF.SERVER",
    "RCVR": "SYSTEM.DEF.RECEIVER",
    "RQSTR": "SYSTEM.DEF.REQUESTER",
    "SVRCONN": "SYSTEM.DEF.SVRCONN",
    "CLNTCONN": "SYSTEM.DEF.CLNTCONN",
    "CLUSSDR": "SYSTEM.DEF.CLUSSDR",
    "CLUSRCVR": "SYSTEM.DEF.CLUSRCVR",
}
_DEFAULT_AUTHINFO = {
    "CRLLDAP": "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP",
    "OCSP": "SYSTEM.DEFAULT.AUTHINFO.OCSP",
    "IDPWOS": "SYSTEM.DEFAULT.AUTHINFO.IDPWOS",
    "IDPWLDAP": "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP",
}

SHIPPED_RECORDS = {
    ("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP"): "*",
    ("SYSTEM.*", "ADDRESSMAP"): "*",
    ("*", "BLOCKUSER"): "",
}
"""Channel authentication records of a new queue manager: profile and type, and the address."""


def shipped_key(profile: str, kind: str, address: str) -> str:
    """Return the key of a channel authentication record that only its address tells apart."""
    return "\x1f".join((profile, kind, address, "", "", "", ""))


def default_object(manager: QueueManager, object_type: str, subtype: str | None) -> MQObject | None:
    """Return the object from which DEFINE takes what it leaves out, if the text has it."""
    if object_type == "channel":
        name = _DEFAULT_CHANNELS.get(subtype or "")
    elif object_type == "authinfo":
        name = _DEFAULT_AUTHINFO.get(subtype or "")
    else:
        name = _DEFAULT_OBJECTS.get(object_type)
    return None if name is None else manager.find(object_type, name, subtype)


def default_source(found: MQObject) -> tuple[object, ...] | None:
    """Return what the defaults of an object of one layer depend on besides the attribute.

    Objects with equal sources have equal defaults. None when another object has a say in them:
    one it is made like, or a default object among the files.
    """
    layer, manager = found.sole_layer(), found.manager
    if layer is None or "LIKE" in layer.action.words:
        return None
    if layer.origin.observed and manager.dump_says_all:
        return found.type, found.subtype
    if default_object(manager, found.type, found.subtype) is not None:
        return None
    return found.type, found.subtype, manager.target


def default_value(
    manager: QueueManager, object_type: str, subtype: str | None, attribute: str
) -> Value:
    """Return what the product's own default object says."""
    found = manager.vocabulary.default(object_type, subtype, attribute, manager.target)
    if found is None:
        return UNKNOWN if can_have(manager, object_type, subtype, attribute) else ABSENT
    if found in (attribute, "NO" + attribute):
        return "YES" if found == attribute else "NO"
    return found


def can_have(manager: QueueManager, object_type: str, subtype: str | None, attribute: str) -> bool:
    """Whether objects of this type and subtype can have `attribute`."""
    noun = object_type.upper()
    if manager.vocabulary.is_fact(noun, attribute):
        return True
    for verb in ("DEFINE", "ALTER", "SET"):
        command = manager.vocabulary.command(verb, noun)
        if command is not None:
            spec = command.attribute(attribute)
            return spec is not None and command.applies(spec, subtype)
    return False
