"""What a step stops and starts, and what must be asked before a plan is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.model.change import mqsc
from mqlint.model.change.described import DescribedObject, Text, Written
from mqlint.model.change.step import PlanQuestion
from mqlint.vocabulary.effects import Effect

_STATUS: Mapping[str, str] = {"channel": "CHSTATUS", "listener": "LSSTATUS", "service": "SVSTATUS"}


def asked(described: DescribedObject, effects: Iterable[Effect]) -> Iterator[PlanQuestion]:
    """Yield the states in which the queue manager would refuse the command."""
    refused = dict.fromkeys(effect.refused for effect in effects if effect.refused)
    for state in refused:
        text = f"{described.noun}({described.name}): the command is refused if {state}"
        yield PlanQuestion(text, _display(described))


def _display(described: DescribedObject) -> str:
    name = mqsc.quoted(described.name)
    if described.type == "qlocal":
        return f"DISPLAY QSTATUS({name}) TYPE(QUEUE) CURDEPTH IPPROCS OPPROCS UNCOM"
    if described.type in ("qalias", "qremote"):
        return f"DISPLAY CONN(*) TYPE(HANDLE) WHERE(OBJNAME EQ {name}) ALL"
    if described.type in _STATUS:
        return f"DISPLAY {_STATUS[described.type]}({name})"
    return ""


def running(described: DescribedObject) -> Iterator[PlanQuestion]:
    text = f"{described.noun}({described.name}) is stopped and started: what of it runs now"
    yield PlanQuestion(text, _display(described))


def status_of(stop: str) -> str:
    """Return what displays whether that which a STOP command ends still runs; blank if none."""
    verb, _, rest = stop.partition(" ")
    noun, _, name = rest.partition("(")
    status = _STATUS.get(noun.lower())
    return f"DISPLAY {status}({name}" if verb == "STOP" and status else ""


def not_known(described: DescribedObject, old: Written, new: Written) -> Iterator[PlanQuestion]:
    """Yield which values the files do not say: before the change, for the undo, and after it."""
    name = "" if described.type == "qmgr" else f"({mqsc.quoted(described.name)})"
    if old.unknown:
        words = " ".join(old.unknown)
        text = f"which values {described.noun}{name} has now, for the undo: {words}"
        yield PlanQuestion(text, f"DISPLAY {described.noun}{name} {words}")
    if new.unknown:
        words = ", ".join(new.unknown)
        yield PlanQuestion(f"which values {described.noun}{name} shall have: {words}")


_REFRESHED: Mapping[str, str] = {"ssl": "SSL", "connauth": "CONNAUTH"}


def acting(described: DescribedObject, verb: str) -> tuple[str, ...]:
    runs = described.type == "listener" or (
        described.type == "channel" and described.subtype != "CLNTCONN"
    )
    return (described.acts(verb),) if runs else ()


def ending(described: DescribedObject) -> tuple[str, ...]:
    """STOP of what is deleted; a cluster-receiver leaves its cluster while it still runs.

    Otherwise the cluster keeps its record, and sends to it (IBM MQ documentation, csqzah061j).
    """
    values: dict[str, Text | None] = {
        word: "" for word in ("CLUSTER", "CLUSNL") if described.value(word)
    }
    leaves = described.subtype == "CLUSRCVR" and values
    left = (described.alteration(values)[0],) if leaves else ()
    return (*left, *acting(described, "STOP"))


def refresh(described: DescribedObject, effects: Iterable[Effect]) -> tuple[str, ...]:
    kinds = dict.fromkeys(_REFRESHED[each.when] for each in effects if each.when in _REFRESHED)
    return tuple(f"REFRESH SECURITY TYPE({kind})" for kind in kinds)
