"""An MQ object as the commands leave it: layers of what each command said about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from mqlint.finding import Location
from mqlint.language.mqsc import Secret, decode
from mqlint.model.core.action import QUEUE_TYPES, subtype_word
from mqlint.model.core.layer import (
    LISTS,
    Chain,
    Change,
    Layer,
    in_force,
    is_joined,
    joined,
    only_joins,
    value_of,
)
from mqlint.model.core.origin import Origin
from mqlint.model.core.shipped import can_have, default_object, default_source, default_value
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.model.core.queue_manager import QueueManager

_NOTHING = Chain()
"""What a dump says of most objects of scripts; no layer is added to it."""

_LONG = 8
"""What so many commands say of an object is worked out once: a script may alter it for ever."""


class MQObject:
    """One object, record or queue manager.

    `chains` holds its layers, one chain for each script whose order against the others is not
    known, none of them empty; `dump` is the chain a dump contributed, which comes before all of
    them. A fact that two chains say differently is unknown. There may be as many objects as a
    text has lines, most with one layer: so nothing is made for what may come.
    """

    __slots__ = (
        "_chains",
        "_defaults",
        "_exists",
        "_kept",
        "_settled",
        "_sole",
        "dump",
        "key",
        "manager",
        "name",
        "type",
    )

    def __init__(self, manager: QueueManager, object_type: str, name: str, key: str) -> None:
        """Make an object without layers; `key` is its identity within its type."""
        self.manager = manager
        self.type = object_type
        self.name = name
        self.key = key
        self.dump = _NOTHING
        self._chains: Chain | dict[Origin, Chain] | None = None
        self._exists: bool | None = None
        self._settled = True
        self._kept: dict[str, Value] | None = None
        self._sole: Layer | Literal[False] | None = False
        self._defaults: dict[str, Value] | Literal[False] | None = False

    def add(self, layer: Layer) -> bool:
        """Let one more command speak; False when the queue manager would refuse it.

        DEFINE without REPLACE, and ADD of a mapping record, fail on what is there already.
        """
        chain = self._chain_of(layer)
        if layer.refused_if_there and chain.settles:
            there = chain.state(None)
            if there:
                return False
            layer = layer if there is False else layer.doubtful()
        chain.add(layer)
        self._settled = False
        self._sole = self._defaults = False
        if len(chain) > _LONG:
            self._kept = {}
        return True

    @property
    def chains(self) -> Sequence[Chain]:
        """Its chains, less that of a dump."""
        found = self._chains
        if found is None:
            return ()
        return (found,) if isinstance(found, Chain) else tuple(found.values())

    def _chain_of(self, layer: Layer) -> Chain:
        """The chain in which a layer stands, made when it is the first."""
        if layer.origin.observed:
            if self.dump is _NOTHING:
                self.dump = Chain()
            return self.dump
        found = self._chains
        if found is None:
            found = self._chains = Chain()
        if isinstance(found, Chain):
            if not found or found[0].order is layer.order:
                return found
            found = self._chains = {found[0].order: found}
        return found.get(layer.order) or found.setdefault(layer.order, Chain())

    @property
    def exists(self) -> bool | None:
        """Whether it is there after all commands; None when the text does not settle it."""
        if not self._settled:
            self._exists = self._existence()
            self._settled = True
        return self._exists

    def _existence(self) -> bool | None:
        before = self.dump.state(None)
        chains = self.chains
        if not chains:
            return before
        after = {chain.state(before) for chain in chains if chain.settles} or {before}
        if len(after) > 1 or None in after:
            return None
        return after == {True} and not self._is_emptied()

    def _is_emptied(self) -> bool:
        """Whether the last entry of a list was taken out, and with it the record."""
        if self.type != "chlauth" or not any(chain.alters for chain in self.chains):
            return False
        return not (self._joined("USERLIST") or self._joined("ADDRLIST"))

    def is_a(self, object_type: str) -> bool:
        """Whether it is of this type, or of this family: `queue` is all four queue types."""
        mine = self.type
        return mine == object_type or (object_type == "queue" and mine in QUEUE_TYPES)

    @property
    def subtype(self) -> str | None:
        """The channel, authentication or record type, None when there is none or unknown."""
        word = subtype_word(self.type)
        if word is None:
            return None
        layer = self.sole_layer()
        slot = -1 if layer is None else layer.action.slots.get(word, -1)
        if layer is None or slot < 0 or type(layer.command.values[slot]) is not str:
            found = self.written_value(word)
        else:  # the shortest way, as it is asked of every channel again and again
            found = value_of(layer.command.values[slot])
        return found if isinstance(found, str) else None

    def value(self, attribute: str) -> Value:
        """Return the value of `attribute` (upper case) after all commands."""
        found = self._soon(attribute)
        if found is not None:
            return found
        kept = self._kept
        if kept is None or self.manager.is_asking:
            return self._value(attribute)
        if attribute not in kept:
            kept[attribute] = self._value(attribute)
        return kept[attribute]

    def _soon(self, attribute: str) -> Value | None:
        """The value by the shortest way: most objects are made by one command; else None."""
        layer = self._sole
        if layer is False:
            layer = self.sole_layer()
        if layer is None:
            return None
        slot = layer.action.slots.get(attribute)
        if slot is not None:
            raw = layer.command.values[slot]
            # A template or a secret is a text of another type.
            if type(raw) is not str or (attribute in LISTS and is_joined(self.type, attribute)):
                return None
            return value_of(raw)
        if attribute in layer.action.words or attribute in layer.command.form.facts:
            return None
        defaults = self._defaults
        if defaults is False:
            source = default_source(self)
            defaults = None if source is None else self.manager.defaults(source)
            self._defaults = defaults
        if defaults is None:
            return None
        if attribute not in defaults:
            defaults[attribute] = self._value(attribute)
        return defaults[attribute]

    def _value(self, attribute: str) -> Value:
        found = self.written_value(attribute)
        return self._unwritten(attribute, self.subtype) if found is None else found

    def sole_layer(self) -> Layer | None:
        """Return the one command that says everything of the object, None if it takes more."""
        if self._sole is False:
            self._sole = self._only_layer()
        return self._sole

    def _only_layer(self) -> Layer | None:
        layers, chains = self.dump, self.chains
        if chains:
            if layers or len(chains) > 1:
                return None
            (layers,) = chains
        if len(layers) != 1 or layers[0].maybe or layers[0].change is not Change.MAKE:
            return None
        return None if layers[0].command.form.shape.open else layers[0]

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
            span = layer.span_of(attribute) if attribute is not None else None
            if span is not None:
                return layer.origin.location(span)
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
        """Return the attributes that commands write out and whose values are known.

        What only tells a command how to go about it (REPLACE, LIKE, ACTION) is no attribute.
        """
        words = {word for layer in self._layers() for word in layer.action.attributes}
        values = ((word, self.written_value(word)) for word in sorted(words))
        return {word: value for word, value in values if isinstance(value, str)}

    def _layers(self) -> Iterator[Layer]:
        """The layers that still count, the latest first."""
        for chain in reversed(self.chains):
            yield from in_force(chain)
        if not any(chain.makes for chain in self.chains):
            yield from in_force(self.dump)

    def observed_value(self, attribute: str) -> Value | None:
        """Return what the dump alone says; None when it does not say it."""
        if is_joined(self.type, attribute):
            return joined(self.dump, attribute, ()) if self.dump else None
        found = self._said(self.dump, attribute)
        return found[0] if found is not None else None

    def said_by_order(self, attribute: str) -> Iterator[tuple[Origin, Value]]:
        """Yield what scripts write out for an attribute, one value for each known order."""
        if is_joined(self.type, attribute):
            return
        for chain in self.chains:
            found = self._said(chain, attribute)
            if found is not None and found[1]:
                yield chain[0].order, found[0]

    def written_value(self, attribute: str, before: Layer | None = None) -> Value | None:
        """Return what the commands say; None when none of them says it.

        `before` is a layer of another object: what comes after it in its own chain is left out.
        """
        if is_joined(self.type, attribute):
            return self._joined(attribute)
        said = [
            (chain, *found)
            for chain in self.chains
            if (found := self._said(chain.until(before), attribute))
        ]
        if not said:
            found = self._said(self.dump, attribute)
            return found[0] if found is not None else None
        written = {value for _, value, explicit in said if explicit}
        # A default is what DEFINE gives; an ALTER elsewhere, which needs the object, comes later.
        if not written or any(explicit and chain.makes for chain, _, explicit in said):
            written |= {value for _, value, explicit in said if not explicit}
        return written.pop() if len(written) == 1 else UNKNOWN

    def _said(self, chain: Sequence[Layer], attribute: str) -> tuple[Value, bool] | None:
        """What one chain says, and whether it is written out rather than left to a default."""
        doubts: list[Value] = []
        for layer in in_force(chain):
            found = layer.written(attribute)
            if found is not None:
                return (found if all(doubt == found for doubt in doubts) else UNKNOWN), True
            if layer.change is not Change.MAKE:
                continue
            default = self._default(layer, attribute)
            if not layer.maybe:
                return (default if all(doubt == default for doubt in doubts) else UNKNOWN), False
            doubts.append(default)
        return (doubts[0] if len(set(doubts)) == 1 else UNKNOWN, False) if doubts else None

    def _joined(self, attribute: str) -> Value | None:
        """A list to which commands add and from which they take; unknown if their order matters."""
        start = joined(self.dump, attribute, ())
        chains = self.chains
        if not chains:
            return start if self.dump else None
        ends = {
            UNKNOWN if start is UNKNOWN else joined(chain, attribute, start) for chain in chains
        }
        if len(ends) == 1:
            return ends.pop()
        known = [end for end in ends if end is not UNKNOWN]
        if len(known) < len(ends) or not all(map(only_joins, chains)):
            return UNKNOWN
        return tuple(sorted({one for end in known for one in end}))

    def _unwritten(self, attribute: str, subtype: str | None) -> Value:
        """An attribute no command says anything about."""
        return UNKNOWN if can_have(self.manager, self.type, subtype, attribute) else ABSENT

    def _default(self, layer: Layer, attribute: str) -> Value:
        """What a DEFINE leaves out: LIKE, else the default object, else the product's value."""
        manager = self.manager
        subtype = self.subtype if attribute != subtype_word(self.type) else None
        like = layer.command.get("LIKE")
        if like is not None:
            model = manager.find(self.type, decode(like), subtype)
            found = None if model is None else manager.ask(model, attribute, layer)
            return UNKNOWN if found is None else found
        if layer.origin.observed and manager.dump_says_all:
            return self._unwritten(attribute, subtype)
        model = default_object(manager, self.type, subtype)
        if model is not None and model is not self:
            found = manager.ask(model, attribute, layer)
            if found is not None and found is not UNKNOWN:
                return found
        return default_value(manager, self.type, subtype, attribute)
