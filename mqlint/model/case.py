"""Names that are written in lower case without quotes, and so are not what they look like."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.model.object import MQObject
from mqlint.model.queue_manager import QueueManager
from mqlint.syntax.mqsc import Command, Secret, Templated, is_quoted, items

_NO_NAMES = frozenset({"DESCR"})


def is_folded(found: MQObject) -> bool:
    """Whether some command writes the name of an object in lower case and without quotes."""
    return any(_is_folded(command) for command in _commands_of(found))


def is_folded_and_quoted(found: MQObject) -> bool:
    """Whether the name is folded in one place, and kept in lower or mixed case in another.

    The other place may be the name of an object or a value, in any document of the queue manager.
    """
    return is_folded(found) and found.name in found.manager.once(_kept_names)


def _kept_names(manager: QueueManager) -> frozenset[str]:
    """The texts in quotes that have lower case, as they would be without the quotes."""
    commands = [one for found in manager.all_objects() for one in _commands_of(found)]
    commands += [command for command, _ in manager.events]
    return frozenset(name.upper() for command in commands for name in _kept(command))


def _commands_of(found: MQObject) -> Iterator[Command]:
    for chain in (found.dump, *found.chains.values()):
        for layer in chain:
            yield layer.command


def _is_folded(command: Command) -> bool:
    slot = command.shape.name_slot
    raw = command.values[slot] if slot >= 0 else ""
    return raw != raw.upper() and not (is_quoted(raw) or isinstance(raw, Templated))


def _kept(command: Command) -> Iterator[str]:
    """The quoted texts of a command in which lower case is kept."""
    passed = {command.shape.slot_of.get(word, -1) for word in _NO_NAMES}
    for slot, raw in enumerate(command.values):
        if "'" not in raw or slot in passed or isinstance(raw, Secret | Templated):
            continue
        yield from (name for name in items(raw) if name != name.upper())
