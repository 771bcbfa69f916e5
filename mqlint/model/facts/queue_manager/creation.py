"""A queue manager that a script creates: it has the objects of the product, and no others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.language.mqsc.lines import origin as source
from mqlint.model.core.layer import Layer
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import BRINGS_MORE, Script

if TYPE_CHECKING:
    from mqlint.language.script.step import Step


@frozen
class Creation:
    """The stretch of the script at `path` in which all objects of the queue manager are known.

    It begins with crtmqm, and ends before the first command that may do anything.
    """

    path: str
    start: int
    end: int

    @property
    def ends(self) -> bool:
        """Whether a command of the script may do anything."""
        return self.end != sys.maxsize

    def covers(self, layer: Layer) -> bool:
        origin, start = layer.origin, layer.command.start
        place = start if origin.segments is None else source(origin.segments, start)
        return origin.path == self.path and self.start < place < self.end and not layer.maybe


def creation(manager: QueueManager) -> Creation | None:
    """Return where a script makes the queue manager; None if its commands come from elsewhere too.

    Commands of a called function have no place in the script, and are not followed.
    """
    made = [script for script in manager.scripts if any(map(_makes, script.steps))]
    if len(made) != 1 or manager.observed or len(manager.orders) != 1:
        return None
    (script,) = made
    steps = [step for step in script.steps if _makes(step)]
    others = any(other.texts for other in manager.scripts if other is not script)
    if len(steps) != 1 or others or script.timed or _is_open(script, steps[0]):
        return None
    start = steps[0].span[0]
    ends = [step.span[0] for step in (*script.steps, *script.unbound) if _ends(step)]
    end = min((place for place in (*ends, *script.calls) if place > start), default=None)
    return Creation(script.origin.path, start, sys.maxsize if end is None else end)


def _makes(step: Step) -> bool:
    return step.command == "crtmqm"


def _is_open(script: Script, step: Step) -> bool:
    """Return whether the time of crtmqm, or the content of the new queue manager, is not known."""
    if step.execution.maybe or step.open or step.option(*BRINGS_MORE) is not None:
        return True
    run = [each.execution for each in script.steps] + [each.execution for each in script.texts]
    return any(execution.called_at is not None for execution in run)


def _ends(step: Step) -> bool:
    """Whether a step may run MQSC that is not in the script."""
    return step.action == "mqsc" and (step.reads is not None or step.queue_manager is None)
