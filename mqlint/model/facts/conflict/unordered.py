"""Files whose order is not known, and that describe one object differently."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.conflict.contradiction import ConflictFact, conflict


def unordered(found: MQObject) -> Iterator[ConflictFact]:
    """Different statements of files whose order is not known."""
    chains = found.chains
    if len(chains) < 2 or isinstance(found.name, Templated):
        return
    if {chain.state(None) for chain in chains} >= {True, False}:
        files = tuple(sorted({chain[-1].origin.path for chain in chains}))
        last = [chain[-1] for chain in chains]
        beside = [(layer.name_place(), f"{layer.command.verb} {found.name}") for layer in last]
        yield conflict(found, "existence", found.where(), beside, files=files)
    words = {word for chain in chains for layer in chain for word in layer.action.attributes}
    for word in sorted(words):
        yield from _values(found, word)


def _values(found: MQObject, attribute: str) -> Iterator[ConflictFact]:
    if found.manager.vocabulary.is_secret(attribute) or found.secret(attribute) is not None:
        return
    by_order = dict(found.script_values(attribute))
    values = {value for value in by_order.values() if value is not UNKNOWN and value is not ABSENT}
    if len(values) > 1:
        yield conflict(
            found,
            "value",
            found.where(attribute),
            _places_of(found, attribute),
            attribute=attribute,
            values=tuple(sorted({_text(value) for value in values})),
            files=tuple(sorted(order.path for order in by_order)),
        )


def _places_of(found: MQObject, attribute: str) -> Iterator[tuple[Location, str]]:
    """Yield the place and the value of an attribute in each order of scripts."""
    for layers in found.chains:
        for layer in reversed(layers):
            span, value = layer.span_of(attribute), layer.value(attribute)
            if span is not None and value is not None:
                yield layer.origin.location(span), f"{attribute}({_text(value)})"
                break


def _text(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
