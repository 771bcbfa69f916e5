"""Contradictions between the files of one queue manager."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.model.core.action import QUEUE_TYPES, Effect, family
from mqlint.model.core.fact import DerivedFact, FactType, Statement, statements
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.creation import creation

_READERS = statements("conflict")
_MADE = QUEUE_TYPES | {"channel", "namelist", "process", "topic", "listener", "service", "sub"}
"""The types of objects that only DEFINE makes."""
_ADVERTISING = ("CLUSTER", "CLUSNL", "CHLTYPE")
_STARTED = frozenset({"CHANNEL", "LISTENER", "SERVICE"})
_DIVIDING = {"authinfo": "AUTHTYPE", "channel": "CHLTYPE", "listener": "TRPTYPE"}
"""The attribute that divides objects into types, which an existing object cannot change."""
_USED = frozenset({"CLEAR", "PING", "RESET", "RESOLVE", "START", "STOP"})
"""Verbs of commands that use an object and do not change its definition."""
_OF_TYPE = "not-served"
_BY_COMMAND = frozenset({"gone", _OF_TYPE})
"""The states that several commands for one object may have."""
_SENDING, _RECEIVING = frozenset({"SDR", "SVR"}), frozenset({"RCVR", "RQSTR"})
_EFFECT: Mapping[str, Value] = {"USERSRC": "MAP", "MCAUSER": ABSENT}
"""The effect of a channel authentication record on a matching connection, with its default."""

ConflictFact = DerivedFact[Statement]
_Use = tuple[Location, Command]
"""A command that uses an object, with the place of the object's name in it."""


def _conflict(
    found: MQObject,
    state: str,
    place: Location,
    beside: Iterable[tuple[Location, str]] = (),
    **values: Value,
) -> ConflictFact:
    """Return a contradiction about an object; `place` is the command or attribute at fault.

    `beside` are the places that contradict it, each with a description.
    """
    part = values.get("other" if state in _BY_COMMAND else "attribute", "")
    key = "\x1f".join((found.type, found.key, state, str(part)))
    others = tuple(other for other in beside if other[0] != place)
    values = {"object.type": found.type, "state": state, **values}
    statement = Statement(values, place, key=key, beside=others)
    return DerivedFact(_READERS, found.manager, found.name, statement)


def conflicts(manager: QueueManager) -> tuple[ConflictFact, ...]:
    found = [_clash(*clash) for clash in manager.clashes]
    objects = [mqobject for mqobject in manager.all_objects() if mqobject.has_several_layers]
    several = [found for found in manager.all_recorded() if found.has_several_layers]
    named = [found for found in several if found.is_a("queue") or found.type == "channel"]
    has_both_ends = _has_both_ends(manager)
    if not has_both_ends:
        found += chain.from_iterable(_again(*repeat) for repeat in manager.repeats.items())
        found += chain.from_iterable(map(_replaced, objects))
    found += chain.from_iterable(_like(*like) for like in manager.likes)
    found += chain.from_iterable(map(_early, objects))
    found += chain.from_iterable(map(_retyped, several))
    found += chain.from_iterable(map(_deleted, named))
    found += _unmade(manager)
    found += _started(manager)
    found += (
        use for use in _used(manager) if not (has_both_ends and use.value("state") == _OF_TYPE)
    )
    found += chain.from_iterable(map(_gone, several))
    if len(manager.orders) > 1:
        found += chain.from_iterable(map(_unordered, objects))
    return tuple({conflict.key: conflict for conflict in reversed(found)}.values())[::-1]


CONFLICT = FactType(
    "conflict", conflicts, ("object.type", "state", "attribute", "values", "other", "files")
)
"""One contradiction about an object.

`state` is `other-type` (a command alters, deletes or clears an object as one of another type),
`other-subtype` (a command alters or replaces a channel, listener or authentication information
object with another CHLTYPE, TRPTYPE or AUTHTYPE), `not-served` (a command cannot be used for
channels of this type), `gone` (a command is for an object that the same text deletes before),
`altered`
(one script alters an object, and defines it afterwards), `started` (one text starts a channel,
listener or service, and defines it afterwards), `replaced` (one script defines an object
twice with different values, and the second definition replaces the first), `advertised` (a queue or
a cluster-receiver channel is deleted while a cluster has it), `subscribed` (a queue is deleted, and
its subscription later, or not at all), `value` (files whose order is not known set one attribute to
different values),
`existence` (one of them makes the object, another deletes it), `type` (an object of another type
has the name, so the command fails), `again` (the scripts define it already, and this DEFINE has no
REPLACE, so it fails), `record-exists` (the same of a mapping channel authentication record that
another SET CHLAUTH made, and that does something else), `like-missing` (LIKE names an object that
does not exist), `like-itself`, `like-later` (LIKE names an object that the same script makes
further down), `like-type` (LIKE names an object of another type), or `not-made` (ALTER of an object
that a queue manager which the same script has just created does not have).
`object.type` is the type of the object, `attribute` the attribute, `values` are its values,
`other` is the other object or its type, `files` are the files.
"""


def _clash(layer: Layer, found: MQObject) -> ConflictFact:
    state = "type" if layer.action.effect is Effect.DEFINE else "other-type"
    command = f"{layer.action.effect.value.upper()} {layer.action.type.upper()}"
    other = layer.action.type if state == "type" else command
    return _conflict(found, state, layer.name_place(), other=other)


def _early(found: MQObject) -> Iterator[ConflictFact]:
    """An ALTER before the DEFINE of the same script: one of the two fails, or is lost."""
    if isinstance(found.name, Templated) or found.type not in _MADE or found.dump:
        return
    for layers in found.chains:
        first = layers[0]
        if first.change is not Change.ALTER or first.maybe:
            continue
        after = (layer for layer in layers if layer.change is not Change.ALTER or layer.maybe)
        made = next(after, first)
        if made.change is Change.MAKE and not made.maybe and made.origin is first.origin:
            line = made.name_place().start.line
            yield _conflict(found, "altered", first.name_place(), other=str(line))


def _started(manager: QueueManager) -> Iterator[ConflictFact]:
    """A START before the DEFINE of the same text: it fails, or starts what REPLACE replaces."""
    for text in chain.from_iterable(script.texts for script in manager.scripts):
        defined: set[MQObject] = set()
        for command in text.commands:
            shape = command.form.shape
            if shape.verb not in ("DEFINE", "START") or shape.noun not in _STARTED:
                continue
            raw = command.values[shape.name_slot] if shape.name_slot >= 0 else None
            name = decode(raw) if isinstance(raw, str) else ""
            found = manager.find(shape.noun.lower(), name)
            if found is None or found in defined:
                continue
            if shape.verb == "DEFINE":
                defined.add(found)
            elif line := _later_line(found, place := text.origin.location(command.span_of_name())):
                yield _conflict(found, "started", place, other=str(line))


def _used(manager: QueueManager) -> Iterator[ConflictFact]:
    """Commands for objects that are of another type, or that the same text deleted before."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for text in chain.from_iterable(script.texts for script in manager.scripts):
        for command in text.commands:
            shape = command.form.shape
            if shape.verb not in _USED or shape.name_slot < 0 or shape.noun is None:
                continue
            raw = command.values[shape.name_slot]
            if not isinstance(raw, Templated) and not command.maybe:
                place = text.origin.location(command.span_of_name())
                words = f"{shape.verb} {shape.noun}"
                uses.setdefault((words, decode(raw)), []).append((place, command))
    for (words, name), found in uses.items():
        yield from _use(manager, words, name, found)


def _use(
    manager: QueueManager, words: str, name: str, uses: Sequence[_Use]
) -> Iterator[ConflictFact]:
    """What is wrong with a command, `words` being its verb and noun, for the object `name`."""
    verb, _, noun = words.partition(" ")
    spec, object_type = manager.vocabulary.command(verb, noun), noun.lower()
    if spec is None or object_type not in _MADE:
        return
    found = manager.find(object_type, name)
    if found is not None:
        kind = _only_type(found)
        if spec.serves is not None and kind is not None and kind not in spec.serves:
            yield _conflict(found, _OF_TYPE, uses[0][0], other=words, attribute=kind)
        return
    gone = manager.recorded(family(object_type), name)
    if gone is not None and gone.type == object_type and gone.exists is False:
        after = _first_after(gone, uses)
        if after is not None:
            place, deleted = after
            yield _conflict(gone, "gone", place, other=words, attribute=_line(deleted))
    elif object_type in QUEUE_TYPES:
        for other in sorted(QUEUE_TYPES - {object_type}):
            taken = manager.find(other, name)
            if taken is not None and _is_made_once(taken):
                yield _conflict(taken, "other-type", uses[0][0], other=words)


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
        if _scope(last.command) == _scope(command):
            return place, last.name_place()
    return None


def _first(numbered: tuple[int, Layer]) -> int:
    return numbered[0]


def _only_type(found: MQObject) -> str | None:
    """The type that the one command that makes an object gives it; None if it is not known."""
    word = _DIVIDING.get(found.type)
    if word is None:
        return None
    kinds = found.manager.once(_kinds)
    if found not in kinds:
        kind = found.value(word) if _is_made_once(found) else None
        kinds[found] = kind if isinstance(kind, str) else None
    return kinds[found]


def _kinds(_: QueueManager) -> dict[MQObject, str | None]:
    """The types of objects worked out so far: many commands may be about one object."""
    return {}


def _is_made_once(found: MQObject) -> bool:
    layers = [*found.dump, *chain.from_iterable(found.chains)]
    certain = all(not layer.maybe for layer in layers)
    return certain and [layer.change for layer in layers].count(Change.MAKE) == 1


def _line(place: Location) -> str:
    return f"line {place.start.line}"


def _gone(found: MQObject) -> Iterator[ConflictFact]:
    """An ALTER or DELETE of what an earlier command of the same text deleted."""
    if isinstance(found.name, Templated) or found.type not in _MADE:
        return
    for layers in found.chains:
        for first, second in pairwise(layers):
            if first.change is not Change.REMOVE or second.change is Change.MAKE:
                continue
            if first.maybe or second.maybe or first.origin is not second.origin:
                continue
            if _scope(first.command) != _scope(second.command):
                continue
            deleted, place = first.name_place(), second.name_place()
            is_tolerant = decode(second.command.get("IGNSTATE") or "").upper() == "YES"
            if deleted != place and not is_tolerant:
                text = f"{second.command.verb} {second.command.noun}"
                yield _conflict(found, "gone", place, other=text, attribute=_line(deleted))


def _scope(command: Command) -> tuple[str, str]:
    """On z/OS, the copy of an object and the queue managers that a command is for."""
    words = (command.get(word) or "" for word in ("QSGDISP", "CMDSCOPE"))
    disposition, scope = (decode(word).strip().upper() for word in words)
    return disposition, scope


def _later_line(found: MQObject, place: Location) -> int | None:
    """The line of the only DEFINE of an object, if it is further down in the same file."""
    first = found.chains[0][0]
    if found.dump or len(found.chains) != 1 or first.change is not Change.MAKE or first.maybe:
        return None
    made = first.name_place()
    is_later = made.path == place.path and made.start.line > place.start.line
    return made.start.line if is_later else None


def _retyped(found: MQObject) -> Iterator[ConflictFact]:
    """An ALTER or REPLACE with another type than the DEFINE of the same script."""
    word = _DIVIDING.get(found.type)
    if word is None or isinstance(found.name, Templated):
        return
    for layers in found.chains:
        kind: Value | None = None
        for layer in layers:
            written = layer.value(word)
            if isinstance(written, str) and isinstance(kind, str) and written != kind:
                if layer.change is Change.ALTER or not _are_ends(kind, written):
                    other, defined = f"{word}({written})", f"{word}({kind})"
                    place = layer.name_place()
                    yield _conflict(found, "other-subtype", place, other=other, attribute=defined)
            elif layer.change is not Change.ALTER:
                kind = None if layer.maybe or layer.change is not Change.MAKE else written


def _are_ends(first: str, second: str) -> bool:
    """Whether two types are the ends of one channel, which a text for two managers defines."""
    return any(
        {first, second} & sending and {first, second} & receiving
        for sending, receiving in ((_SENDING, _RECEIVING), ({"CLUSSDR"}, {"CLUSRCVR"}))
    )


def _replaced(found: MQObject) -> Iterator[ConflictFact]:
    """A DEFINE with REPLACE of an object that the same text defined with other values."""
    if isinstance(found.name, Templated) or found.type not in _MADE:
        return
    for layers in found.chains:
        for first, second in pairwise(layers):
            both = first.change is Change.MAKE and second.change is Change.MAKE
            if not both or first.maybe or second.maybe or first.origin is not second.origin:
                continue
            if _disposition(first) != _disposition(second):
                continue
            if second.action.replace and _written(first) != _written(second):
                line = first.name_place().start.line
                yield _conflict(found, "replaced", second.name_place(), other=str(line))


def _disposition(layer: Layer) -> Value:
    """QSGDISP on z/OS: a group object and its copy have one name, and neither replaces the other.

    (IBM MQ documentation, q081870_.)
    """
    return layer.value("QSGDISP") or "QMGR"


def _written(layer: Layer) -> dict[str, Value | None]:
    """The attributes that a command writes, without those that are only descriptions."""
    words = (word for word in layer.action.attributes if word != "DESCR")
    return {word: layer.value(word) for word in words}


def _deleted(found: MQObject) -> Iterator[ConflictFact]:
    """A queue or cluster-receiver that one script deletes while something still has it."""
    is_channel = found.type == "channel"
    if isinstance(found.name, Templated):
        return
    subscribers = _Subscribers(found)
    for layers in found.chains:
        made = [at for at, layer in enumerate(layers) if layer.change is Change.MAKE]
        before: Layer | None = None
        written: dict[str, Value] = {}
        for at, layer in enumerate(layers):
            if layer.change is not Change.REMOVE:
                before = layer
                values = ((word, layer.value(word)) for word in _ADVERTISING)
                written.update((word, value) for word, value in values if value is not None)
                continue
            if layer.maybe or before is None or before.maybe:
                continue
            place = layer.name_place()
            cluster = written.get("CLUSTER") or written.get("CLUSNL")
            if is_channel and (written.get("CHLTYPE") != "CLUSRCVR" or (made and made[-1] > at)):
                continue
            if isinstance(cluster, str) and cluster:
                yield _conflict(found, "advertised", place, other=cluster)
            for name in subscribers.at(layer):
                yield _conflict(found, "subscribed", place, other=name)


_Event = tuple[int, str, bool]
"""The number of a command, the name of its subscription, and whether this puts to a queue then."""


def _subscriptions(manager: QueueManager) -> dict[tuple[str, Origin], list[_Event]]:
    """What each script does to the subscriptions that put to a queue, in the order of its commands.

    One that is made again with another DEST puts to the first queue no longer.
    """
    found: dict[tuple[str, Origin], list[_Event]] = {}
    for sub in manager.all_named("sub"):
        queues: dict[Origin, str] = {}
        for layer in chain.from_iterable(sub.chains):
            if layer.change is Change.ALTER:
                continue
            before = queues.pop(layer.order, None)
            if before is not None:
                found[before, layer.order].append((layer.number, sub.name, False))
            queue = layer.value("DEST") if layer.change is Change.MAKE else None
            if isinstance(queue, str) and not layer.maybe:
                queues[layer.order] = queue
                event = layer.number, sub.name, True
                found.setdefault((queue, layer.order), []).append(event)
    for events in found.values():
        events.sort()
    return found


class _Subscribers:
    """The subscriptions that put to a queue when it is deleted, each once in a script."""

    def __init__(self, queue: MQObject) -> None:
        self._queue = queue
        self._scripts: dict[Origin, tuple[int, dict[str, None]]] = {}

    def at(self, deletion: Layer) -> list[str]:
        """Return their names. Deletions are asked for in the order of their commands."""
        found = self._queue.manager.once(_subscriptions)
        events = found.get((self._queue.name, deletion.order), ())
        done, names = self._scripts.get(deletion.order, (0, {}))
        while done < len(events) and events[done][0] < deletion.number:
            _, name, puts = events[done]
            names.pop(name, None)
            if puts:
                names[name] = None
            done += 1
        self._scripts[deletion.order] = done, {}
        return list(names)


def _has_both_ends(manager: QueueManager) -> bool:
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


def _again(found: MQObject, layer: Layer) -> Iterator[ConflictFact]:
    """The DEFINE that fails as an earlier one made the object, or the SET CHLAUTH that does."""
    if layer.maybe or layer.origin.observed:
        return
    if layer.action.type == "chlauth":
        effect = {word: layer.value(word) or omitted for word, omitted in _EFFECT.items()}
        if any(found.value(word) not in (value, UNKNOWN) for word, value in effect.items()):
            line = _made(found, layer).start.line
            yield _conflict(found, "record-exists", layer.name_place(), other=f"line {line}")
        return
    if layer.action.effect is not Effect.DEFINE:
        return
    maker = _maker(found, layer)
    if maker is not None and _disposition(maker) != _disposition(layer):
        return
    first, place = _made(found, layer), layer.name_place()
    if first == place:
        return  # a loop sends one text to several hosts, each with a queue manager of the name
    here = f"{first.path}:" if first.path != place.path else "line "
    beside = [(first, f"{found.type} {found.name} is defined")]
    yield _conflict(found, "again", place, beside, other=f"{here}{first.start.line}")


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


def _like(layer: Layer, found: MQObject) -> Iterator[ConflictFact]:
    """Report faults of the object that LIKE names."""
    raw = layer.command.get("LIKE")
    if raw is None or isinstance(raw, Templated) or isinstance(found.name, Templated):
        return
    name, place = decode(raw), layer.origin.location(_span(layer))
    model = found.manager.find(found.type, name, found.subtype)
    kind = _other_type(found, name, model)
    if kind is not None:
        yield _conflict(found, "like-type", place, other=name, attribute=kind)
    elif model is found and not found.dump:
        yield _conflict(found, "like-itself", place, other=name)
    elif model is None and (
        found.manager.exists(found.type, name) is False or _is_new_to(found, name, layer)
    ):
        yield _conflict(found, "like-missing", place, other=name)
    elif model is not None and _is_later(model, layer):
        yield _conflict(found, "like-later", place, other=name)


def _other_type(found: MQObject, name: str, model: MQObject | None) -> str | None:
    """The type of the object that LIKE names, if it differs from that of the new object."""
    if model is None:
        others = sorted(QUEUE_TYPES - {found.type}) if found.type in QUEUE_TYPES else ()
        taken = (found.manager.find(other, name) for other in others)
        return next((other.type.upper() for other in taken if other is not None), None)
    kind, new = _only_type(model), _only_type(found)
    return kind if kind is not None and new is not None and kind != new else None


def _span(layer: Layer) -> tuple[int, int]:
    return layer.span_of("LIKE") or layer.command.span_of_name()


def _is_later(model: MQObject, layer: Layer) -> bool:
    """Whether the first command about an object comes after `layer` in the only script it has."""
    chains = model.chains
    if model.dump or len(chains) != 1 or chains[0][0].order is not layer.order:
        return False
    return chains[0].makes and chains[0][0].number > layer.number and not layer.maybe


def _unmade(manager: QueueManager) -> Iterator[ConflictFact]:
    """Commands that alter objects that a newly created queue manager does not have."""
    if manager.once(creation) is None:
        return
    for found in manager.all_objects():
        first = found.chains[0][0] if found.chains else None
        if first is None or isinstance(found.name, Templated) or found.type not in _MADE:
            continue
        if first.change is Change.ALTER and _is_new_to(found, found.name, first):
            yield _conflict(found, "not-made", first.name_place())


def _is_new_to(found: MQObject, name: str, layer: Layer) -> bool:
    """Whether the queue manager, just made, has no object `name` when a command runs."""
    manager = found.manager
    made = manager.once(creation)
    if made is None or not made.covers(layer) or name.startswith("SYSTEM."):
        return False
    is_external = manager.is_external(found.type, name)
    return not (is_external or manager.has_unnamed(found.type))


def _unordered(found: MQObject) -> Iterator[ConflictFact]:
    """Different statements of files whose order is not known."""
    chains = found.chains
    if len(chains) < 2 or isinstance(found.name, Templated):
        return
    if {chain.state(None) for chain in chains} >= {True, False}:
        files = tuple(sorted({chain[-1].origin.path for chain in chains}))
        last = [chain[-1] for chain in chains]
        beside = [(layer.name_place(), f"{layer.command.verb} {found.name}") for layer in last]
        yield _conflict(found, "existence", found.where(), beside, files=files)
    words = {word for chain in chains for layer in chain for word in layer.action.attributes}
    for word in sorted(words):
        yield from _values(found, word)


def _values(found: MQObject, attribute: str) -> Iterator[ConflictFact]:
    if found.manager.vocabulary.is_secret(attribute) or found.secret(attribute) is not None:
        return
    by_order = dict(found.script_values(attribute))
    values = {value for value in by_order.values() if value is not UNKNOWN and value is not ABSENT}
    if len(values) > 1:
        yield _conflict(
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
