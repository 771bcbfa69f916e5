"""How large the log of a queue manager is, and how it is written and managed.

That is what qm.ini says; else what crtmqm was given, LogDefaults of the host, or the product's own
("Log stanza", q018950_; "crtmqm", q083120_).
"""

from __future__ import annotations

from mqlint.finding import Location
from mqlint.model.core.ini_settings import has_stanza, setting, setting_place, written
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value

_SIZES = {
    "log.primary": ("LogPrimaryFiles", "lp", "3"),
    "log.secondary": ("LogSecondaryFiles", "ls", "2"),
    "log.pages": ("LogFilePages", "lf", "4096"),
}
_MODES = {
    "log.integrity": ("LogWriteIntegrity", "TripleWrite"),
    "log.management": ("LogManagement", "Manual"),
}
"""Keys of the Log stanza, options of crtmqm, and what holds without them."""

_WHOLE = "log.size"
SIZE_KEYS = (*_SIZES, *_MODES, _WHOLE)
"""What a queue manager can be asked about the size and the ways of its log."""


def size_value(manager: QueueManager, attribute: str) -> Value:
    """Return a value of `SIZE_KEYS`, as it is written; `log.size` is all of the sizes in words."""
    if attribute == _WHOLE:
        parts = [_size(manager, *told) for told in _SIZES.values()]
        known = [part for part in parts if isinstance(part, str)]
        return "{}+{} files of {} pages".format(*known) if len(known) == len(parts) else UNKNOWN
    if attribute in _SIZES:
        return _size(manager, *_SIZES[attribute])
    return _mode(manager, *_MODES[attribute])


def size_place(manager: QueueManager, attribute: str) -> Location | None:
    """Return the place of the setting, else of the crtmqm that made the log."""
    attribute = "log.pages" if attribute == _WHOLE else attribute
    key = (*_SIZES.get(attribute, ()), *_MODES.get(attribute, ()))[0]
    return setting_place(manager.stanzas, "log", key) or _made_at(manager)


def _size(manager: QueueManager, key: str, option: str, default: str) -> Value:
    """Number or size of the files of the log."""
    said = written(setting(manager.stanzas, "log", key))
    if said is not None:
        return said
    for step, _ in manager.steps:
        if step.command != "crtmqm":
            continue
        given = step.option(option)
        if given is not None and isinstance(given.value, str) and not step.maybe:
            return given.value
        if given is not None or step.maybe or step.open:
            return UNKNOWN
        chosen = written(setting(manager.host, "logdefaults", key))
        return default if chosen is None else chosen
    return UNKNOWN


def _mode(manager: QueueManager, key: str, default: str) -> Value:
    """How the log is written or managed; the default holds where qm.ini is here without it."""
    said = written(setting(manager.stanzas, "log", key))
    if said is not None:
        return said
    return default if has_stanza(manager.stanzas, "log") else UNKNOWN


def _made_at(manager: QueueManager) -> Location | None:
    """Where crtmqm stands."""
    made = ((one, origin) for one, origin in manager.steps if one.command == "crtmqm")
    return next((origin.location(one.span) for one, origin in made), None)
