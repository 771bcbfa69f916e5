"""Control commands as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.key import Numbered
from mqlint.model.origin import Origin
from mqlint.model.queue_manager import QueueManager
from mqlint.model.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.syntax.shell import Step


class StepFact:
    """One control command; `command` is its name, `option.-x` the value of an option.

    `maybe` is true when it stands in a branch, a loop or a function.
    """

    type = "step"

    def __init__(self, manager: QueueManager, step: Step, origin: Origin, key: str) -> None:
        """`key` tells equal steps apart."""
        self.manager = manager
        self.name = step.command
        self.key = key
        self._step = step
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return `command`, or an option's value (`true` for one without, absent if not given)."""
        if attribute == "command":
            return self._step.command
        if attribute == "maybe":
            return "true" if self._step.maybe else "false"
        if not attribute.startswith("option."):
            return ABSENT
        option = self._step.option(attribute.removeprefix("option.").removeprefix("-"))
        if option is None:
            return UNKNOWN if self._step.open else ABSENT
        return "true" if option.value is None else option.value

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the command."""
        return self._origin.location(self._step.span)


def steps(manager: QueueManager) -> tuple[StepFact, ...]:
    """Return the control commands that name a queue manager, in order."""
    keys = Numbered()
    found = manager.steps
    return tuple(StepFact(manager, one, origin, keys.of(one.command)) for one, origin in found)


def has_jobs(manager: QueueManager) -> bool:
    """Whether every job is here: then a command that is not is given nowhere."""
    return manager.jobs_complete
