"""How a script runs a command: when, for which queue manager, and what happens if it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mqlint.language.script.binding import leaves_out_queue_manager
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.procedure.schedule import age, interval

if TYPE_CHECKING:
    from mqlint.language.script.step import Step


_HELP = frozenset({"?", "h", "help", "version"})
"""Options with which a command only says how it is used."""


def _minutes(number: int | None) -> Value:
    return UNKNOWN if number is None else str(number)


def _meant(manager: QueueManager, step: Step) -> Value:
    """The queue manager of a command: the one that is `named`, or that of the `default`.

    Unknown if it depends on running, absent for a command without one.
    """
    spec = manager.vocabulary.control.get(step.command)
    if spec is None or spec.queue_manager in ("none", "Name"):
        return ABSENT
    if step.queue_manager is not None:
        return "named"
    if any(option.name.lstrip("-") in _HELP for option in step.options):
        return ABSENT
    is_here = step.execution.sent_at is None  # a container has one, and it is the default
    is_default = is_here and leaves_out_queue_manager(spec, step.options, step.operands)
    return "default" if is_default and not step.open else UNKNOWN


def _patterns(_: QueueManager, step: Step) -> Value:
    """The words that the shell may expand to names of files."""
    words = [option.value for option in step.options if option.globs]
    words += [operand.value for operand in step.operands if operand.globs]
    return tuple(word if isinstance(word, str) else "*" for word in words) or ABSENT


def _checked(_: QueueManager, step: Step) -> Value:
    return UNKNOWN if step.checked is None else str(step.checked).lower()


def _input(_: QueueManager, step: Step) -> Value:
    if step.has_input is None:
        return ABSENT
    return "given" if step.has_input else "none"


ROBUSTNESS: Final[dict[str, Callable[[QueueManager, Step], Value]]] = {
    "schedule": lambda _, step: step.execution.schedule or ABSENT,
    "interval.minutes": lambda _, step: _minutes(interval(step.execution.schedule or "")),
    "age.minutes": lambda _, step: _minutes(age(step)),
    "meant": _meant,
    "patterns": _patterns,
    "output": lambda _, step: step.output or ABSENT,
    "output.replaces": lambda _, step: step.replaces or ABSENT,
    "output.folder": lambda _, step: step.folder or (UNKNOWN if step.output == "kept" else ABSENT),
    "checked": _checked,
    "failure": lambda _, step: step.failure or ABSENT,
    "input": _input,
    "background": lambda _, step: str(step.background).lower(),
    "host": lambda _, step: step.execution.host or ABSENT,
    "unguarded": lambda _, step: step.unguarded or ABSENT,
}
"""Attributes of control commands and of commands on files, with the functions that read them."""
