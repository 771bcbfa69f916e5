"""Whether all texts that make the objects of a queue manager were read."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.declaration import CLIENT_TYPES, ENTRIES
from mqlint.language.mqsc import Command
from mqlint.model.core.action import action_of
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import BRINGS_MORE
from mqlint.model.procedure.procedure import procedures


def is_read_whole(manager: QueueManager) -> bool:
    """Return whether every known text that makes objects of the queue manager was read.

    Texts that no file names may exist, so a missing name is only not defined in those that were
    read.
    """
    if manager.observed or not manager.scripts or not _is_configured_here(manager):
        return False
    if any(origin.shown or origin.supposed for origin in manager.origins):
        return False
    for step, _ in manager.control_steps("crtmqm"):
        if step.open or step.option(*BRINGS_MORE) is not None:
            return False
    if any(procedure.unread() for procedure in manager.cached(procedures)):
        return False
    return all(_is_understood(manager, command) for command in _commands(manager))


def is_made_whole(manager: QueueManager) -> bool:
    """Return whether one crtmqm makes the queue manager, and all texts for it were read.

    It then has the objects of the product and of these texts, unless others are added by hand.
    A program that a script calls may add some too.
    """
    if manager.declared or any(script.calls for script in manager.scripts):
        return False
    made = [step for step, _ in manager.control_steps("crtmqm")]
    is_new = len(made) == 1 and not made[0].execution.maybe
    return is_new and is_read_whole(manager)


def _is_configured_here(manager: QueueManager) -> bool:
    """Whether jobs and manifests bring no objects, or only those in entries that were read."""
    declared = [found for found, _ in manager.declared if found.type not in CLIENT_TYPES]
    if not declared:
        return True
    read = str(sum(len(script.texts) for script in manager.scripts))
    return len(declared) == 1 and declared[0].value(ENTRIES) == read


def _commands(manager: QueueManager) -> Iterator[Command]:
    for script in manager.scripts:
        for text in script.texts:
            yield from text.commands


def _is_understood(manager: QueueManager, command: Command) -> bool:
    return command.verb == "END" or action_of(command, manager.vocabulary) is not None
