"""The steps of procedures in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from mqlint.model.core.fact import FactType, never
from mqlint.model.core.key import Numbered
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import FedFiles, Script
from mqlint.model.procedure.procedure import Procedure, procedures
from mqlint.model.procedure.step_facts import (
    CHEAP,
    STEP_ATTRIBUTES,
    ControlFact,
    MqscFact,
    StepFact,
    UnseenFact,
)

_by_position = attrgetter("position")


def all_steps(procedure: Procedure) -> Sequence[StepFact]:
    """Return all steps of a procedure in order, those with an unknown effect included."""
    script, in_order = procedure.script, procedure.cached(policy_steps)
    others: list[StepFact] = [*_mqsc(procedure, quiet=True)]
    others += (ControlFact(procedure, step, False) for step in script.unbound)
    others += (UnseenFact(procedure, (offset, 0), False) for offset in script.calls)
    others += (UnseenFact(procedure, (step.span[0], 1), True) for step in procedure.unread())
    return sorted([*in_order, *others], key=_by_position) if others else in_order


def policy_steps(procedure: Procedure) -> Sequence[StepFact]:
    """Return the steps that policies are about: without what defines objects or shows them."""
    script = procedure.script
    mqsc: list[StepFact] = [*_mqsc(procedure, quiet=False)]
    if not script.steps and len(script.texts) == 1:
        return mqsc  # they are in order
    control = (ControlFact(procedure, step, True) for step in script.steps)
    return sorted([*control, *mqsc], key=_by_position)


def _mqsc(procedure: Procedure, *, quiet: bool) -> Iterator[MqscFact]:
    for text, command in procedure.commands(quiet=quiet):
        yield MqscFact(procedure, text, command)


def steps(manager: QueueManager) -> Sequence[StepFact]:
    """Return the steps of a queue manager's procedures that policies are about, in order."""
    every = manager.cached(procedures)
    found = [step for procedure in every for step in procedure.cached(policy_steps)]
    if len(every) > 1 or not all(procedure.is_text for procedure in every):
        once: dict[int, StepFact] = {}
        for step in found:  # a file may be read by several scripts
            once.setdefault(id(step.source), step)
        found = list(once.values())
    keys = Numbered()
    for step in found:
        step.number = keys.count(step.subject)
    return found


STEP = FactType(
    "step",
    steps,
    STEP_ATTRIBUTES,
    lambda manager: manager.settings.inventory.jobs,
    CHEAP,
)
"""One step of a procedure: see `StepFact`."""


# -- commands of MQSC ------------------------------------------------------------------------------


_ON_FILES = frozenset(
    {
        *"copy restore snapshot remove keep edit".split(),
        *"kill memory mount unmount clone isolate clock service".split(),
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
    procedure = Procedure(manager, script, FedFiles(()))
    for step in script.steps:
        of_shell = step.command in known or (step.action in _ON_FILES and step.command.islower())
        if of_shell and (every or not step.every):
            yield CommandFact(procedure, step, bound=True)


COMMAND = FactType(
    "command",
    commands,
    STEP_ATTRIBUTES,
    never,
    cheap=CHEAP,
)
"""A command of a script: see `CommandFact`."""
