"""What a script does about a command, when it runs, and which queue manager it leaves it to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.procedure.schedule import age, interval

if TYPE_CHECKING:
    from mqlint.language.script.step import Step
    from mqlint.vocabulary.control import ControlSpec

CARE_KEYS = (
    *"script schedule interval.minutes age.minutes".split(),
    *"meant patterns output checked unguarded".split(),
)
"""What a control command, or one on files, can be asked about that."""


def care_value(manager: QueueManager, step: Step, path: str, attribute: str) -> Value:
    """Return a value of `CARE_KEYS`; `path` is that of the script."""
    if attribute == "script":
        return path
    if attribute in ("interval.minutes", "age.minutes"):
        found = interval(step.schedule or "") if attribute[0] == "i" else age(step)
        return UNKNOWN if found is None else str(found)
    if attribute == "meant":
        return _meant(step, manager.vocabulary.control.get(step.command))
    if attribute == "patterns":
        return _patterns(step) or ABSENT
    if attribute == "checked":
        return UNKNOWN if step.checked is None else str(step.checked).lower()
    told = {"schedule": step.schedule, "output": step.output, "unguarded": step.unguarded}
    return told[attribute] or ABSENT


def _patterns(step: Step) -> tuple[str, ...]:
    """The words for which the shell may put names of files."""
    words = [option.value for option in step.options if option.globs]
    words += [operand.value for operand in step.operands if operand.globs]
    return tuple(word if isinstance(word, str) else "*" for word in words)


def _meant(step: Step, spec: ControlSpec | None) -> Value:
    """Which queue manager a command is for: one that is `named`, or that of the `default`.

    Unknown where only running tells, absent for a command that is for none.
    """
    if spec is None or spec.queue_manager in ("none", "Name"):
        return ABSENT
    if step.queue_manager is not None:
        return "named"
    if spec.queue_manager in ("operand", "second"):
        given = len(step.operands) > (spec.queue_manager == "second")
    else:
        given = step.option(spec.queue_manager) is not None
    return UNKNOWN if given or step.open else "default"
