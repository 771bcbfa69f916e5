"""Files that a script names after another queue manager than the one a command is for.

A line that is copied for the next queue manager, and in which one of the two names is not changed,
reads or writes the file of the other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import compile as pattern
from typing import TYPE_CHECKING

from mqlint.model.core.value import ABSENT, Value
from mqlint.model.procedure.procedure import Procedure

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_LETTERS, _DIGITS = pattern("[A-Z]+"), pattern("[0-9]+")
_ACTIONS = frozenset({"dump", "mqsc"})


def file_of_other(procedure: Procedure, step: Step) -> Value:
    """Return the name that the file of a step has where another one has its queue manager's.

    The other is a command of the same script for the same queue manager. Both names must look
    alike: letters and digits at the same places, in capitals.
    """
    manager = procedure.manager.key.name
    if step.action not in _ACTIONS or procedure.manager.key.anonymous:
        return ABSENT
    for path in _files(step):
        if manager in path:
            continue
        for other in procedure.script.steps:
            if other.action == step.action and other is not step:
                name = next(_names(path, manager, _files(other)), None)
                if name is not None:
                    return name
    return ABSENT


def _files(step: Step) -> tuple[str, ...]:
    if step.action == "mqsc":
        return step.inputs[:1]
    return (step.replaces,) if step.replaces else ()


def _names(path: str, manager: str, others: tuple[str, ...]) -> Iterator[str]:
    """Yield what `path` has instead of the name of the queue manager in one of `others`."""
    for other in others:
        before, found, after = other.partition(manager)
        middle = path[len(before) : len(path) - len(after)]
        is_same = path.startswith(before) and path.endswith(after)
        if found and is_same and _form(middle) == _form(manager):
            yield middle


def _form(name: str) -> str:
    return _DIGITS.sub("9", _LETTERS.sub("A", name))
