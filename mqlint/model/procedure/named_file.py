"""Files that a script names after another queue manager than the one a command is for.

A line that is copied for the next queue manager, and in which one of the two names is not changed,
reads or writes the file of the other one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.model.core.value import ABSENT, Value
from mqlint.model.procedure.procedure import Procedure
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_LETTERS, _DIGITS = later(r"[A-Z]+"), later(r"[0-9]+")
_ACTIONS = frozenset({"dump", "mqsc"})
_MOST = 50
"""Forms of names that are compared: a script has few, for which it has a line each."""


def file_of_other(procedure: Procedure, step: Step) -> Value:
    """Return the name that the file of a step has where another one has its queue manager's.

    The other is a command of the same script for the same queue manager. Both names must look
    alike: letters and digits at the same places, in capitals.
    """
    name = procedure.manager.key.name
    if step.action not in _ACTIONS or procedure.manager.key.anonymous:
        return ABSENT
    for path in _files(step):
        for action, before, after in () if name in path else procedure.cached(_forms):
            middle = path[len(before) : len(path) - len(after)]
            is_same = path.startswith(before) and path.endswith(after) and action == step.action
            if is_same and _form(middle) == _form(name):
                return middle
    return ABSENT


def _files(step: Step) -> tuple[str, ...]:
    if step.action == "mqsc":
        return step.inputs[:1]
    return (step.replaces,) if step.replaces else ()


def _forms(procedure: Procedure) -> tuple[tuple[str, str, str], ...]:
    """What the files with the name of the queue manager have before and after it, by action."""
    name = procedure.manager.key.name
    found: dict[tuple[str, str, str], None] = {}
    for step in procedure.script.steps:
        for path in _files(step) if step.action in _ACTIONS else ():
            before, is_named, after = path.partition(name)
            if is_named:
                found[step.action, before, after] = None
    return tuple(found)[:_MOST]


def _form(name: str) -> str:
    return _DIGITS.sub("9", _LETTERS.sub("A", name))
