"""Size of the recovery log of a queue manager, and how it is written and managed.

The values are those of qm.ini; else of options of crtmqm, LogDefaults of the host, or the product
("Log stanza", q018950_; "crtmqm", q083120_).
"""

from __future__ import annotations

from functools import partial

from mqlint.finding import Location
from mqlint.model.core.ini_settings import has_stanza, setting, setting_place, written
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.model.facts.section import Section, made_at

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

_SIZE_OF_ALL = "log.size"


def _all_sizes(manager: QueueManager) -> Value:
    """All of the sizes in words."""
    sizes = [_size(manager, *setting_names) for setting_names in _SIZES.values()]
    known = [size for size in sizes if isinstance(size, str)]
    return "{}+{} files of {} pages".format(*known) if len(known) == len(sizes) else UNKNOWN


def _place(manager: QueueManager, attribute: str) -> Location | None:
    """The place of the setting, else of the crtmqm that made the log."""
    attribute = "log.pages" if attribute == _SIZE_OF_ALL else attribute
    key = (*_SIZES.get(attribute, ()), *_MODES.get(attribute, ()))[0]
    return setting_place(manager.stanzas, "log", key) or made_at(manager)


def _size(manager: QueueManager, key: str, option: str, default: str) -> Value:
    value = written(setting(manager.stanzas, "log", key))
    if value is not None:
        return value
    for step, _ in manager.control_steps("crtmqm"):
        if step.is_secondary:
            continue
        given = step.option(option)
        if given is not None and isinstance(given.value, str) and not step.execution.maybe:
            return given.value
        if given is not None or step.execution.maybe or step.open:
            return UNKNOWN
        chosen = written(setting(manager.host, "logdefaults", key))
        return default if chosen is None else chosen
    return UNKNOWN


def _mode(manager: QueueManager, key: str, default: str) -> Value:
    """How the log is written or managed; the default holds where qm.ini is here without it."""
    value = written(setting(manager.stanzas, "log", key))
    if value is not None:
        return value
    return default if has_stanza(manager.stanzas, "log") else UNKNOWN


LOG_SIZE = Section(
    {
        **{
            word: partial(_size, key=key, option=option, default=default)
            for word, (key, option, default) in _SIZES.items()
        },
        **{
            word: partial(_mode, key=key, default=default)
            for word, (key, default) in _MODES.items()
        },
        _SIZE_OF_ALL: _all_sizes,
    },
    _place,
)
"""Number and size of the files of the log, and how it is written and managed."""
