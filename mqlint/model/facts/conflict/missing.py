"""Commands that need an object which does not exist: LIKE, and ALTER after crtmqm."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.mqsc import Templated, decode
from mqlint.model.core.action import QUEUE_TYPES
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.facts.conflict.contradiction import ConflictFact, conflict, is_defined, only_type
from mqlint.model.facts.creation import creation


def like_faults(layer: Layer, found: MQObject) -> Iterator[ConflictFact]:
    """Report faults of the object that LIKE names."""
    raw = layer.command.get("LIKE")
    if raw is None or isinstance(raw, Templated) or isinstance(found.name, Templated):
        return
    name, place = decode(raw), layer.origin.location(_span(layer))
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


def _span(layer: Layer) -> tuple[int, int]:
    return layer.span_of("LIKE") or layer.command.span_of_name()


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
