"""The layers of an object: the commands about it, which of them count, and where they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from mqlint.finding import Location
from mqlint.language.mqsc import Secret, Templated
from mqlint.model.core.layer import Chain, Change, Layer, chain_of, in_force
from mqlint.model.core.origin import Origin
from mqlint.model.core.value import Value

_NO_LAYERS = Chain()
"""What an object has before its first layer, and the dump of most; no layer is added to it."""


class Pending(Enum):
    PENDING = "pending"


PENDING: Final = Pending.PENDING
"""Not computed since the last layer was added."""


class Layered:
    """The commands about one object, record or queue manager, and their places.

    `chains` holds its layers: one chain, never empty, for each script whose order against the
    others is not known. `dump` is the chain of a dump, which comes before all of them. There may be
    as many objects as a text has lines, most with one layer, so nothing is made before it is
    needed: a single layer is kept without its chain.
    """

    __slots__ = ("_chains", "_exists", "_memo", "_sole", "_source", "dump", "key", "name", "type")

    def __init__(self, object_type: str, name: str, key: str) -> None:
        """Make an object without layers; `key` is its identity within its type."""
        self.type = object_type
        self.name = name
        self.key = key
        self.dump = _NO_LAYERS
        self._chains: Layer | Chain | dict[Origin, Chain] = _NO_LAYERS
        self._exists: bool | Pending | None = None
        self._sole: Layer | Pending | None = PENDING
        self._memo: dict[str, Value] | Pending | None = PENDING
        self._source: object = PENDING

    @property
    def is_named(self) -> bool:
        """Whether its name is known: no template decides it."""
        return not isinstance(self.name, Templated)

    def add(self, layer: Layer) -> bool:
        """Apply one more command; False if the queue manager would refuse it.

        DEFINE without REPLACE, and ADD of a mapping record, fail if the object exists.
        """
        if self._chains is _NO_LAYERS and not layer.origin.observed:
            self._chains = layer
            self._exists = self._sole = self._memo = self._source = PENDING
            return True
        chain = self._chain_of(layer)
        if layer.refused_if_there and chain.settles and not self._is_beside(chain, layer):
            there = chain.state(None)
            if there:
                return False
            layer = layer if there is False else layer.doubtful()
        chain.add(layer.after(chain))
        self._exists = self._sole = self._memo = self._source = PENDING
        return True

    @staticmethod
    def _is_beside(chain: Chain, layer: Layer) -> bool:
        """Whether a DEFINE has another QSGDISP than what exists, so that both are accepted.

        (IBM MQ documentation, DEFINE queues: a shared queue and a private one of a name; q081870_:
        a group object and its copy.)
        """
        made = next((before for before in reversed(chain) if before.change is Change.MAKE), layer)
        return made.disposition != layer.disposition

    @property
    def chains(self) -> Sequence[Chain]:
        """Its chains, without that of a dump."""
        chains = self._chains
        if isinstance(chains, Layer):
            return (chain_of(chains),)
        if isinstance(chains, Chain):
            return (chains,) if chains else ()
        return tuple(chains.values())

    @property
    def layers(self) -> Sequence[Layer]:
        chains = self._chains
        if isinstance(chains, Layer):
            return (chains,)
        if isinstance(chains, Chain):
            return chains
        return [layer for chain in chains.values() for layer in chain]

    @property
    def has_several_layers(self) -> bool:
        """Whether scripts name it more than once: commands about most objects are alone."""
        chains = self._chains
        return not isinstance(chains, Layer) and len(chains) > 1

    def _chain_of(self, layer: Layer) -> Chain:
        """The chain to which a layer belongs, made for its first layer."""
        if layer.origin.observed:
            if self.dump is _NO_LAYERS:
                self.dump = Chain()
            return self.dump
        chains = self._chains
        if isinstance(chains, Layer):
            chains = self._chains = chain_of(chains)
        if isinstance(chains, Chain):
            if chains[0].order is layer.order:
                return chains
            chains = self._chains = {chains[0].order: chains}
        return chains.get(layer.order) or chains.setdefault(layer.order, Chain())

    def sole_layer(self) -> Layer | None:
        """Return the one command that defines the object; None if several are in force."""
        layer = self._sole
        if layer is PENDING:
            layer = self._sole = self._only_layer()
        return layer

    def _only_layer(self) -> Layer | None:
        layer = self._chains
        if self.dump or not isinstance(layer, Layer):
            chains = [chain for chain in (self.dump, *self.chains) if chain]
            if len(chains) != 1 or len(chains[0]) != 1:
                return None
            ((layer,),) = chains
        if layer.maybe or layer.change is not Change.MAKE:
            return None
        return None if layer.command.form.shape.open else layer

    def _layers(self) -> Iterator[Layer]:
        """The layers that still count, the latest first."""
        if isinstance(self._chains, Layer):
            yield self._chains
        else:
            for chain in reversed(self.chains):
                yield from in_force(chain)
        if not any(layer.change is Change.MAKE for layer in self.layers):
            yield from in_force(self.dump)

    def writes(self, attribute: str) -> bool:
        """Return whether a command in force writes `attribute`, or may by a template."""
        return any(
            layer.command.form.shape.open or layer.span_of(attribute) is not None
            for layer in self._layers()
        )

    def last_written(self, attributes: Sequence[str]) -> str | None:
        """Return which of `attributes` the last command writes that writes any of them.

        Of several in one command it is the first of them; None if no command writes one.
        """
        for layer in self._layers():
            for attribute in attributes:
                if layer.span_of(attribute) is not None:
                    return attribute
        return None

    def secret(self, attribute: str) -> Secret | None:
        """Return the mask of a secret attribute that is written and not blank."""
        for layer in self._layers():
            raw = layer.command.get(attribute)
            if isinstance(raw, Secret):
                return raw
        return None

    def where(self, attribute: str | None = None) -> Location:
        """Return the place that gives `attribute`, else the name in the last command."""
        for layer in self._layers():
            span = layer.span_of(attribute) if attribute is not None else None
            if span is not None:
                return layer.origin.location(span)
        return next(self._layers()).name_place()

    def where_item(self, attribute: str, item: str) -> Location:
        """Return the place of one element of a list that is written, else that of the list."""
        for layer in self._layers():
            index = layer.action.words.get(attribute)
            span = layer.command.span_of_item(index, item) if index is not None else None
            if span is not None:
                return layer.origin.location(span)
        return self.where(attribute)
