"""Objects by name and type, for what refers to an object of whatever type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from mqlint.language.mqsc import Templated
from mqlint.model.core.fact import Readers, derived_type
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.facts.queue_manager.qmgr import QueueManagerFact, qmgrs

_TYPES = (
    *("qlocal", "qalias", "qremote", "qmodel", "channel", "namelist", "process", "topic", "sub"),
    *("listener", "service", "authinfo", "comminfo", "cfstruct", "stgclass"),
)

_Named = MQObject | QueueManagerFact

_READERS: Readers[_Named] = Readers(
    "definition",
    place=lambda fact, attribute: fact.source.where(attribute),
    values={
        "kinds": lambda fact: (
            (fact.source.type, "queue")
            if isinstance(fact.source, MQObject) and fact.source.is_a("queue")
            else fact.source.type
        )
    },
    key=lambda fact: f"{fact.source.type}\x1f{fact.source.key}",
)


def _definitions(manager: QueueManager) -> Iterator[tuple[str, _Named]]:
    """Return the objects of a queue manager that have a known name, and itself if it has one."""
    own = () if manager.key.anonymous else qmgrs(manager)
    found: Iterable[_Named] = chain(own, *map(manager.objects, _TYPES))
    return ((each.name, each) for each in found if not isinstance(each.name, Templated))


DEFINITION = derived_type(_READERS, _definitions)
"""An object of any type that has a name, or a queue manager."""
