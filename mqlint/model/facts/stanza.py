"""Stanzas of ini files as facts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mqlint.finding import Location
from mqlint.model.core.fact import DerivedFact, FactType, Readers
from mqlint.model.core.key import Numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.ini.parser import Stanza


class _Source(NamedTuple):
    """A stanza; `alike` is the number of stanzas of its file that have its name."""

    stanza: Stanza
    origin: Origin
    alike: Value


StanzaFact = DerivedFact[_Source]


def _value(fact: StanzaFact, key: str) -> Value:
    """The value of a key in any case; absent when it is not written."""
    stanza = fact.source.stanza
    entry = stanza.get(key)
    if entry is None:
        return UNKNOWN if stanza.conditional else ABSENT
    return UNKNOWN if entry.templated else entry.value


def _place(fact: StanzaFact, key: str | None) -> Location:
    """The place of the key's value, else of the stanza's name."""
    stanza, origin, _ = fact.source
    entry = stanza.get(key) if key is not None else None
    return origin.location(stanza.span if entry is None else entry.value_span)


_READERS: Readers[_Source] = Readers(
    "stanza", place=_place, values={"alike": lambda fact: fact.source.alike}, other=_value
)


def stanzas(manager: QueueManager) -> tuple[StanzaFact, ...]:
    """Return the stanzas of the ini files of a queue manager, in order."""
    keys = Numbered()
    counts = Counter((origin.path, stanza.name.lower()) for stanza, origin in manager.stanzas)
    # A loop or branch of a template leaves open how many there will be.
    open_files = {origin.path for stanza, origin in manager.stanzas if stanza.conditional}

    def fact(stanza: Stanza, origin: Origin) -> StanzaFact:
        unknown, name = origin.path in open_files, stanza.name
        alike = UNKNOWN if unknown else str(counts[origin.path, name.lower()])
        source = _Source(stanza, origin, alike)
        return DerivedFact(_READERS, manager, name, source, keys.count(name))

    return tuple(fact(stanza, origin) for stanza, origin in manager.stanzas)


STANZA = FactType("stanza", stanzas, ("*",), lambda manager: bool(manager.stanzas))
"""One stanza of an ini file; its keys are its attributes."""
