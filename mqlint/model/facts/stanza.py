"""Stanzas of ini files as facts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.core.key import Numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.ini.parser import Stanza


class StanzaFact:
    """One stanza of an ini file; its keys are its attributes.

    `alike` is the number of stanzas of its file that have its name, itself among them.
    """

    type = "stanza"

    def __init__(
        self, manager: QueueManager, stanza: Stanza, origin: Origin, key: str, alike: Value
    ) -> None:
        """`key` tells stanzas of one name apart."""
        self.manager = manager
        self.name = stanza.name
        self.key = key
        self._stanza = stanza
        self._origin = origin
        self._alike = alike

    def value(self, attribute: str) -> Value:
        """Return the value of a key in any case; absent when it is not written."""
        if attribute == "alike":
            return self._alike
        entry = self._stanza.get(attribute)
        if entry is None:
            return UNKNOWN if self._stanza.conditional else ABSENT
        return UNKNOWN if entry.templated else entry.value

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the key's value, else of the stanza's name."""
        entry = self._stanza.get(attribute) if attribute is not None else None
        return self._origin.location(self._stanza.span if entry is None else entry.value_span)


def stanzas(manager: QueueManager) -> tuple[StanzaFact, ...]:
    """Return the stanzas of the ini files of a queue manager, in order."""
    keys = Numbered()
    found = manager.stanzas
    many = Counter((origin.path, one.name.lower()) for one, origin in found)
    open_files = {origin.path for one, origin in found if one.conditional}

    def alike(stanza: Stanza, origin: Origin) -> Value:
        """A loop or branch of a template leaves open how many there will be."""
        unknown = origin.path in open_files
        return UNKNOWN if unknown else str(many[origin.path, stanza.name.lower()])

    return tuple(
        StanzaFact(manager, one, origin, keys.of(one.name), alike(one, origin))
        for one, origin in found
    )


def has_stanzas(manager: QueueManager) -> bool:
    """Whether its ini files are here: then a stanza that is not is nowhere."""
    return bool(manager.stanzas)
