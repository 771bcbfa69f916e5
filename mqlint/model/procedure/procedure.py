"""Procedures: the ordered steps of one script, crontab line or MQSC file, for one queue manager.

MQSC stands at the place of the step that runs it: a here-document where it is written, a file where
runmqsc reads it. What stands in a branch may not run; what is not here may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.core.action import action_of
from mqlint.model.core.key import Numbered
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Script, Text
from mqlint.model.procedure.step_facts import (
    QUIET,
    ControlFact,
    EventFact,
    StepFact,
    UnseenFact,
    class_of,
)

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

Files = Mapping[str, Script]
"""Files of MQSC by the path at which a script finds them."""


class Procedure:
    """The steps of one script in order.

    `is_scheduled` tells that a clock runs it, `is_text` that it is MQSC which no script here runs.
    """

    def __init__(self, manager: QueueManager, script: Script, files: Files) -> None:
        """`files` are those that its steps feed to the queue manager."""
        self.manager = manager
        self.origin = script.origin
        self.is_scheduled = script.timed
        self.is_text = script.is_text
        self.kept: dict[object, object] = {}
        self._script = script
        self._files = files

    def place(self, offset: int) -> Location:
        """Return the place of an offset in the script."""
        return self.origin.location((offset, offset))

    @cached_property
    def steps(self) -> tuple[StepFact, ...]:
        """All steps in order, those that cannot be seen among them."""
        script = self._script
        found: list[StepFact] = [*self.facts, *self._events(quiet=True)]
        found += (ControlFact(self, step, False) for step in script.unbound)
        found += (UnseenFact(self, (offset, 0), False) for offset in script.calls)
        unread = [step for step in script.steps if self._is_unread(step)]
        reading = [step for step in script.unbound if step.action == "mqsc"]
        found += (UnseenFact(self, (step.span[0], 1), True) for step in (*unread, *reading))
        return tuple(sorted(found, key=lambda step_fact: step_fact.position))

    @cached_property
    def facts(self) -> Sequence[StepFact]:
        """Return the steps that policies are about: less what defines objects or shows them."""
        events: list[StepFact] = [*self._events(quiet=False)]
        if not self._script.steps and len(self._script.texts) == 1:
            return events  # they stand in order
        return sorted([*self._control(), *events], key=lambda control_fact: control_fact.position)

    def _control(self) -> Iterator[ControlFact]:
        """The control commands that name the queue manager."""
        return (ControlFact(self, step, True) for step in self._script.steps)

    def _events(self, *, quiet: bool) -> Iterator[EventFact]:
        """The MQSC commands: those that define objects or show them, or the others."""
        vocabulary = self.manager.vocabulary
        for text in self._texts():
            for command in text.commands:
                kind = class_of(command.form.shape)
                if not kind or (kind in QUIET) is not quiet:
                    continue
                if action_of(command, vocabulary) is not None:
                    yield EventFact(self, text, command)

    def _texts(self) -> Iterator[Text]:
        """The MQSC of the script, and that of the files it feeds."""
        yield from self._script.texts
        for step in self._script.steps:
            file = self._file(step)
            for text in file.texts if file is not None else ():
                yield Text(text.origin, text.commands, step.span[0], step.maybe)

    def _file(self, step: Step) -> Script | None:
        """The file of MQSC that a step reads, None where it reads none or that is not here."""
        found = (self._files.get(path) for path in paths_of(step, self.origin.path))
        return next((step_fact for step_fact in found if step_fact is not None), None)

    def _is_unread(self, step: Step) -> bool:
        """Whether it reads MQSC that is not here."""
        return step.reads is not None and self._file(step) is None


def paths_of(step: Step, script: str) -> tuple[str, ...]:
    """Return the paths at which the file that a step of `script` reads may be."""
    name = step.reads.value if step.reads is not None else None
    names = (name, *step.also) if isinstance(name, str) else ()
    return tuple(normpath(join(dirname(script), one)) for one in names)


def procedures(manager: QueueManager) -> tuple[Procedure, ...]:
    """Return the procedures of a queue manager.

    A file that a script feeds has no procedure of its own: it runs as part of the script.
    """
    scripts: Sequence[Script] = manager.scripts
    files = {script.origin.path: script for script in scripts if script.texts and script.is_text}
    read = {
        path
        for script in scripts
        for step in script.steps
        for path in paths_of(step, script.origin.path)
    }
    return tuple(
        Procedure(manager, part, files)
        for script in scripts
        if script.origin.path not in read or script.origin.path not in files
        for part in script.runs()
    )


def steps(manager: QueueManager) -> Sequence[StepFact]:
    """Return the steps of a queue manager's procedures that policies are about, in order."""
    every = manager.once(procedures)
    found = every[0].facts if len(every) == 1 else [step for one in every for step in one.facts]
    if len(every) > 1 or any(not one.is_text for one in every):
        once: dict[int, StepFact] = {}
        for step in found:  # a file may be read by several scripts
            once.setdefault(id(step.source), step)
        found = list(once.values())
    keys = Numbered()
    for step in found:
        step.number = keys.count(step.what)
    return found


def has_jobs(manager: QueueManager) -> bool:
    """Whether every job is here: then a command that is not is given nowhere."""
    return manager.settings.inventory.jobs
