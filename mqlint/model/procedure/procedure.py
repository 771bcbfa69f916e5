"""Procedures: the steps of one script, crontab line or MQSC file for one queue manager.

MQSC is at the place of the step that runs it: a here-document at its own place, a file at the
runmqsc that reads it. A branch may not run, and files that are not known may do anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.language.execution import Execution
from mqlint.language.mqsc import Command
from mqlint.model.core.action import action_of
from mqlint.model.core.cached_answers import CachedAnswers
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Script, Text
from mqlint.model.procedure.command_class import QUIET, class_of

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

Files = Mapping[str, Script]
"""Files of MQSC by the path at which a script finds them."""


class Procedure(CachedAnswers):
    """The steps of one script.

    `is_scheduled` is true if a clock runs it, `is_text` if it is MQSC that no known script runs.
    `memo` caches what policies derive from it.
    """

    def __init__(self, manager: QueueManager, script: Script, files: Files) -> None:
        """`files` are those that its steps feed to the queue manager."""
        super().__init__()
        self.manager = manager
        self.script = script
        self.origin = script.origin
        self.is_scheduled = script.timed
        self.is_text = script.is_text
        self.memo: dict[object, object] = {}
        self._files = files

    def place(self, offset: int) -> Location:
        return self.origin.location((offset, offset))

    def commands(self, *, quiet: bool) -> Iterator[tuple[Text, Command]]:
        """Yield the MQSC commands that define or show objects, or the others."""
        vocabulary = self.manager.vocabulary
        for text in self._texts():
            for command in text.commands:
                kind = class_of(command.form.shape)
                if not kind or (kind in QUIET) is not quiet:
                    continue
                if action_of(command, vocabulary) is not None:
                    yield text, command

    def _texts(self) -> Iterator[Text]:
        """The MQSC of the script, and that of the files it feeds."""
        yield from self.script.texts
        for step in self.script.steps:
            file = self._file(step)
            for text in file.texts if file is not None else ():
                # In what order a function and a file that it feeds run is not followed.
                in_function = step.execution.called_at is not None
                maybe = step.execution.maybe or in_function or text.execution.maybe
                is_apart = in_function or text.execution.maybe
                block = "" if is_apart else step.execution.block
                execution = Execution(maybe, called_at=step.position[0], block=block)
                yield Text(text.origin, text.commands, execution)

    def unread(self) -> list[Step]:
        """Return the steps that run MQSC which is not here."""
        unread = [
            step
            for step in self.script.steps
            if step.reads is not None and self._file(step) is None
        ]
        return unread + [step for step in self.script.unbound if step.action == "mqsc"]

    def _file(self, step: Step) -> Script | None:
        """The file of MQSC that a step reads, None if it reads none or the file is not here."""
        files = (self._files.get(path) for path in paths_of(step, self.origin.path))
        return next((file for file in files if file is not None), None)


def paths_of(step: Step, script: str) -> tuple[str, ...]:
    name = step.reads.value if step.reads is not None else None
    names = (name, *step.also) if isinstance(name, str) else ()
    return tuple(normpath(join(dirname(script), each)) for each in names)


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
