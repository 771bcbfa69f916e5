"""The statements of a document that may not run, which are judged alone and counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.engine.reading import Part, Reading
from mqlint.language.mqsc.lines import stretch
from mqlint.vocabulary.unknown import UNKNOWN

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_BRANCH = "branch"
NOBODY = "unknown queue manager"
LOST = "unknown input"


@frozen
class Uncertain:
    """A statement that may not run, or runs for an unknown queue manager.

    `span` are offsets in the file. `why` is `function`, `branch`, `loop`, `unknown queue manager`
    or `unknown input`.
    """

    span: tuple[int, int]
    why: str


def uncertain(reading: Reading) -> Iterator[Uncertain]:
    """Yield the statements of a document that may not run, its MQSC commands first."""
    for part in reading.parts:
        yield from _of_part(part)
    for step in reading.steps:
        why = _why(step)
        if why:
            yield Uncertain(step.span, why)


def _of_part(part: Part) -> Iterator[Uncertain]:
    for commands in part.choices():
        for command in commands:
            start, end = command.span()
            if part.segments is not None:
                start, end = stretch(part.segments, start, end)
            yield Uncertain((start, end), part.why or _BRANCH)


def _why(step: Step) -> str:
    if step.lost:
        return LOST
    if step.maybe:
        return step.why or _BRANCH
    values = [*(word.value for word in step.operands), *(option.value for option in step.options)]
    return NOBODY if step.queue_manager is None and UNKNOWN in values else ""
