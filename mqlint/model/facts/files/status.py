"""Status as facts: what DISPLAY CLUSQMGR and DISPLAY CHSTATUS showed in a session of runmqsc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.model.core.fact import DerivedFact, FactType, Readers, derived_type, never
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value


class _Row(NamedTuple):
    """One reply of DISPLAY, for a channel that runs or a queue manager of a cluster."""

    command: Command
    origin: Origin


StatusFact = DerivedFact[_Row]


def _value(fact: StatusFact, attribute: str) -> Value:
    """The value that is shown for an attribute (upper case); a word alone counts as YES."""
    command = fact.source.command
    if attribute not in command.shape.words:
        return UNKNOWN
    raw = command.get(attribute)
    if raw is None:
        return "YES"
    return UNKNOWN if isinstance(raw, Templated) else decode(raw)


def _place(fact: StatusFact, attribute: str | None) -> Location:
    command, origin = fact.source
    words = command.shape.words
    if attribute is not None and attribute in words:
        return origin.location(command.span_of_attribute(words.index(attribute)))
    return origin.location(command.span_of_name())


def _status_type(noun: str, attributes: tuple[str, ...]) -> FactType:
    """Return the type of what DISPLAY `noun` showed; an attribute it omits is unknown.

    No reply is complete: what runs changes, and a user sees only what the user may display.
    """
    readers: Readers[_Row] = Readers(
        noun.lower(),
        place=_place,
        values={"document": lambda fact: fact.source.origin.path},
        other=_value,
    )

    def rows(manager: QueueManager) -> Iterator[tuple[str, _Row]]:
        return (
            (command.name or "", _Row(command, origin))
            for command, origin in manager.events
            if origin.shown and command.noun == noun
        )

    return derived_type(readers, rows, attributes, never)


CLUSQMGR: Final = _status_type("CLUSQMGR", ("document",))
"""A queue manager of a cluster; `document` is the file that shows it."""
CHSTATUS: Final = _status_type("CHSTATUS", ())
"""A channel that runs."""
STATUS_TYPES: Final = (CLUSQMGR.type, CHSTATUS.type)
"""The types of status; their attributes are those of DISPLAY."""
