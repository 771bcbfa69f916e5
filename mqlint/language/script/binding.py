"""What the words of a command are about: its queue manager, and where its input comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.language.script.command import Command, Word
from mqlint.language.script.step import StepOption, StepWord
from mqlint.language.text.mapped import Cooked
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.unknown import Unknown


def feeding(command: Command, budget: Budget) -> list[Word]:
    """Return the words of the commands that the input or a word of a command comes from."""
    found = [word for inner in command.inner for word in inner.words]
    left = command.piped
    while left is not None and budget.spend(0, len(left.words)):
        found += left.words
        left = left.piped
    return found


def queue_manager_of(
    spec: ControlSpec, options: Sequence[StepOption], operands: Sequence[StepWord]
) -> str | None:
    """Return the queue manager a command names, None when it is not known."""
    value: str | Unknown | None = None
    if spec.queue_manager == "operand":
        reads = spec.name == "runmqsc"
        others = [operand for operand in operands if not (reads and _is_file(operand.value))]
        value = others[-1].value if others else None
    elif spec.queue_manager == "second":
        # amqmdain reg NAME, amqmdain qmgr start NAME
        at = 2 if operands and operands[0].value == "qmgr" else 1
        value = operands[at].value if len(operands) > at else None
    elif spec.queue_manager == "Name":
        settings = [
            step_option.value for step_option in options if step_option.name in spec.inserts
        ]
        names = [
            setting
            for setting in settings
            if isinstance(setting, str) and setting.startswith("Name=")
        ]
        value = names[-1].removeprefix("Name=") if names else None
    else:
        named = [option.value for option in options if option.name == spec.queue_manager]
        value = named[-1] if named else None
    return value if isinstance(value, str) and value else None


def _is_file(value: str | Unknown) -> bool:
    """Whether a word is a file of MQSC that lacks its sign, and no queue manager."""
    return isinstance(value, str) and value.lower().endswith((".mqsc", ".mqs"))


def first_line_apart(cooked: Cooked) -> tuple[tuple[int, int], Cooked]:
    """Return where the first line stands, and the text behind it.

    The line is the password that runmqsc -u asks for.
    """
    line = cooked.text.find("\n")
    cut = len(cooked.text) if line < 0 else line + 1
    password = (cooked.host(0), cooked.host(max(cut - 1, 0)) + (line < 0))
    kept = tuple(
        (max(at, cut) - cut, cooked.host(max(at, cut))) for at, _ in _segments_beyond(cooked, cut)
    )
    return password, Cooked(cooked.text[cut:], kept, cooked.end)


def _segments_beyond(cooked: Cooked, cut: int) -> Iterator[tuple[int, int]]:
    """Return the segments that reach beyond `cut`."""
    borders = [*(at for at, _ in cooked.segments[1:]), len(cooked.text)][: len(cooked.segments)]
    return (one for one, end in zip(cooked.segments, borders, strict=True) if end > cut)
