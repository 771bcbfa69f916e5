"""Several commands of one script that define or alter one object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from mqlint.finding import Location
from mqlint.language.mqsc import decode
from mqlint.model.core.action import Effect
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import shipped_subtype
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.conflict.contradiction import (
    DIVIDING,
    ConflictFact,
    conflict,
    is_defined,
    successive,
)
from mqlint.model.facts.security.grant import have_a_command_each

_SENDING, _RECEIVING = frozenset({"SDR", "SVR"}), frozenset({"RCVR", "RQSTR"})
_EFFECT: Mapping[str, Value] = {"USERSRC": "MAP", "MCAUSER": ABSENT}
"""The effect of a channel authentication record on a matching connection, with its default."""


def has_both_ends(manager: QueueManager) -> bool:
    """Return whether a text defines both ends of a channel: then it is for two queue managers."""
    for found, repeated in manager.repeats.items():
        if found.type != "channel":
            continue
        layers = [repeated, *chain.from_iterable(found.chains)]
        written = (layer.command.get("CHLTYPE") for layer in layers)
        types = {decode(raw) for raw in written if raw is not None}
        if types & _SENDING and types & _RECEIVING:
            return True
    return False


def defined_again(found: MQObject, layer: Layer) -> Iterator[ConflictFact]:
    """The DEFINE that fails as an earlier one made the object, or the SET CHLAUTH that does."""
    if layer.maybe or layer.origin.observed:
        return
    if layer.action.type == "chlauth":
        effect = _effect(layer)
        if any(found.value(word) not in (value, UNKNOWN) for word, value in effect.items()):
            line = _made(found, layer).start.line
            yield conflict(found, "record-exists", layer.name_place(), other=f"line {line}")
        return
    if layer.action.effect is not Effect.DEFINE:
        return
    first, place = _made(found, layer), layer.name_place()
    if first == place:
        return  # a loop sends one text to several hosts, each with a queue manager of the name
    here = f"{first.path}:" if first.path != place.path else "line "
    beside = [(first, f"{found.type} {found.name} is defined")]
    yield conflict(found, "again", place, beside, other=f"{here}{first.start.line}")


def _made(found: MQObject, before: Layer) -> Location:
    """The place of the command that made the object before `before` did."""
    maker = _maker(found, before)
    return found.where() if maker is None else maker.name_place()


def _maker(found: MQObject, before: Layer) -> Layer | None:
    """The command that made the object before `before` did; a later layer may be an ALTER."""
    for layers in found.chains:
        for layer in reversed(layers):
            if layer.number < before.number and layer.change is Change.MAKE:
                return layer
    return None


def _effect(record: Layer) -> dict[str, Value]:
    return {word: record.value(word) or omitted for word, omitted in _EFFECT.items()}


def replaced(found: MQObject) -> Iterator[ConflictFact]:
    """A command with REPLACE of an object or record that the same text made with other values."""
    is_record = found.type == "chlauth" and found.is_named
    if not (is_record or is_defined(found)):
        return
    values_of = _effect if is_record else _written
    for first, second in successive(found):
        are_made = first.change is Change.MAKE and second.change is Change.MAKE
        if not are_made or second.refused_if_there or first.disposition != second.disposition:
            continue
        before, after = values_of(first), values_of(second)
        if is_record and (
            before["USERSRC"] == "CHANNEL" or UNKNOWN in (*before.values(), *after.values())
        ):
            continue  # the developer configuration of MQ's container permits a user, then maps it
        if before != after or (not is_record and _describe_two_things(first, second)):
            line = first.name_place().start.line
            yield conflict(found, "replaced", second.name_place(), other=str(line))


def _describe_two_things(first: Layer, second: Layer) -> bool:
    """Whether both commands describe the object, and not alike: one may be a copy for another."""
    texts = [layer.value("DESCR") for layer in (first, second)]
    return texts[0] != texts[1] and all(isinstance(text, str) and text.strip() for text in texts)


def repeated(manager: QueueManager) -> Iterator[ConflictFact]:
    """A command about authorities that the same text has before, word for word."""
    if have_a_command_each(manager):
        return
    for record in manager.all_named("authrec"):
        for first, second in successive(record) if record.has_several_layers else ():
            one, two = first.command, second.command
            if one.form is two.form and tuple(one.values) == tuple(two.values):
                beside = [(first.name_place(), "the first one")]
                line = first.name_place().start.line
                yield conflict(record, "repeated", second.name_place(), beside, other=str(line))


def _written(layer: Layer) -> dict[str, Value | None]:
    """The attributes that a command writes, without those that are only descriptions."""
    words = (word for word in layer.action.attributes if word != "DESCR")
    return {word: layer.value(word) for word in words}


def altered_early(found: MQObject) -> Iterator[ConflictFact]:
    """An ALTER before the DEFINE of the same script: one of the two fails, or is lost."""
    if not is_defined(found) or found.dump:
        return
    for layers in found.chains:
        first = layers[0]
        if first.change is not Change.ALTER or first.maybe:
            continue
        after = (layer for layer in layers if layer.change is not Change.ALTER or layer.maybe)
        made = next(after, first)
        if made.change is Change.MAKE and not made.maybe and made.origin is first.origin:
            line = made.name_place().start.line
            yield conflict(found, "altered", first.name_place(), other=str(line))


def is_shipped(found: MQObject) -> bool:
    """Whether every queue manager has an object of this name, with a CHLTYPE or AUTHTYPE."""
    return found.is_named and shipped_subtype(found.type, found.name) is not None


def retyped(found: MQObject) -> Iterator[ConflictFact]:
    """An ALTER or REPLACE with another type than the DEFINE of the same script, or the product."""
    word = DIVIDING.get(found.type)
    if word is None or not found.is_named:
        return
    for layers in found.chains:
        kind: Value | None = shipped_subtype(found.type, found.name)
        for layer in layers:
            written = layer.value(word)
            if isinstance(written, str) and isinstance(kind, str) and written != kind:
                if layer.change is Change.ALTER or not _are_ends(kind, written):
                    other, defined = f"{word}({written})", f"{word}({kind})"
                    place = layer.name_place()
                    yield conflict(found, "other-subtype", place, other=other, attribute=defined)
            elif layer.change is not Change.ALTER:
                kind = None if layer.maybe or layer.change is not Change.MAKE else written


def _are_ends(first: str, second: str) -> bool:
    """Whether two types are the ends of one channel, which a text for two managers defines."""
    return any(
        {first, second} & sending and {first, second} & receiving
        for sending, receiving in ((_SENDING, _RECEIVING), ({"CLUSSDR"}, {"CLUSRCVR"}))
    )


_OF_MEMBERS = frozenset({"CLUSTER", "CLUSNL", "REPOS", "REPOSNL"})
"""Attributes that a procedure sets to blank to leave a cluster, which comes after all others."""


def unordered(found: MQObject) -> Iterator[ConflictFact]:
    """Different statements of files whose order is not known."""
    chains = found.chains
    if len(chains) < 2 or not found.is_named:
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
    if attribute in _OF_MEMBERS:
        values = {value for value in values if _text(value).strip()}
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
