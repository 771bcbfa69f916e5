"""A contradiction about an object, and what several kinds of them ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from mqlint.finding import Diagnostic, Location
from mqlint.language.mqsc import Command, decode
from mqlint.model.core.action import QUEUE_TYPES
from mqlint.model.core.fact import DerivedFact, Statement, statements
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import Value

_READERS = statements("conflict")
MADE = QUEUE_TYPES | {"channel", "namelist", "process", "topic", "listener", "service", "sub"}
"""The types of objects that only DEFINE makes."""
DIVIDING = {"authinfo": "AUTHTYPE", "channel": "CHLTYPE", "listener": "TRPTYPE"}
"""The attribute that divides objects into types, which an existing object cannot change."""
NOT_SERVED = "not-served"
_BY_COMMAND = frozenset({"gone", NOT_SERVED})
"""The states that several commands for one object may have."""
ConflictFact = DerivedFact[Statement]


def conflict(
    found: MQObject,
    state: str,
    place: Location,
    beside: Iterable[tuple[Location, str]] = (),
    **values: Value,
) -> ConflictFact:
    """Return a contradiction about an object; `place` is the command or attribute at fault.

    `beside` are the places that contradict it, each with a description.
    """
    part = values.get("other" if state in _BY_COMMAND else "attribute", "")
    key = "\x1f".join((found.type, found.key, state, str(part)))
    others = tuple(other for other in beside if other[0] != place)
    values = {"object.type": found.type, "state": state, **values}
    statement = Statement(values, place, key=key, beside=others)
    return DerivedFact(_READERS, found.manager, found.name, statement)


def refusal(manager: QueueManager, word: Diagnostic, place: Location) -> ConflictFact:
    """Return that the queue manager refuses a command of which a word is only for others."""
    platforms, other = word.data["platforms"], word.data["target"]
    values: dict[str, Value] = {"state": "foreign", "attribute": word.data["word"]}
    values |= {"object.type": "qmgr", "values": platforms, "other": other}
    key = "\x1f".join(("foreign", place.path, str(place.start.line), str(place.start.column)))
    return DerivedFact(_READERS, manager, manager.key.name, Statement(values, place, key=key))


def scope(command: Command) -> tuple[str, str]:
    """On z/OS, the copy of an object and the queue managers that a command is for."""
    words = (command.get(word) or "" for word in ("QSGDISP", "CMDSCOPE"))
    disposition, scope = (decode(word).strip().upper() for word in words)
    return disposition, scope


def only_type(found: MQObject) -> str | None:
    """The type that the one command that makes an object gives it; None if it is not known."""
    return found.manager.cached_for(_only_type, found) if found.type in DIVIDING else None


def _only_type(_: QueueManager, found: MQObject) -> str | None:
    kind = found.value(DIVIDING[found.type]) if is_made_once(found) else None
    return kind if isinstance(kind, str) else None


def is_made_once(found: MQObject) -> bool:
    layers = [*found.dump, *chain.from_iterable(found.chains)]
    certain = all(not layer.maybe for layer in layers)
    return certain and [layer.change for layer in layers].count(Change.MAKE) == 1


def line_of(place: Location) -> str:
    return f"line {place.start.line}"


def is_defined(found: MQObject) -> bool:
    """Whether an object is of a type that only DEFINE makes, and its name is known."""
    return found.type in MADE and found.is_named


def successive(found: MQObject) -> Iterator[tuple[Layer, Layer]]:
    """Yield each two commands of one text that follow each other and certainly run."""
    for layers in found.chains:
        for first, second in pairwise(layers):
            if not first.maybe and not second.maybe and first.origin is second.origin:
                yield first, second
