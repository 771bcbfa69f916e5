"""The content of a new queue manager: default objects with their values, and its records."""

from __future__ import annotations

from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.vocabulary import Target, Vocabulary
from mqlint.vocabulary.spec import CommandSpec
from mqlint.vocabulary.target import platforms_named

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
    "AMQP": "SYSTEM.DEF.AMQP",
}
SHIPPED_CHANNELS = {name: kind for kind, name in _DEFAULT_CHANNELS.items() if kind != "CLNTCONN"}
SHIPPED_CHANNELS |= {
    "SYSTEM.AUTO.RECEIVER": "RCVR",
    "SYSTEM.AUTO.SVRCONN": "SVRCONN",
}
"""The channels that every queue manager has, with their types."""

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
    """Return the key of a channel authentication record that is identified by its address."""
    return "\x1f".join((profile, kind, address, "", "", "", ""))


def default_object_name(object_type: str, subtype: str | None) -> str | None:
    """Return the name of the object from which DEFINE takes omitted attributes."""
    if object_type == "channel":
        return _DEFAULT_CHANNELS.get(subtype or "")
    if object_type == "authinfo":
        return _DEFAULT_AUTHINFO.get(subtype or "")
    return _DEFAULT_OBJECTS.get(object_type)


def shipped_channel_type(name: str) -> str | None:
    """Return the type of the channel of this name that every queue manager has, None without."""
    return SHIPPED_CHANNELS.get(name)


def shipped_subtype(object_type: str, name: str) -> str | None:
    """Return the CHLTYPE or AUTHTYPE of the object of this name that every queue manager has."""
    if object_type == "channel":
        return shipped_channel_type(name)
    return authentication_type(name) if object_type == "authinfo" else None


def may_be_shipped(name: str) -> bool:
    """Whether a queue manager may have an object of this name that no file defines.

    The queues of an agent of Managed File Transfer are defined by the MQSC of fteCreateAgent.
    """
    return name.startswith("SYSTEM.") and not name.startswith("SYSTEM.FTE.")


def authentication_type(name: str) -> str | None:
    """Return the type of the authentication object of this name that every queue manager has."""
    return next((kind for kind, default in _DEFAULT_AUTHINFO.items() if default == name), None)


def product_default(
    vocabulary: Vocabulary, target: Target, object_type: str, subtype: str | None, attribute: str
) -> Value:
    default = vocabulary.default(object_type, subtype, attribute, target)
    if default is None:
        return UNKNOWN if can_have(vocabulary, object_type, subtype, attribute) else ABSENT
    if default in (attribute, "NO" + attribute):
        return "YES" if default == attribute else "NO"
    return default


def can_have(vocabulary: Vocabulary, object_type: str, subtype: str | None, attribute: str) -> bool:
    if subtype is not None:  # whatever a text says that it is
        return _can_have(vocabulary, object_type, subtype, attribute)
    known: dict[str, bool] = vocabulary.answers((can_have, object_type))
    if attribute not in known:
        known[attribute] = _can_have(vocabulary, object_type, subtype, attribute)
    return known[attribute]


def _can_have(
    vocabulary: Vocabulary, object_type: str, subtype: str | None, attribute: str
) -> bool:
    if vocabulary.is_fact(object_type.upper(), attribute):
        return True
    command = _setting(vocabulary, object_type)
    spec = None if command is None else command.attribute(attribute)
    return command is not None and spec is not None and command.applies(spec, subtype)


def is_of_platform(
    vocabulary: Vocabulary, target: Target, object_type: str, attribute: str
) -> bool:
    """Whether an attribute exists on the platform of a target; True if that is not known."""
    command = _setting(vocabulary, object_type)
    spec = None if command is None else command.attribute(attribute)
    if command is None or spec is None:
        return True
    return bool(command.platforms_of(spec) & platforms_named(target.platform or ""))


def _setting(vocabulary: Vocabulary, object_type: str) -> CommandSpec | None:
    """The command that makes an object, or sets its attributes."""
    found = (vocabulary.command(verb, object_type.upper()) for verb in ("DEFINE", "ALTER", "SET"))
    return next((command for command in found if command is not None), None)
