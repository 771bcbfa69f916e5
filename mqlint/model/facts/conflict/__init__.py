"""Contradictions between the commands and files of one queue manager."""

from __future__ import annotations

from itertools import chain

from mqlint.model.core.action import Effect
from mqlint.model.core.fact import FactType
from mqlint.model.core.layer import Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.facts.conflict.contradiction import NOT_SERVED, ConflictFact, conflict
from mqlint.model.facts.conflict.definition import (
    altered_early,
    defined_again,
    has_both_ends,
    is_shipped,
    repeated,
    replaced,
    retyped,
    unordered,
)
from mqlint.model.facts.conflict.deletion import (
    commands_after_deletion,
    deleted_in_use,
    removed_records,
    unblocked_channels,
    withdrawn_authorities,
)
from mqlint.model.facts.conflict.use import (
    altered_unmade,
    foreign,
    like_faults,
    misused,
    started_early,
)
from mqlint.model.facts.security.grant import have_a_command_each


def conflicts(manager: QueueManager) -> tuple[ConflictFact, ...]:
    found = [_clash(*clash) for clash in manager.clashes]
    is_unordered = len(manager.orders) > 1
    named = [*manager.all_recorded(records=is_unordered and not have_a_command_each(manager))]
    recorded = [mqobject for mqobject in named if mqobject.has_several_layers]
    shipped = (each for each in named if not each.has_several_layers and is_shipped(each))
    objects = [mqobject for mqobject in recorded if mqobject.exists is not False]
    is_for_two = has_both_ends(manager)
    if not is_for_two:
        found += foreign(manager)
        found += chain.from_iterable(defined_again(*repeat) for repeat in manager.repeats.items())
        found += chain.from_iterable(map(replaced, objects))
        found += repeated(manager)
    found += chain.from_iterable(like_faults(*like) for like in manager.likes)
    found += chain.from_iterable(map(altered_early, objects))
    found += chain.from_iterable(map(retyped, chain(recorded, shipped)))
    found += chain.from_iterable(map(deleted_in_use, recorded))
    found += altered_unmade(manager)
    found += started_early(manager)
    found += (
        use for use in misused(manager) if not (is_for_two and use.value("state") == NOT_SERVED)
    )
    found += chain.from_iterable(map(commands_after_deletion, recorded))
    found += removed_records(manager)
    found += unblocked_channels(manager)
    found += withdrawn_authorities(manager)
    if is_unordered:
        found += chain.from_iterable(map(unordered, objects))
    return tuple({conflict.key: conflict for conflict in reversed(found)}.values())[::-1]


CONFLICT = FactType(
    "conflict", conflicts, ("object.type", "state", "attribute", "values", "other", "files")
)
"""One contradiction about an object."""


def _clash(layer: Layer, found: MQObject) -> ConflictFact:
    state = "type" if layer.action.effect is Effect.DEFINE else "other-type"
    command = f"{layer.action.effect.value.upper()} {layer.action.type.upper()}"
    other = layer.action.type if state == "type" else command
    return conflict(found, state, layer.name_place(), other=other)
