"""What cluster a queue manager is a full repository of, as the steps of a procedure leave it."""

from __future__ import annotations

from bisect import bisect_left

from mqlint.language.mqsc import Command, Templated, decode
from mqlint.model.core.script_steps import Position
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.procedure.command_class import command_words
from mqlint.model.procedure.procedure import Procedure


def repository_before(procedure: Procedure, position: Position) -> Value:
    """Return the REPOS that the last ALTER QMGR before a position sets, absent if it blanks it.

    Unknown if that command may not run, or if something that is not here comes between.
    """
    positions, values = procedure.once(_changes)
    index = bisect_left(positions, position)
    return values[index - 1] if index else ABSENT


def _changes(procedure: Procedure) -> tuple[list[Position], list[Value]]:
    """The places at which REPOS changes, or may change, in their order, and its values there."""
    found: list[tuple[Position, Value]] = [
        ((offset, 0), UNKNOWN) for offset in procedure.script.calls
    ]
    found += (((step.span[0], 1), UNKNOWN) for step in procedure.unread())
    for text, command in procedure.commands(quiet=False):
        if command_words(command) == "ALTER QMGR" and "REPOS" in command.form.shape.words:
            maybe = command.maybe or text.maybe or text.origin.maybe
            found.append((text.position(command), UNKNOWN if maybe else _repository(command)))
    found.sort(key=lambda change: change[0])
    return [position for position, _ in found], [value for _, value in found]


def _repository(command: Command) -> Value:
    """The value of REPOS."""
    shape = command.form.shape
    slot = shape.slots[shape.words.index("REPOS")]
    raw = command.values[slot] if slot >= 0 else ""
    return UNKNOWN if isinstance(raw, Templated) else decode(raw) or ABSENT
