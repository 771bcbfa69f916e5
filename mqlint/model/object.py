"""An MQ object as the commands leave it: layers of what each command said about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.action import Action, subtype_word
from mqlint.model.origin import Origin
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.syntax.mqsc import Command, Secret, Templated, decode, items

if TYPE_CHECKING:
    from mqlint.model.queue_manager import QueueManager


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """What one command said about one object.

    `base` is True when it says everything: what it leaves out has the default.
    """

    command: Command
    action: Action
    origin: Origin
    base: bool

    @property
    def maybe(self) -> bool:
        """Whether a branch or a template decides if the command runs."""
        return self.command.maybe or self.origin.maybe


class MQObject:
    """One object, record or queue manager.

    `chains` holds its layers, one chain for each script whose order against the others is not
    known; `dump` is the chain a dump contributed, which comes before all of them. A fact that
    two chains say differently is unknown.
    """

    __slots__ = ("chains", "dump", "exists", "key", "manager", "name", "type")

    def __init__(self, manager: QueueManager, object_type: str, name: str, key: str) -> None:
        """Make an object without layers; `key` is its identity within its type."""
        self.manager = manager
        self.type = object_type
        self.name = name
        self.key = key
        self.dump: list[Layer] = []
        self.chains: dict[Origin, list[Layer]] = {}
        self.exists: bool | None = True

    @property
    def named(self) -> bool:
        """Whether the name is known: a template may stand in it."""
        return not isinstance(self.name, Templated)

    @property
    def subtype(self) -> str | None:
        """The channel, authentication or record type, None when there is none or unknown."""
        word = subtype_word(self.type)
        if word is None:
            return None
        found = self._written(word)
        return found if isinstance(found, str) else None

    def value(self, attribute: str) -> Value:
        """Return the value of `attribute` (upper case) after all commands."""
        found = self._written(attribute)
        if found is not None:
            return found
        return self._unwritten(attribute)

    def secret(self, attribute: str) -> Secret | None:
        """Return the mask of a secret attribute that is written and not blank."""
        for layer in self._layers():
            raw = layer.command.get(attribute)
            if isinstance(raw, Secret):
                return raw
        return None

    def where(self, attribute: str | None = None) -> Location:
        """Return the place that says `attribute`, else the name in the last command."""
        for layer in self._layers():
            index = layer.action.words.get(attribute) if attribute is not None else None
            if index is not None:
                return layer.origin.location(layer.command.span_of_attribute(index))
            fact = layer.command.span_of_fact(attribute) if attribute is not None else None
            if fact is not None:
                return layer.origin.location(fact)
        layer = next(self._layers())
        return layer.origin.location(layer.command.span_of_name())

    def where_item(self, attribute: str, item: str) -> Location:
        """Return the place of one element of a list that is written, else that of the list."""
        for layer in self._layers():
            index = layer.action.words.get(attribute)
            span = layer.command.span_of_item(index, item) if index is not None else None
            if span is not None:
                return layer.origin.location(span)
        return self.where(attribute)

    def written(self) -> dict[str, str]:
        """Return the attributes that commands write out and whose values are known."""
        words = {word for layer in self._layers() for word in layer.action.words}
        values = ((word, self._written(word)) for word in sorted(words))
        return {word: value for word, value in values if isinstance(value, str)}

    def _layers(self) -> Iterator[Layer]:
        """All layers, the latest first."""
        for chain in reversed(self.chains.values()):
            yield from reversed(chain)
        yield from reversed(self.dump)

    def _written(self, attribute: str) -> Value | None:
        """What the commands say; None when none of them says it."""
        said: Value | None = None
        for chain in self.chains.values():
            found = self._said(chain, attribute)
            if found is None:
                continue
            if said is not None and said != found:
                return UNKNOWN
            said = found
        if said is None and self.dump:
            said = self._said(self.dump, attribute)
        return said

    def _said(self, chain: list[Layer], attribute: str) -> Value | None:
        """What one chain says: written out, or left to the default by a base layer."""
        for layer in reversed(chain):
            words = layer.action.words
            index = words.get(attribute)
            if index is not None:
                return _value(layer, index, attribute)
            fact = layer.command.fact(attribute)
            if fact is not None:
                return fact
            if layer.command.form.shape.open:
                return UNKNOWN
            if layer.base:
                return self._default(layer, attribute)
        return None

    def _unwritten(self, attribute: str) -> Value:
        """An attribute no command says anything about."""
        return UNKNOWN if self.manager.has(self.type, self.subtype, attribute) else ABSENT

    def _default(self, layer: Layer, attribute: str) -> Value:
        """What a DEFINE leaves out: LIKE, else the default object, else the product's value."""
        manager = self.manager
        subtype = self.subtype if attribute != subtype_word(self.type) else None
        like = layer.command.get("LIKE")
        if like is not None:
            model = manager.find(self.type, decode(like), subtype)
            return UNKNOWN if model is None else manager.ask(model, attribute)
        if layer.origin.observed and manager.dump_says_all:
            return self._unwritten(attribute)
        model = manager.default_object(self.type, subtype)
        if model is not None and model is not self:
            found = manager.ask(model, attribute)
            if found is not UNKNOWN:
                return found
        return manager.default(self.type, subtype, attribute)


def _value(layer: Layer, index: int, attribute: str) -> Value:
    """The value a layer writes out; unknown when a template stands in it or may skip it."""
    if layer.maybe:
        return UNKNOWN
    shape = layer.command.form.shape
    slot = shape.slots[index]
    if slot < 0:
        return "NO" if shape.words[index] == "NO" + attribute else "YES"
    raw = layer.command.values[slot]
    if isinstance(raw, Templated):
        return UNKNOWN
    parts = tuple(items(raw)) if "'" in raw else ()
    return parts if len(parts) > 1 else decode(raw)
