"""Objects by name and type, for what refers to an object of whatever type."""

from __future__ import annotations

from mqlint.language.mqsc import Templated
from mqlint.model.core.fact import DerivedFact, FactType, Readers
from mqlint.model.core.queue_manager import MQObject, QueueManager

_TYPES = (
    *("qlocal", "qalias", "qremote", "qmodel", "channel", "namelist", "process", "topic", "sub"),
    *("listener", "service", "authinfo", "comminfo", "cfstruct", "stgclass"),
)

_READERS: Readers[MQObject] = Readers(
    "definition",
    place=lambda fact, attribute: fact.source.where(attribute),
    values={
        "kinds": lambda fact: (
            (fact.source.type, "queue") if fact.source.is_a("queue") else fact.source.type
        )
    },
    key=lambda fact: f"{fact.source.type}\x1f{fact.source.key}",
)


def definitions(manager: QueueManager) -> tuple[DerivedFact[MQObject], ...]:
    """Return the objects of a queue manager that have a known name."""
    return tuple(
        DerivedFact(_READERS, manager, found.name, found)
        for object_type in _TYPES
        for found in manager.objects(object_type)
        if not isinstance(found.name, Templated)
    )


DEFINITION = FactType("definition", definitions, tuple(_READERS.values))
"""An object of any type that has a name; `kinds` are its type and, for a queue, `queue`."""
