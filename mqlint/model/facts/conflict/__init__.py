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
from mqlint.model.facts.conflict.use import altered_unmade, like_faults, misused, started_early
from mqlint.model.facts.security.grant import have_a_command_each


def conflicts(manager: QueueManager) -> tuple[ConflictFact, ...]:
    found = [_clash(*clash) for clash in manager.clashes]
    is_unordered = len(manager.orders) > 1
    named = manager.all_recorded(records=is_unordered and not have_a_command_each(manager))
    recorded = [mqobject for mqobject in named if mqobject.has_several_layers]
    objects = [mqobject for mqobject in recorded if mqobject.exists is not False]
    is_for_two = has_both_ends(manager)
    if not is_for_two:
        found += chain.from_iterable(defined_again(*repeat) for repeat in manager.repeats.items())
        found += chain.from_iterable(map(replaced, objects))
        found += repeated(manager)
    found += chain.from_iterable(like_faults(*like) for like in manager.likes)
    found += chain.from_iterable(map(altered_early, objects))
    found += chain.from_iterable(map(retyped, recorded))
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
"""One contradiction about an object.

`state` is `other-type` (a command alters, deletes or clears an object as one of another type),
`other-subtype` (a command alters or replaces a channel, listener or authentication information
object with another CHLTYPE, TRPTYPE or AUTHTYPE), `not-served` (a command cannot be used for
channels of this type), `gone` (a command is for an object that the same text deletes before),
`altered` (one script alters an object, and defines it afterwards), `started` (one text starts a
channel, listener or service, and defines it afterwards), `replaced` (one script defines an object
or record twice with different values, and the second replaces the first), `repeated` (one script
gives the same authorities twice), `advertised` (a queue or a cluster-receiver channel is deleted
while a cluster has it), `subscribed` (a queue is deleted, and its subscription later, or not at
all), `value` (files whose order is not known set one attribute to
different values), `existence` (one of them makes the object, another deletes it), `type` (an object
of another type has the name, so the command fails), `again` (the scripts define it already, and
this DEFINE has no REPLACE, so it fails), `record-exists` (the same of a mapping channel
authentication record that another SET CHLAUTH made, and that does something else), `removed` (one
text sets channel authentication records and removes them afterwards), `unblocked` (a command
removes the record that blocks every address for all or all SYSTEM channels), `withdrawn` (one text
gives a user or group authorities and takes them all afterwards), `like-missing` (LIKE names an
object that does not exist), `like-itself`, `like-later` (LIKE names an object that the same script
makes further down), `like-type` (LIKE names an object of another type), or `not-made` (ALTER of an
object that a queue manager which the same script has just created does not have).
`object.type` is the type of the object, `attribute` the attribute, `values` are its values,
`other` is the other object or its type, `files` are the files.
"""


def _clash(layer: Layer, found: MQObject) -> ConflictFact:
    state = "type" if layer.action.effect is Effect.DEFINE else "other-type"
    command = f"{layer.action.effect.value.upper()} {layer.action.type.upper()}"
    other = layer.action.type if state == "type" else command
    return conflict(found, state, layer.name_place(), other=other)
