"""What the files of one queue manager say that cannot hold together."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Location
from mqlint.language.mqsc import Templated, decode
from mqlint.model.core.action import Effect
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value


class ConflictFact:
    """One contradiction about an object.

    `state` is `value` (files whose order is not known set one attribute to different values),
    `existence` (one of them makes the object, another takes it away), `type` (the name is taken
    by an object of another type, so the command fails), `again` (the scripts define it already, and
    this DEFINE has no REPLACE, so it fails), `like-missing` (LIKE names an object that
    does not exist), `like-itself`, or `like-later` (LIKE names an object that the same script
    makes further down). `object.type` is the type of the object, `attribute` the attribute,
    `values` what is said of it, `other` the other object or its type, `files` where.
    """

    type = "conflict"

    def __init__(
        self, found: MQObject, state: str, place: Location, **values: str | tuple[str, ...]
    ) -> None:
        """`place` is the command or attribute to look at."""
        self.manager = found.manager
        self.name = found.name
        self.key = "\x1f".join((found.type, found.key, state, str(values.get("attribute", ""))))
        self._place = place
        self._values: dict[str, str | tuple[str, ...]] = {
            "object.type": found.type,
            "state": state,
            **values,
        }

    def value(self, attribute: str) -> Value:
        """Return one of its values; absent where a state has no such value."""
        return self._values.get(attribute, ABSENT)

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the command or attribute."""
        return self._place


def conflicts(manager: QueueManager) -> tuple[ConflictFact, ...]:
    """Return what contradicts itself in the files of a queue manager."""
    found = [_clash(*clash) for clash in manager.clashes]
    found += [
        conflict_fact for repeat in manager.repeats.items() for conflict_fact in _again(*repeat)
    ]
    found += [conflict_fact for like in manager.likes for conflict_fact in _like(*like)]
    if len(manager.orders) > 1:
        found += [
            conflict_fact for each in manager.all_objects() for conflict_fact in _unordered(each)
        ]
    return tuple({one.key: one for one in reversed(found)}.values())[::-1]


def _clash(layer: Layer, found: MQObject) -> ConflictFact:
    place = layer.origin.location(layer.command.span_of_name())
    return ConflictFact(found, "type", place, other=layer.action.type)


def _again(found: MQObject, layer: Layer) -> Iterator[ConflictFact]:
    """The DEFINE that fails as an earlier one made the object."""
    if layer.action.effect is not Effect.DEFINE or layer.maybe or layer.origin.observed:
        return
    first, place = _made(found, layer), layer.origin.location(layer.command.span_of_name())
    here = f"{first.path}:" if first.path != place.path else "line "
    yield ConflictFact(found, "again", place, other=f"{here}{first.start.line}")


def _made(found: MQObject, before: Layer) -> Location:
    """The command that made the object before `before` did; what is said later may be an ALTER."""
    for chain in found.chains:
        for layer in reversed(chain):
            if layer.number < before.number and layer.change is Change.MAKE:
                return layer.origin.location(layer.command.span_of_name())
    return found.where()


def _like(layer: Layer, found: MQObject) -> Iterator[ConflictFact]:
    """What is wrong with the object that another is made like."""
    raw = layer.command.get("LIKE")
    if raw is None or isinstance(raw, Templated) or isinstance(found.name, Templated):
        return
    name, place = decode(raw), layer.origin.location(_span(layer))
    model = found.manager.find(found.type, name, found.subtype)
    if model is found and not found.dump:
        yield ConflictFact(found, "like-itself", place, other=name)
    elif model is None and found.manager.exists(found.type, name) is False:
        yield ConflictFact(found, "like-missing", place, other=name)
    elif model is not None and _is_later(model, layer):
        yield ConflictFact(found, "like-later", place, other=name)


def _span(layer: Layer) -> tuple[int, int]:
    return layer.span_of("LIKE") or layer.command.span_of_name()


def _is_later(model: MQObject, layer: Layer) -> bool:
    """Whether the first command about an object comes after `layer` in the only script it has."""
    chains = model.chains
    if model.dump or len(chains) != 1 or chains[0][0].order is not layer.order:
        return False
    return chains[0].makes and chains[0][0].number > layer.number and not layer.maybe


def _unordered(found: MQObject) -> Iterator[ConflictFact]:
    """What files say differently whose order is not known."""
    chains = found.chains
    if len(chains) < 2 or isinstance(found.name, Templated):
        return
    if {chain.state(None) for chain in chains} >= {True, False}:
        files = tuple(sorted({chain[-1].origin.path for chain in chains}))
        yield ConflictFact(found, "existence", found.where(), files=files)
    words = {word for chain in chains for layer in chain for word in layer.action.attributes}
    for word in sorted(words):
        yield from _values(found, word)


def _values(found: MQObject, attribute: str) -> Iterator[ConflictFact]:
    if found.manager.vocabulary.is_secret(attribute) or found.secret(attribute) is not None:
        return
    said = dict(found.script_values(attribute))
    values = {value for value in said.values() if value is not UNKNOWN and value is not ABSENT}
    if len(values) > 1:
        yield ConflictFact(
            found,
            "value",
            found.where(attribute),
            attribute=attribute,
            values=tuple(sorted({_text(value) for value in values})),
            files=tuple(sorted(order.path for order in said)),
        )


def _text(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
