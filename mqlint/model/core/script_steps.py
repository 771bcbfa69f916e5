"""The steps of one document for one queue manager, before they are put in order."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import chain
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING, Any, Final

from mqlint.dataclass import frozen
from mqlint.grouping import grouped, single
from mqlint.language.base import TEMPLATE_ENDINGS
from mqlint.language.execution import CERTAIN, Execution
from mqlint.language.mqsc import Command
from mqlint.language.mqsc.lines import origin as source
from mqlint.model.core.origin import Origin
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_SIZE = later(r"(\d{1,12})([MGmg])$")
BRINGS_MORE = ("ic", "ii", "iv", "a", "ar")
"""Options of crtmqm with which a queue manager begins with more than the product ships."""
_NOTHING: Final[list[Any]] = []
"""What a line of a schedule does not have: one list for all of them, which nobody fills."""
Position = tuple[int, int]
"""The place of a step among the steps of its procedure; only to be compared."""


@frozen(eq=False)
class Text:
    """MQSC that is run; if a step reads its file, `execution` is called at that step."""

    origin: Origin
    commands: Sequence[Command]
    execution: Execution = CERTAIN

    def position(self, command: Command) -> Position:
        segments = self.origin.segments
        start = command.start if segments is None else source(segments, command.start)
        return self.execution.position(start)


@frozen(eq=False)
class Script:
    """The steps of one document, before they are put in order.

    `steps` are the control commands that name the queue manager, `unbound` those with an unknown
    queue manager, and `calls` the offsets of commands that may do anything. `texts` is the MQSC. In
    a `timed` one, such as a crontab, each line runs alone, or each job of several lines. `rebuilt`
    are the queue managers that it deletes and creates again, blank if it deletes others too.
    """

    origin: Origin
    steps: list[Step] = field(default_factory=list)
    unbound: list[Step] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    timed: bool = False
    rebuilt: tuple[str, ...] = ()

    @property
    def is_text(self) -> bool:
        return not self.steps and all(text.origin.segments is None for text in self.texts)

    def runs(self) -> Iterator[Script]:
        """Yield it in the parts that run together: as a whole, or line by line."""
        if not self.timed:
            yield self
            return
        number = self._numbers()
        steps = grouped((number(step.span[0]), step) for step in self.steps)
        texts = grouped(
            (number(text.position(command)[0]), text)
            for text in self.texts
            for command in text.commands[:1]
        )
        unbound = grouped((number(step.span[0]), step) for step in self.unbound)
        calls = grouped((number(call), call) for call in self.calls)
        for line in sorted({*steps, *texts}):
            yield Script(
                self.origin,
                steps.get(line, _NOTHING),
                unbound.get(line, _NOTHING),
                calls.get(line, _NOTHING),
                texts.get(line, _NOTHING),
                timed=True,
            )

    def _numbers(self) -> Callable[[int], int]:
        """Return what numbers an offset by its line, or by the first line of the job it is in."""
        executed: Iterable[Step | Text] = chain(self.steps, self.unbound, self.texts)
        jobs = sorted({each.execution.run for each in executed if each.execution.run is not None})

        def number(offset: int) -> int:
            before = bisect_right(jobs, (offset, sys.maxsize))
            is_in_job = before > 0 and offset < jobs[before - 1][1]
            return self.origin.lines.position(jobs[before - 1][0] if is_in_job else offset).line

        return number


class FedFiles:
    """The files of MQSC of one queue manager, for the steps that feed them.

    A step feeds a file by its path from the folder of the script. If no file is there, it feeds the
    only one of that name, which a tool copies or makes of a template: `/srv/a.mqsc` of `a.mqsc.j2`.
    """

    def __init__(self, scripts: Iterable[Script]) -> None:
        files = [script for script in scripts if script.texts and script.is_text]
        self._files = {script.origin.path: script for script in files}
        self._paths = single((_name_of_text(path), path) for path in self._files)

    def of(self, step: Step, script: str) -> Sequence[Script]:
        """Return the files that a step of the script at a path feeds."""
        paths = [normpath(join(dirname(script), each)) for each in step.feeds]
        found = [self._files[path] for path in paths if path in self._files]
        if found:
            return found
        others = (self._paths.get(basename(each)) for each in step.feeds)
        return [self._files[path] for path in others if path is not None]


def _name_of_text(path: str) -> str:
    """Return the name of a file, or of the one that is made of a template."""
    name = basename(path)
    stem, _, ending = name.rpartition(".")
    return stem if f".{ending}" in TEMPLATE_ENDINGS else name


def feeds_unread(scripts: Iterable[Script]) -> bool:
    """Whether a step feeds MQSC that is in no file here, or may feed it."""
    scripts = list(scripts)
    files = FedFiles(scripts)
    for script in scripts:
        if any(step.action == "mqsc" for step in script.unbound):
            return True
        for step in script.steps:
            fed = step.reads is not None and not files.of(step, script.origin.path)
            if fed or step.lost:
                return True
    return False


def option_value(step: Step, name: str) -> Value:
    """Return the value of an option, blank for one without, absent if it is not given."""
    option = step.option(name)
    if option is None:
        return UNKNOWN if step.open else ABSENT
    return "" if option.value is None else option.value


def megabytes(value: Value) -> Value:
    """Return a size such as 3072M or 3G in megabytes, absent if none is given."""
    match = _SIZE.match(value) if isinstance(value, str) else None
    if match is None:
        return ABSENT if value is ABSENT else UNKNOWN
    return str(int(match[1]) * (1024 if match[2] in "Gg" else 1))
