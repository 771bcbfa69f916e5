"""An MQ object as commands leave it: the layers of its commands, and the values they give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from mqlint.language.mqsc import decode
from mqlint.model.core.action import QUEUE_TYPES, subtype_word
from mqlint.model.core.layer import (
    LISTS,
    MANY_LAYERS,
    Chain,
    Change,
    Layer,
    in_force,
    is_list,
    list_after,
    only_joins,
    value_of,
)
from mqlint.model.core.layered import PENDING, Layered
from mqlint.model.core.origin import Origin
from mqlint.model.core.shipped import can_have, default_object_name, product_default
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.source.memo import Memo
from mqlint.vocabulary import Target, Vocabulary

_MOST_DOUBTFUL = 16
"""Commands that may have no effect, after which a value is unknown: others are made like it."""

_SOURCES: Memo[tuple[object, ...], object] = Memo()
"""A source for each set of inputs of defaults: it is hashed as fast as its identity."""

_MAKING = (Change.MAKE, Change.JOIN)
"""Changes after which the object exists."""


class Owner(Protocol):
    """What an object asks of its queue manager: what commands leave out comes from there."""

    vocabulary: Vocabulary
    target: Target
    dump_says_all: bool
    default_sources: dict[tuple[object, ...], object]

    @property
    def is_asking(self) -> bool:
        """Whether the value of an object is being worked out that others are made like."""

    def created_with(self, attribute: str) -> Value:
        """The value of an attribute of the queue manager when it was created."""

    def find(self, object_type: str, name: str, subtype: str | None = None) -> LayeredObject | None:
        """The object of this name."""

    def defaults(self, source: object) -> dict[str, Value]:
        """The defaults that are known of objects of one source; to be added to."""

    def ask(self, model: LayeredObject, attribute: str, before: Layer) -> Value | None:
        """The value that commands before `before` write for an object that others are made like."""


class LayeredObject(Layered):
    """One object and its values; `MQObject` adds what depends on its queue manager.

    An attribute to which two chains give different values is unknown.
    """

    __slots__ = ("manager",)

    def __init__(self, manager: Owner, object_type: str, name: str, key: str) -> None:
        """Make an object without layers; `key` is its identity within its type."""
        super().__init__(object_type, name, key)
        self.manager = manager

    @property
    def exists(self) -> bool | None:
        """Whether it exists after all commands; None when the text does not decide it."""
        exists = self._exists
        if exists is PENDING:
            exists = self._exists = self._existence()
        return exists

    def _existence(self) -> bool | None:
        layer = self._chains
        if isinstance(layer, Layer) and layer.change in _MAKING and not (layer.maybe or self.dump):
            return True
        before = self.dump.state(None)
        chains = self.chains
        if not chains:
            return before
        after = {chain.state(before) for chain in chains if chain.settles} or {before}
        if len(after) > 1 or None in after:
            return None
        return after == {True} and not self._is_emptied()

    def _is_emptied(self) -> bool:
        """Whether the last entry of a list was removed, and with it the record."""
        if self.type != "chlauth" or not any(chain.alters for chain in self.chains):
            return False
        return not (self._list_value("USERLIST") or self._list_value("ADDRLIST"))

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
            value = self.written_value(word)
        else:  # the shortest way, as every channel is asked for it many times
            value = value_of(layer.command.values[slot])
        return value if isinstance(value, str) else None

    # -- values -----------------------------------------------------------------------------

    def value(self, attribute: str) -> Value:
        """Return the value of `attribute` (upper case) after all commands."""
        layer = self._sole
        if layer is PENDING:
            layer = self.sole_layer()
        if layer is not None:
            slot = layer.action.slots.get(attribute)
            if slot is not None:
                raw = layer.command.values[slot]
                # A template or a secret is a text of another type.
                if type(raw) is str and not (attribute in LISTS and is_list(self.type, attribute)):
                    return value_of(raw)
                return self._full_value(attribute)
            if attribute in layer.action.words or attribute in layer.command.form.facts:
                return self._full_value(attribute)
        memo = self._memo
        if memo is PENDING:
            memo = self._memo = self._new_memo()
        if memo is None or (layer is None and self.manager.is_asking):
            return self._full_value(attribute)
        if attribute not in memo:
            memo[attribute] = self._full_value(attribute)
        return memo[attribute]

    def _new_memo(self) -> dict[str, Value] | None:
        """The cache of values: of all objects with the same defaults, or for a long chain."""
        if self.sole_layer() is not None:
            source = self.default_source()
            return None if source is None else self.manager.defaults(source)
        return {} if any(len(chain) > MANY_LAYERS for chain in (self.dump, *self.chains)) else None

    def _full_value(self, attribute: str) -> Value:
        value = self.written_value(attribute)
        return self._omitted_value(attribute, self.subtype) if value is None else value

    def written_value(self, attribute: str, before: Layer | None = None) -> Value | None:
        """Return the value that commands give; None if none does.

        `before` is a layer of another object: later layers of its chain are ignored.
        """
        if is_list(self.type, attribute):
            return self._list_value(attribute)
        values = [
            (chain.makes, *chain_value)
            for chain in self.chains
            if (chain_value := self._chain_value(chain, attribute, before))
        ]
        if not values:
            return self.dump_value(attribute)
        written = {value for _, value, explicit in values if explicit}
        # A default is what DEFINE gives; an ALTER elsewhere, which needs the object, comes later.
        if not written or any(explicit and makes for makes, _, explicit in values):
            written |= {value for _, value, explicit in values if not explicit}
        return written.pop() if len(written) == 1 else UNKNOWN

    def supposed_value(self, attribute: str) -> Value:
        """Return the value that the last command gives if it runs; unknown without one."""
        layers = self.layers
        if not layers:
            return UNKNOWN
        layer = replace(layers[-1], maybe=False)
        value = layer.value(attribute)
        return self._default_value(layer, attribute) if value is None else value

    def dump_value(self, attribute: str) -> Value | None:
        if is_list(self.type, attribute):
            return list_after(self.dump, attribute, ()) if self.dump else None
        chain_value = self._chain_value(self.dump, attribute)
        return chain_value[0] if chain_value is not None else None

    def value_before_deletion(self, attribute: str) -> Value | None:
        """Return the value that commands gave before one deleted the object, None if none did."""
        for chain in (*self.chains, self.dump):
            last = len(chain)
            while last and chain[last - 1].change is Change.REMOVE:
                last -= 1
            values = (layer.value(attribute) for layer in in_force(chain[:last]))
            found = next((value for value in values if value is not None), None)
            if found is not None:
                return found
        return None

    def script_values(self, attribute: str) -> Iterator[tuple[Origin, Value]]:
        """Yield the values that scripts write out for an attribute, one for each known order."""
        if is_list(self.type, attribute):
            return
        for chain in self.chains:
            chain_value = self._chain_value(chain, attribute)
            if chain_value is not None and chain_value[1]:
                yield chain[0].order, chain_value[0]

    def _chain_value(
        self, chain: Chain, attribute: str, before: Layer | None = None
    ) -> tuple[Value, bool] | None:
        """The value one chain gives, and whether it is written out rather than a default."""
        values: set[Value] = set()
        doubtful = 0
        for layer in chain.deciding(attribute, before):
            doubtful += layer.maybe
            if doubtful > _MOST_DOUBTFUL:
                return UNKNOWN, True
            value = layer.value(attribute)
            is_written = value is not None
            if value is None:
                if layer.change is not Change.MAKE:
                    continue
                value = self._default_value(layer, attribute)
            values.add(value)
            if is_written or not layer.maybe:
                return (value if len(values) == 1 else UNKNOWN), is_written
        return (values.pop() if len(values) == 1 else UNKNOWN, False) if values else None

    def _list_value(self, attribute: str) -> Value | None:
        """A list to which commands add and from which they take; unknown if their order matters."""
        start = list_after(self.dump, attribute, ())
        chains = self.chains
        if not chains:
            return start if self.dump else None
        ends = {
            UNKNOWN if start is UNKNOWN else list_after(chain, attribute, start) for chain in chains
        }
        if len(ends) == 1:
            return ends.pop()
        known = [end for end in ends if end is not UNKNOWN]
        if len(known) < len(ends) or not all(map(only_joins, chains)):
            return UNKNOWN
        return tuple(sorted({item for end in known for item in end}))

    def _omitted_value(self, attribute: str, subtype: str | None) -> Value:
        """The value of an attribute that no command mentions: a default object is as shipped."""
        vocabulary, target = self.manager.vocabulary, self.manager.target
        if not self.dump and self.type == "qmgr":
            return self.manager.created_with(attribute)
        if not self.dump and self.name == default_object_name(self.type, subtype):
            return product_default(vocabulary, target, self.type, subtype, attribute)
        return UNKNOWN if can_have(vocabulary, self.type, subtype, attribute) else ABSENT

    def _default_value(self, layer: Layer, attribute: str) -> Value:
        """The value a DEFINE omits: of LIKE, else of the default object, else of the product."""
        manager = self.manager
        subtype = self.subtype if attribute != subtype_word(self.type) else None
        # The disposition of the object that LIKE names is not copied (DEFINE queues, 9.2).
        like = None if attribute == "QSGDISP" else layer.command.get("LIKE")
        if like is not None and decode(like) != default_object_name(self.type, subtype):
            model = manager.find(self.type, decode(like), subtype)
            value = None if model is None else manager.ask(model, attribute, layer)
            return UNKNOWN if value is None else value
        if self._is_shown_whole(layer):
            return self._omitted_value(attribute, subtype)
        model = self._default_object(subtype)
        if model is not None and model is not self:
            value = manager.ask(model, attribute, layer)
            if value is not None:
                return value
        target = manager.target.narrowed(layer.action.platforms)
        return product_default(manager.vocabulary, target, self.type, subtype, attribute)

    def _is_shown_whole(self, layer: Layer) -> bool:
        """Return whether attributes that the dump omits are unknown: it writes all it knows.

        SET CHLAUTH and SET POLICY in a dump make the whole record or policy again, with the
        defaults of what they omit.
        """
        makes_all = self.type in {"chlauth", "policy"}
        return layer.origin.observed and self.manager.dump_says_all and not makes_all

    def _default_object(self, subtype: str | None) -> LayeredObject | None:
        """The object from which DEFINE takes what it omits, if the files have it."""
        name = default_object_name(self.type, subtype)
        return None if name is None else self.manager.find(self.type, name, subtype)

    def default_source(self) -> object | None:
        """Return what stands for the inputs of an object's defaults, besides the attribute.

        Objects of one layer with the same source have equal defaults. None if they depend on
        another object: one that LIKE names, or a default object among the files.
        """
        source = self._source
        if source is PENDING:
            source = self._source = self._find_source()
        return source

    def _find_source(self) -> object | None:
        layer = self.sole_layer()
        if layer is None or "LIKE" in layer.action.words:
            return None
        subtype, is_whole = self.subtype, self._is_shown_whole(layer)
        known = self.manager.default_sources
        key = self.type, subtype, layer.action.platforms, is_whole
        if key not in known:
            known[key] = self._new_source(subtype, layer.action.platforms, is_whole=is_whole)
        return known[key]

    def _new_source(
        self, subtype: str | None, platforms: frozenset[str], *, is_whole: bool
    ) -> object | None:
        inputs: tuple[object, ...] = self.type, subtype
        if not is_whole:
            if self._default_object(subtype) is not None:
                return None
            inputs = *inputs, self.manager.target, platforms
        return _SOURCES.get(inputs) or _SOURCES.store(inputs, object())

    def written_values(self) -> dict[str, str]:
        """Return the attributes that commands write and whose values are known.

        Words that only control a command (REPLACE, LIKE, ACTION) are not attributes.
        """
        words = {word for layer in self._layers() for word in layer.action.attributes}
        # What the only command writes is the value, which is read the shortest way.
        read = self.written_value if self.sole_layer() is None else self.value
        values = ((word, read(word)) for word in sorted(words))
        return {word: value for word, value in values if isinstance(value, str)}
