"""Stanzas of ini files as facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from posixpath import dirname
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.model.core.fact import DerivedFact, Readers, derived_type
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag

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
    stanza, origin, _ = fact.source
    entry = stanza.get(key) if key is not None else None
    return origin.location(stanza.span if entry is None else entry.value_span)


_READERS: Readers[_Source] = Readers(
    "stanza",
    place=_place,
    values={
        "alike": lambda fact: fact.source.alike,
        "folder": lambda fact: dirname(fact.source.origin.path) or ".",
        "of_client": lambda fact: flag(fact.source.stanza.file == "mqclient.ini"),
    },
    other=_value,
)


def _stanzas(manager: QueueManager) -> Iterator[tuple[str, _Source]]:
    counts = Counter((origin.path, stanza.name.lower()) for stanza, origin in manager.stanzas)
    # A loop or branch of a template leaves open how many there will be.
    open_files = {origin.path for stanza, origin in manager.stanzas if stanza.conditional}

    def source(stanza: Stanza, origin: Origin) -> _Source:
        is_open = origin.path in open_files
        count = counts[origin.path, stanza.name.lower()]
        return _Source(stanza, origin, UNKNOWN if is_open else str(count))

    return ((stanza.name, source(stanza, origin)) for stanza, origin in manager.stanzas)


STANZA = derived_type(_READERS, _stanzas, ("*",), lambda manager: bool(manager.stanzas))
"""One stanza of an ini file; its keys are its attributes."""
