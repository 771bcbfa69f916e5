"""The recovery log of a queue manager: its type, and who says so.

The log type is what qm.ini says; else what was captured of the running queue manager; else what
the crtmqm asked for that made it, or LogDefaults of the same host, or the product's default; else
what a manifest asks for; else it is unknown. migmqlog changes it afterwards. On IBM i it is linear,
always: its log are journals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mqlint.finding import Location
from mqlint.language.mqsc import decode
from mqlint.model.core.ini_settings import setting
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.ini.parser import Entry
    from mqlint.language.script.step import Step

LOG_KEYS = (
    "log.type",
    "log.stated",
    "log.source",
    "log.disagrees",
    "log.also",
)
"""What a queue manager can be asked about the type of its log."""

_OPTIONS = {
    "circular": ("lc",),
    "linear": ("ll", "lla", "lln"),
    "replicated": ("lr",),
}
_DEFAULT = "circular"
_ON_IBM_I = frozenset({"CRTMQM", "STRMQM", "ENDMQM", "RCDMQMIMG", "RCRMQMOBJ", "CRTJRN", "CHGJRN"})


class Claim(NamedTuple):
    """One statement of the log type; `stated` is False where a default decides."""

    type: Value
    place: Location
    source: str
    stated: bool = True


def claims(manager: QueueManager) -> tuple[Claim, ...]:
    """Return the statements of the log type, the one that counts first."""
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
    for one, origin in manager.declared:
        if one.type == "instance" and one.field("REPLADDR") is not None:
            yield Claim("replicated", origin.location(one.span), "dspmq")


def _of_commands(manager: QueueManager) -> Iterator[Claim]:
    """What crtmqm asked for; where it left the choice, LogDefaults of the host or the default."""
    if any(step.command == "migmqlog" for step, _ in manager.steps):
        return  # it changes what crtmqm made
    for step, origin in manager.steps:
        if step.command != "crtmqm":
            continue
        kind, stated = _asked(step), True
        if kind is None:
            kind, stated = _left(manager, step), False
        yield Claim(kind, origin.location(step.span), "crtmqm", stated)


def _of_manifest(manager: QueueManager) -> Iterator[Claim]:
    """What a manifest asks for: a declaration with a field `log.type`."""
    for one, origin in manager.declared:
        found = one.field("log.type")
        if found is not None:
            yield Claim(found.value, origin.location(found.span), one.type)


def _of_journals(manager: QueueManager) -> Iterator[Claim]:
    """The log of a queue manager that commands of IBM i are given for: journals."""
    for step, origin in manager.steps:
        if step.command in _ON_IBM_I:
            yield Claim("linear", origin.location(step.span), "journals")
            return


def _asked(step: Step) -> Value | None:
    """The type that crtmqm is told, None when it is told none."""
    for kind, names in _OPTIONS.items():
        if step.option(*names) is not None:
            return kind
    return UNKNOWN if step.maybe or step.open else None


def _left(manager: QueueManager, step: Step) -> Value:
    """What a crtmqm without a flag makes."""
    if step.maybe or step.open:
        return UNKNOWN
    chosen = setting(manager.host, "logdefaults", "LogType")
    return _DEFAULT if chosen is None else _written(chosen)


def _written(entry: Entry) -> Value:
    return UNKNOWN if entry.templated else entry.value.lower()


def log_value(manager: QueueManager, attribute: str) -> Value:
    """Return a value of `LOG_KEYS`.

    `log.disagrees` is true when two places write out different types, and no migmqlog stands in
    any script; `log.also` is then what the other says.
    """
    found = manager.once(claims)
    if not found:
        return UNKNOWN
    first = found[0]
    if attribute == "log.type":
        return first.type
    if attribute == "log.source":
        return first.source
    if attribute == "log.stated":
        return UNKNOWN if first.type is UNKNOWN else str(first.stated).lower()
    other = _other(manager, found)
    if attribute == "log.also":
        return UNKNOWN if other is None else f"{other.type} ({other.source})"
    if first.type is UNKNOWN or len(found) < 2:
        return UNKNOWN
    return "false" if other is None else "true"


def log_place(manager: QueueManager, attribute: str) -> Location | None:
    """Return the place that says a value of `LOG_KEYS`, None when there is none."""
    found = manager.once(claims)
    return found[0].place if found else None


def _other(manager: QueueManager, found: tuple[Claim, ...]) -> Claim | None:
    """The first statement that contradicts the one that counts."""
    first = found[0]
    if first.type is UNKNOWN or not first.stated:
        return None
    for claim in found[1:]:
        if claim.stated and claim.type is not UNKNOWN and claim.type != first.type:
            return claim
    return None
