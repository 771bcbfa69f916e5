"""Status as facts: what DISPLAY CLUSQMGR and DISPLAY CHSTATUS showed in a session of runmqsc."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.model.core.key import Numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value

STATUS_TYPES: Final = ("clusqmgr", "chstatus")
"""The types of status; their attributes are those that DISPLAY can be asked for."""

Finder = Callable[[QueueManager], tuple["StatusFact", ...]]


class StatusFact:
    """What was shown of one channel that runs, or of one queue manager of a cluster.

    Its attributes are those of the reply; what the reply leaves out is not known.
    """

    def __init__(
        self, manager: QueueManager, command: Command, origin: Origin, object_type: str, key: str
    ) -> None:
        """`key` tells several that have one name apart, as a cluster may show one twice."""
        self.manager = manager
        self.type = object_type
        self.name = command.name or ""
        self.key = key
        self._command = command
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return what was shown for an attribute (upper case); a word alone counts as YES.

        `document` is the file that shows it.
        """
        if attribute == "document":
            return self._origin.path
        shape = self._command.shape
        if attribute not in shape.words:
            return UNKNOWN
        raw = self._command.get(attribute)
        if raw is None:
            return "YES"
        return UNKNOWN if isinstance(raw, Templated) else decode(raw)

    def where(self, attribute: str | None = None) -> Location:
        """Return the place that shows an attribute, else the name."""
        command = self._command
        words = command.shape.words
        if attribute is not None and attribute in words:
            return self._origin.location(command.span_of_attribute(words.index(attribute)))
        return self._origin.location(command.span_of_name())


def shown(noun: str) -> Finder:
    """Return the function that finds what DISPLAY `noun` showed."""

    def find(manager: QueueManager) -> tuple[StatusFact, ...]:
        return tuple(_rows(manager, noun))

    return find


def _rows(manager: QueueManager, noun: str) -> Iterator[StatusFact]:
    keys = Numbered()
    for command, origin in manager.events:
        if origin.shown and command.noun == noun:
            key = keys.of(command.name or "")
            yield StatusFact(manager, command, origin, noun.lower(), key)


def never(_: QueueManager) -> bool:
    """Status is never whole: what runs changes, and what one may not see is left out."""
    return False
