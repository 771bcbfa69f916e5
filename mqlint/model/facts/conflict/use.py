"""Commands that use an object: one of another type, a deleted one, or one defined later."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain

from mqlint.finding import Location
from mqlint.language.mqsc import Command
from mqlint.model.core.action import QUEUE_TYPES, family
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.refusal import foreign_words
from mqlint.model.facts.conflict.contradiction import (
    MADE,
    NOT_SERVED,
    ConflictFact,
    conflict,
    is_defined,
    is_made_once,
    line_of,
    only_type,
    refusal,
    scope,
)
from mqlint.model.facts.queue_manager.creation import creation


def like_faults(layer: Layer, found: MQObject) -> Iterator[ConflictFact]:
    """Report faults of the object that LIKE names."""
    name = layer.command.known("LIKE")
    place = layer.origin.location(layer.span_of("LIKE") or layer.command.span_of_name())
    if name is None or not found.is_named:
        return
    model = found.manager.find(found.type, name, found.subtype)
    kind = _other_type(found, name, model)
    if kind is not None:
        yield conflict(found, "like-type", place, other=name, attribute=kind)
    elif model is found and not found.dump:
        yield conflict(found, "like-itself", place, other=name)
    elif model is None and (
        found.manager.exists(found.type, name) is False or _is_new_to(found, name, layer)
    ):
        yield conflict(found, "like-missing", place, other=name)
    elif model is not None and _is_later(model, layer):
        yield conflict(found, "like-later", place, other=name)


def _other_type(found: MQObject, name: str, model: MQObject | None) -> str | None:
    """The type of the object that LIKE names, if it differs from that of the new object."""
    if model is None:
        others = sorted(QUEUE_TYPES - {found.type}) if found.type in QUEUE_TYPES else ()
        taken = (found.manager.find(other, name) for other in others)
        return next((other.type.upper() for other in taken if other is not None), None)
    kind, new = only_type(model), only_type(found)
    return kind if kind is not None and new is not None and kind != new else None


def _is_later(model: MQObject, layer: Layer) -> bool:
    """Whether the first command about an object comes after `layer` in the only script it has."""
    chains = model.chains
    if model.dump or len(chains) != 1 or chains[0][0].order is not layer.order:
        return False
    return chains[0].makes and chains[0][0].number > layer.number and not layer.maybe


def altered_unmade(manager: QueueManager) -> Iterator[ConflictFact]:
    """Commands that alter objects that a newly created queue manager does not have."""
    if manager.cached(creation) is None:
        return
    for found in manager.all_objects(records=False):
        first = found.chains[0][0] if found.chains else None
        if first is None or not is_defined(found):
            continue
        if first.change is Change.ALTER and _is_new_to(found, found.name, first):
            yield conflict(found, "not-made", first.name_place())


def _is_new_to(found: MQObject, name: str, layer: Layer) -> bool:
    """Whether the queue manager, just made, has no object `name` when a command runs."""
    manager = found.manager
    made = manager.cached(creation)
    if made is None or not made.covers(layer) or name.startswith("SYSTEM."):
        return False
    is_external = manager.is_external(found.type, name)
    return not (is_external or manager.has_unnamed(found.type))


def foreign(manager: QueueManager) -> Iterator[ConflictFact]:
    """Words that only another platform has, if nothing but other files tells the platform.

    A platform that is stated is judged with each document.
    """
    target, vocabulary = manager.target, manager.vocabulary
    if not target.implied:
        return
    for text in chain.from_iterable(script.texts for script in manager.scripts):
        for command in text.commands:
            for word in foreign_words(command, vocabulary, target):
                yield refusal(manager, word, text.origin.location(word.span))


_STARTED = frozenset({"CHANNEL", "LISTENER", "SERVICE"})
_USED = frozenset({"CLEAR", "PING", "RESET", "RESOLVE", "START", "STOP"})
"""Verbs of commands that use an object and do not change its definition."""
_Use = tuple[Location, Command]
"""A command that uses an object, with the place of the object's name in it."""


def started_early(manager: QueueManager) -> Iterator[ConflictFact]:
    """A START before the DEFINE of the same text: it fails, or starts what REPLACE replaces."""
    for text in chain.from_iterable(script.texts for script in manager.scripts):
        defined: set[MQObject] = set()
        for command in text.commands:
            shape = command.form.shape
            if shape.verb not in ("DEFINE", "START") or shape.noun not in _STARTED:
                continue
            found = manager.find(shape.noun.lower(), command.known_name or "")
            if found is None or found in defined:
                continue
            if shape.verb == "DEFINE":
                defined.add(found)
            elif line := _later_line(found, place := text.origin.location(command.span_of_name())):
                yield conflict(found, "started", place, other=str(line))


def _later_line(found: MQObject, place: Location) -> int | None:
    """The line of the only DEFINE of an object, if it is further down in the same file."""
    if found.dump or len(found.chains) != 1:
        return None
    first = found.chains[0][0]
    if first.change is not Change.MAKE or first.maybe:
        return None
    made = first.name_place()
    is_later = made.path == place.path and made.start.line > place.start.line
    return made.start.line if is_later else None


def misused(manager: QueueManager) -> Iterator[ConflictFact]:
    """Commands for objects that are of another type, or that the same text deleted before."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for text in chain.from_iterable(script.texts for script in manager.scripts):
        for command in text.commands:
            shape = command.form.shape
            if shape.verb not in _USED or shape.noun is None or command.maybe:
                continue
            name = command.known_name
            if name is not None:
                place = text.origin.location(command.span_of_name())
                words = f"{shape.verb} {shape.noun}"
                uses.setdefault((words, name), []).append((place, command))
    for (words, name), found in uses.items():
        yield from _use(manager, words, name, found)


def _use(
    manager: QueueManager, words: str, name: str, uses: Sequence[_Use]
) -> Iterator[ConflictFact]:
    """What is wrong with a command, `words` being its verb and noun, for the object `name`."""
    verb, _, noun = words.partition(" ")
    spec, object_type = manager.vocabulary.command(verb, noun), noun.lower()
    if spec is None or object_type not in MADE:
        return
    found = manager.find(object_type, name)
    if found is not None:
        kind = only_type(found)
        if spec.serves is not None and kind is not None and kind not in spec.serves:
            yield conflict(found, NOT_SERVED, uses[0][0], other=words, attribute=kind)
        return
    gone = manager.recorded(family(object_type), name)
    if gone is not None and gone.type == object_type and gone.exists is False:
        after = _first_after(gone, uses)
        if after is not None:
            place, deleted = after
            yield conflict(gone, "gone", place, other=words, attribute=line_of(deleted))
    elif object_type in QUEUE_TYPES:
        for other in sorted(QUEUE_TYPES - {object_type}):
            taken = manager.find(other, name)
            if taken is None or not is_made_once(taken):
                continue
            for place in (place for place, _ in uses if _later_line(taken, place) is None):
                yield conflict(taken, "other-type", place, other=words)
                break


def _first_after(gone: MQObject, uses: Sequence[_Use]) -> tuple[Location, Location] | None:
    """The first place at which a text has deleted an object, with the place of the DELETE."""
    by_path: dict[str, list[tuple[int, Layer]]] = {}
    for layer in chain.from_iterable(gone.chains):
        made = layer.name_place()
        by_path.setdefault(made.path, []).append((made.start.line, layer))
    for layers in by_path.values():
        layers.sort(key=_first)
    for place, command in uses:
        layers = by_path.get(place.path, [])
        at = bisect_left(layers, place.start.line, key=_first)
        last = layers[at - 1][1] if at else None
        if last is None or last.change is not Change.REMOVE or last.maybe:
            continue
        if scope(last.command) == scope(command):
            return place, last.name_place()
    return None


def _first(numbered: tuple[int, Layer]) -> int:
    return numbered[0]
