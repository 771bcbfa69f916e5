"""Names that are written in lower case without quotes, and so are not what they look like.

A name stands behind an object's type, in an attribute that names an object (`XMITQ`, `TARGET`,
`PROCESS` ...), in the list of a namelist, or as the profile of an authority record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Secret, Shape, Templated, decode
from mqlint.language.mqsc.value import spans_of_items
from mqlint.model.core.key import Numbered, numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, Value
from mqlint.vocabulary import Kind, Vocabulary

NAME_KEYS = ("object", "attribute", "quoted")
"""What facts of the type `name` can be asked."""

_MORE = frozenset({"PROFILE", "NAMES"})
"""Attributes that hold names and are of no kind that says so."""


class NameFact:
    """A name in lower case without quotes, which is folded to upper case.

    `object` is the type of object that the command is about, `attribute` the attribute that holds
    the name (absent where it is the object's own), `quoted` whether the same name stands in quotes
    and keeps its lower case in some other place at the queue manager. `number` tells places of one
    name apart. There may be as many as a text has lines, so all else is worked out when asked for.
    """

    __slots__ = ("_attribute", "_command", "_origin", "_raw", "manager", "number")

    type = "name"

    def __init__(self, manager: QueueManager, place: _Place, number: int) -> None:
        """Take a place in which such a name stands."""
        self.manager = manager
        self.number = number
        self._command, self._origin, self._attribute, self._raw = place

    @property
    def name(self) -> str:
        """The name as it is folded."""
        return decode(self._raw)

    @property
    def key(self) -> str:
        """Its identity among the names of the queue manager."""
        return numbered(self.name, self.number)

    def value(self, attribute: str) -> Value:
        """Return one of `NAME_KEYS`."""
        if attribute == "object":
            return (self._command.noun or "").lower()
        if attribute == "attribute":
            return self._attribute or ABSENT
        if attribute == "quoted":
            return "true" if self.name in self.manager.once(_kept_names) else "false"
        return ABSENT

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the name."""
        command, word = self._command, self._attribute
        span = command.span_of_name()
        if word is not None:
            index = command.shape.words.index(word)
            span = command.span_of_item(index, self.name) or command.span_of_value(index)
        return self._origin.location(span)


class _Place(NamedTuple):
    """A name as written; `attribute` is None for the object's own."""

    command: Command
    origin: Origin
    attribute: str | None
    raw: str


def names(manager: QueueManager) -> tuple[NameFact, ...]:
    """Return the names that are folded, in every place where one is written."""
    keys = Numbered()
    return tuple(
        NameFact(manager, place, keys.count(decode(place.raw)))
        for place in _places(manager, quoted=False)
        if place.raw != place.raw.upper()
    )


def _kept_names(manager: QueueManager) -> frozenset[str]:
    """The names in quotes that have lower case, as they would be without the quotes."""
    kept = (decode(place.raw) for place in _places(manager, quoted=True))
    return frozenset(name.upper() for name in kept if name != name.upper())


def _places(manager: QueueManager, quoted: bool) -> Iterator[_Place]:
    """The names in quotes or those without, less those that a template stands for."""
    vocabulary = manager.vocabulary
    for commands, origin in _texts(manager):
        for command in commands:
            values = command.values
            for attribute, slot in _slots(command.form.shape, vocabulary):
                raw = values[slot]
                if ("'" in raw) is quoted and not isinstance(raw, Secret | Templated):
                    for start, end in spans_of_items(raw):
                        yield _Place(command, origin, attribute, raw[start:end])


def _texts(manager: QueueManager) -> Iterator[tuple[Sequence[Command], Origin]]:
    """The commands of the queue manager's files: no objects need be built for that."""
    for document in manager.documents:
        if document.origin.observed:
            yield document.commands, document.origin
    texts = {id(text.commands): text for script in manager.scripts for text in script.texts}
    for text in texts.values():
        yield text.commands, text.origin


def _slots(shape: Shape, vocabulary: Vocabulary) -> tuple[tuple[str | None, int], ...]:
    """Which values of commands of one shape are names; worked out once a shape."""
    known = shape.cache.get("names")
    if known is None:
        known = shape.cache["names"] = tuple(_name_slots(shape, vocabulary))
    return known  # type: ignore[return-value]


def _name_slots(shape: Shape, vocabulary: Vocabulary) -> Iterator[tuple[str | None, int]]:
    if shape.name_slot >= 0:
        yield None, shape.name_slot
    spec = vocabulary.command(shape.verb, shape.noun) if shape.verb else None
    for word, slot in zip(shape.words, shape.slots, strict=True):
        found = spec.attribute(word) if spec is not None and slot >= 0 else None
        if found is not None and (found.domain.kind is Kind.NAME or found.name in _MORE):
            yield word, slot
