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
from mqlint.model.facts.queue_manager.section import Section
from mqlint.number import whole_number

UNLIMITED = "999999999"
"""MAXINST of a server-connection channel that may have any number of instances."""

_DEFAULT = "100"
_LIMITS = ("MaxActiveChannels", "MaxChannels")
_SHIPPED = ("SYSTEM.DEF.", "SYSTEM.AUTO.", "SYSTEM.ADMIN.")
_MESSAGE_CHANNELS = frozenset({"SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR"})


def _limit(manager: QueueManager) -> Value:
    limits = _limits(manager)
    numbers = [number for number in map(whole_number, limits) if number is not None]
    if numbers:
        return str(min(numbers))
    return _DEFAULT if not limits and _is_read(manager) else UNKNOWN


def _stated(manager: QueueManager) -> Value:
    return "true" if _limits(manager) else "false" if _is_read(manager) else UNKNOWN


def _unlimited(manager: QueueManager) -> Value:
    names = (channel.name for channel in _served(manager) if channel.value("MAXINST") == UNLIMITED)
    return tuple(names) or ""


def _place(manager: QueueManager, attribute: str) -> Location | None:
    """Return the place of the setting, else of the stanza that leaves it out; None without any."""
    keys = ("AdoptNewMCA",) if attribute == "channels.adopted" else _LIMITS
    places = (setting_place(manager.stanzas, "channels", key) for key in keys)
    return next(filter(None, places), None) or stanza_place(manager.stanzas, "channels", "log")


def _limits(manager: QueueManager) -> list[Value]:
    if manager.target.platform == "zos":
        owner = manager.own_object()
        values = [] if owner is None else [owner.value(word) for word in ("ACTCHL", "MAXCHL")]
        return [value for value in values if value is not UNKNOWN]
    settings = (written(setting(manager.stanzas, "channels", key)) for key in _LIMITS)
    return [value for value in settings if value is not None]


def _is_read(manager: QueueManager) -> bool:
    """Return whether the whole qm.ini is known, so that omitted settings have the default.

    A whole one has the type and the folder of the log since crtmqm made it, unlike a file of
    overrides. Settings that are replayed at each start may be anything, and the appliance has a
    default of its own.
    """
    made = (setting(manager.stanzas, "log", key) for key in ("LogType", "LogPath"))
    if manager.target.platform in ("zos", "appliance") or not any(made):
        return False
    open_ = any(stanza.conditional for stanza, _ in manager.stanzas)
    return not open_ and setting(manager.stanzas, "autoconfig", "IniConfig") is None


def _adopted(manager: QueueManager) -> Value:
    value = written(setting(manager.stanzas, "channels", "AdoptNewMCA"))
    if value is None:
        return "NO" if _is_read(manager) else UNKNOWN
    return tuple(value.upper().replace(",", " ").split()) if isinstance(value, str) else value


def _served(manager: QueueManager) -> Iterator[MQObject]:
    """The channels that clients use, without those of the product."""
    for channel in manager.channels("SVRCONN"):
        if not channel.name.startswith(_SHIPPED):
            yield channel


def _instances(manager: QueueManager) -> Iterator[int]:
    """How many instances each channel may have for certain."""
    for channel in _served(manager):
        most = channel.value("MAXINST")
        number = whole_number(most)
        if number is not None and most != UNLIMITED:
            yield number
    for channel in manager.channels(*_MESSAGE_CHANNELS):
        if not channel.name.startswith(_SHIPPED):
            yield 1


CHANNEL_LIMITS = Section(
    {
        "channels.limit": _limit,
        "channels.stated": _stated,
        "channels.instances": lambda manager: str(sum(_instances(manager))),
        "channels.unlimited": _unlimited,
        "channels.adopted": _adopted,
    },
    _place,
)
"""The channels of a queue manager as a whole."""
