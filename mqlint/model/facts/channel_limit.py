"""How many channels a queue manager lets run, and how many its definitions may ask for.

IBM MQ documentation, "Channels stanza of the qm.ini file" (q018980_): MaxChannels is 100 without a
setting, MaxActiveChannels as MaxChannels; on z/OS both are attributes, MAXCHL and ACTCHL.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Location
from mqlint.model.core.ini_settings import (
    setting,
    setting_place,
    stanza_place,
    written,
)
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import UNKNOWN, Value

CHANNEL_KEYS = (
    "channels.limit",
    "channels.stated",
    "channels.instances",
    "channels.unlimited",
    "channels.adopted",
)
"""What a queue manager can be asked about its channels as a whole."""

UNLIMITED = "999999999"
"""MAXINST of a server-connection channel that may have any number of instances."""

_DEFAULT = "100"
_LIMITS = ("MaxActiveChannels", "MaxChannels")
_SHIPPED = ("SYSTEM.DEF.", "SYSTEM.AUTO.", "SYSTEM.ADMIN.")
_MESSAGE_CHANNELS = frozenset({"SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR"})


def channel_value(manager: QueueManager, attribute: str) -> Value:
    """Return a value of `CHANNEL_KEYS`.

    `channels.limit` is the smaller of the two limits as far as they are known, `channels.stated`
    whether one is written out.
    `channels.instances` is what the channels defined may come to at least: MAXINST of those that
    clients use, one for each other; those without a limit are `channels.unlimited`, and count for
    nothing. `channels.adopted` are the types of channels that AdoptNewMCA ends for a new instance,
    NO where that is left out.
    """
    if attribute == "channels.instances":
        return str(sum(_instances(manager)))
    if attribute == "channels.unlimited":
        found = (
            mqobject.name for mqobject in _served(manager) if mqobject.value("MAXINST") == UNLIMITED
        )
        return tuple(found) or ""
    if attribute == "channels.adopted":
        return _adopted(manager)
    limits = _limits(manager)
    if attribute == "channels.stated":
        return "true" if limits else "false" if _is_read(manager) else UNKNOWN
    numbers = [int(limit) for limit in limits if isinstance(limit, str) and limit.isdecimal()]
    if numbers:
        return str(min(numbers))
    return _DEFAULT if not limits and _is_read(manager) else UNKNOWN


def channel_place(manager: QueueManager, attribute: str) -> Location | None:
    """Return the place of the setting, else of the stanza that leaves it out; None without any."""
    keys = ("AdoptNewMCA",) if attribute == "channels.adopted" else _LIMITS
    places = (setting_place(manager.stanzas, "channels", key) for key in keys)
    found = next((place for place in places if place is not None), None)
    return found or stanza_place(manager.stanzas, "channels", "log")


def _limits(manager: QueueManager) -> list[Value]:
    """The limits that are written."""
    if manager.target.platform == "zos":
        owner = next(iter(manager.objects("qmgr")), None)
        values = [] if owner is None else [owner.value(one) for one in ("ACTCHL", "MAXCHL")]
        return [value for value in values if value is not UNKNOWN]
    found = (written(setting(manager.stanzas, "channels", key)) for key in _LIMITS)
    return [one for one in found if one is not None]


def _is_read(manager: QueueManager) -> bool:
    """Whether the whole qm.ini is here, so that what it leaves out has the product's default.

    A whole one says the type and the folder of the log since crtmqm made it, which a file of
    overrides cannot. Settings that are replayed at each start may be
    anything, and the appliance has a default of its own.
    """
    made = (setting(manager.stanzas, "log", key) for key in ("LogType", "LogPath"))
    if manager.target.platform in ("zos", "appliance") or not any(made):
        return False
    open_ = any(stanza.conditional for stanza, _ in manager.stanzas)
    return not open_ and setting(manager.stanzas, "autoconfig", "IniConfig") is None


def _adopted(manager: QueueManager) -> Value:
    said = written(setting(manager.stanzas, "channels", "AdoptNewMCA"))
    if said is None:
        return "NO" if _is_read(manager) else UNKNOWN
    return tuple(said.upper().replace(",", " ").split()) if isinstance(said, str) else said


def _served(manager: QueueManager) -> Iterator[MQObject]:
    """The channels that clients use, those shipped left out."""
    for object in manager.objects("channel"):
        if object.subtype == "SVRCONN" and not object.name.startswith(_SHIPPED):
            yield object


def _instances(manager: QueueManager) -> Iterator[int]:
    """How many instances each channel may have for certain."""
    for mqobject in _served(manager):
        most = mqobject.value("MAXINST")
        if isinstance(most, str) and most.isdecimal() and most != UNLIMITED:
            yield int(most)
    for object in manager.objects("channel"):
        if object.subtype in _MESSAGE_CHANNELS and not object.name.startswith(_SHIPPED):
            yield 1
