"""Commands of scripts as they are written, whichever queue manager they are for."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.model.core.key import Numbered
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Script
from mqlint.model.procedure.procedure import Procedure
from mqlint.model.procedure.step_facts import ControlFact

_ON_FILES = frozenset(
    {*"copy restore snapshot remove keep edit".split(), *"kill clock service".split()}
)
"""Classes of commands on files of queue managers and on their processes."""


class CommandFact(ControlFact):
    """A command of a script with the keys of a step.

    Where a step belongs to the queue manager that it names, this is there for a command that names
    none too, and only once for one that is about every queue manager of its host.
    """

    __slots__ = ()

    type = "command"

    @property
    def certain(self) -> bool:
        """Whether it stands in no branch."""
        return self.value("maybe") == "false"


def commands(manager: QueueManager) -> tuple[CommandFact, ...]:
    """Return the commands that name this queue manager, or of a script those that name none."""
    keys = Numbered()
    found = tuple(_commands(manager))
    for command in found:
        command.number = keys.count(command.what)
    return found


def _commands(manager: QueueManager) -> Iterator[CommandFact]:
    for script in manager.scripts:
        yield from _of(manager, script, every=False)
    for script in manager.loose:
        yield from _of(manager, script, every=True)


def _of(manager: QueueManager, script: Script, *, every: bool) -> Iterator[CommandFact]:
    """The commands of one script; what is done on z/OS and IBM i is no command of a shell."""
    known = manager.vocabulary.control
    procedure = Procedure(manager, script, {})
    for step in script.steps:
        of_shell = step.command in known or (step.action in _ON_FILES and step.command.islower())
        if of_shell and (every or not step.every):
            bound = step.queue_manager is not None
            yield CommandFact(procedure, step, bound)
