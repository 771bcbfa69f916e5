"""The recovery log of a queue manager: its type, its size, and the files that state them.

The type is that in qm.ini; else the one captured of the running queue manager; else that of the
crtmqm which made it, of LogDefaults of the same host, or the product's default; else that of a
manifest; else it is unknown. migmqlog changes it later. On IBM i it is always linear: the log
consists of journals.

The size, and how the log is written and managed, are those of qm.ini; else of options of crtmqm,
LogDefaults of the host, or the product ("Log stanza", q018950_; "crtmqm", q083120_).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.language.mqsc import decode
from mqlint.model.core.ini_settings import has_stanza, setting, setting_place, written
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.model.facts.queue_manager.section import Section, made_at
from mqlint.number import whole_number

if TYPE_CHECKING:
    from mqlint.language.ini.parser import IniEntry
    from mqlint.language.script.step import Step

_OPTIONS = {
    "circular": ("lc",),
    "linear": ("ll", "lla", "lln"),
    "replicated": ("lr",),
}
_DEFAULT = "circular"
_ON_IBM_I = frozenset({"CRTMQM", "STRMQM", "ENDMQM", "RCDMQMIMG", "RCRMQMOBJ", "CRTJRN", "CHGJRN"})


class Claim(NamedTuple):
    """One statement of the log type; `stated` is False if a default decides."""

    type: Value
    place: Location
    source: str
    stated: bool = True


def claims(manager: QueueManager) -> tuple[Claim, ...]:
    """Return the statements of the log type, the one in force first."""
    return (
        *_of_ini(manager),
        *_of_capture(manager),
        *_of_commands(manager),
        *_of_manifest(manager),
        *_of_journals(manager),
    )


def _of_ini(manager: QueueManager) -> Iterator[Claim]:
    for stanza, origin in manager.stanzas:
        entry = stanza.get("LogType") if stanza.name.lower() == "log" else None
        if entry is not None:
            yield Claim(_written(entry), origin.location(entry.value_span), "qm.ini")


def _of_capture(manager: QueueManager) -> Iterator[Claim]:
    """DISPLAY QMSTATUS shows it; instances with a replication address are of Native HA."""
    for command, origin in manager.events:
        shown = command.get("LOGTYPE") if origin.shown and command.noun == "QMSTATUS" else None
        if shown is not None:
            place = origin.location(command.span_of_name())
            yield Claim(decode(shown).lower(), place, "DISPLAY QMSTATUS")
    for instance, origin in manager.declarations("instance"):
        if instance.field("REPLADDR") is not None:
            yield Claim("replicated", origin.location(instance.span), "dspmq")


def _of_commands(manager: QueueManager) -> Iterator[Claim]:
    """The log type of crtmqm; without a flag, that of LogDefaults of the host or the default.

    It is unknown if a script has several commands of which each may not run: it chooses one.
    """
    if any(manager.control_steps("migmqlog")):
        return  # it changes what crtmqm made
    choices: dict[str, set[Value]] = {}
    found: list[tuple[Claim, bool]] = []
    for step, origin in manager.control_steps("crtmqm"):
        if step.is_secondary:
            continue
        kind, stated = _asked(step), True
        if kind is None:
            kind, stated = _left(manager, step), False
        claim = Claim(kind, origin.location(step.span), "crtmqm", stated)
        found.append((claim, step.execution.maybe))
        if step.execution.maybe:
            choices.setdefault(claim.place.path, set()).add(kind)
    for claim, maybe in found:
        is_choice = maybe and len(choices[claim.place.path]) > 1
        yield Claim(UNKNOWN, claim.place, claim.source) if is_choice else claim


def _of_manifest(manager: QueueManager) -> Iterator[Claim]:
    """The log type of a manifest: a declaration with a field `log.type`."""
    for declared, origin in manager.declared:
        field = declared.field("log.type")
        if field is not None:
            yield Claim(field.value, origin.location(field.span), declared.type)


def _of_journals(manager: QueueManager) -> Iterator[Claim]:
    """The log of a queue manager that commands of IBM i are given for: journals."""
    for step, origin in manager.all_steps():
        if step.command in _ON_IBM_I:
            yield Claim("linear", origin.location(step.span), "journals")
            return


def _asked(step: Step) -> Value | None:
    """The type that options of crtmqm specify, None when they specify none."""
    for kind, names in _OPTIONS.items():
        if step.option(*names) is not None:
            return kind
    return UNKNOWN if step.execution.maybe or step.open else None


def _left(manager: QueueManager, step: Step) -> Value:
    """The log type of a crtmqm without a flag."""
    if step.execution.maybe or step.open:
        return UNKNOWN
    chosen = setting(manager.host, "logdefaults", "LogType")
    return _DEFAULT if chosen is None else _written(chosen)


def _written(entry: IniEntry) -> Value:
    return UNKNOWN if entry.templated else entry.value.lower()


def _first(read: Callable[[Claim], Value]) -> Callable[[QueueManager], Value]:
    """Return a reader of the statement in force; unknown without one."""

    def value(manager: QueueManager) -> Value:
        statements = manager.cached(claims)
        return read(statements[0]) if statements else UNKNOWN

    return value


def _stated(claim: Claim) -> Value:
    return UNKNOWN if claim.type is UNKNOWN else str(claim.stated).lower()


def _disagrees(manager: QueueManager) -> Value:
    statements = manager.cached(claims)
    if len(statements) < 2 or statements[0].type is UNKNOWN:
        return UNKNOWN
    return "false" if _other(statements) is None else "true"


def _also(manager: QueueManager) -> Value:
    other = _other(manager.cached(claims))
    return UNKNOWN if other is None else f"{other.type} ({other.source})"


def _place(manager: QueueManager, _: str) -> Location | None:
    statements = manager.cached(claims)
    return statements[0].place if statements else None


LOG_TYPE = Section(
    {
        "log.type": _first(lambda claim: claim.type),
        "log.stated": _first(_stated),
        "log.source": _first(lambda claim: claim.source),
        "log.disagrees": _disagrees,
        "log.also": _also,
    },
    _place,
)
"""The type of the log: circular, linear or replicated."""


def _other(statements: Sequence[Claim]) -> Claim | None:
    """The first statement that contradicts the one in force."""
    sure = [claim for claim in statements if claim.stated and claim.type is not UNKNOWN]
    if not sure or sure[0] is not statements[0]:
        return None
    return next((claim for claim in sure[1:] if claim.type != sure[0].type), None)


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

_SIZE_OF_ALL, _BYTES = "log.size", "log.bytes"
_PAGE = 4096


def _all_sizes(manager: QueueManager) -> Value:
    sizes = [_size(manager, *setting_names) for setting_names in _SIZES.values()]
    known = [size for size in sizes if isinstance(size, str)]
    return "{}+{} files of {} pages".format(*known) if len(known) == len(sizes) else UNKNOWN


def _bytes(manager: QueueManager) -> Value:
    """All that the active log holds: the primary and secondary files, of pages of 4 KB."""
    sizes = [_size(manager, *setting_names) for setting_names in _SIZES.values()]
    primary, secondary, pages = map(whole_number, sizes)
    if primary is None or secondary is None or pages is None:
        return UNKNOWN
    return str((primary + secondary) * pages * _PAGE)


def _size_place(manager: QueueManager, attribute: str) -> Location | None:
    """The place of the setting, else of the crtmqm that made the log."""
    attribute = "log.pages" if attribute in (_SIZE_OF_ALL, _BYTES) else attribute
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
        _BYTES: _bytes,
    },
    _size_place,
)
"""Number and size of the files of the log, and how it is written and managed."""
