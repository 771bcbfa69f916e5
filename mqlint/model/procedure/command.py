"""Commands of scripts as they are written, whichever queue manager they are for."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.model.core.fact import FactType, never
from mqlint.model.core.key import Numbered
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Script
from mqlint.model.procedure.procedure import Procedure
from mqlint.model.procedure.step_facts import STEP_ATTRIBUTES, ControlFact

_ON_FILES = frozenset(
    {
        *"copy restore snapshot remove keep edit".split(),
        *"kill memory mount unmount clock service".split(),
    }
)
"""Classes of commands on files of queue managers and on their processes."""


class CommandFact(ControlFact):
    """A command of a script with the attributes of a step.

    Unlike a step, which belongs to the queue manager that it names, it exists for a command that
    names none too, and only once for one that is about every queue manager of its host.
    """

    __slots__ = ()

    type = "command"


def commands(manager: QueueManager) -> tuple[CommandFact, ...]:
    """Return the commands that name this queue manager, or of a script those that name none."""
    keys = Numbered()
    found = (
        *(fact for script in manager.scripts for fact in _of(manager, script, every=False)),
        *(fact for script in manager.loose for fact in _of(manager, script, every=True)),
    )
    for command in found:
        command.number = keys.count(command.subject)
    return found


def _of(manager: QueueManager, script: Script, *, every: bool) -> Iterator[CommandFact]:
    """The commands of one script, without those of z/OS and IBM i, which have no shell."""
    known = manager.vocabulary.control
    procedure = Procedure(manager, script, {})
    for step in script.steps:
        of_shell = step.command in known or (step.action in _ON_FILES and step.command.islower())
        if of_shell and (every or not step.every):
            yield CommandFact(procedure, step, bound=True)


COMMAND = FactType("command", commands, STEP_ATTRIBUTES, never, cheap=("class", "command", "maybe"))
"""A command of a script: see `CommandFact`."""
