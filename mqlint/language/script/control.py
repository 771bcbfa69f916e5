"""The words of one control command: options with and without values, operands.

One pass over the words is enough, because the vocabulary decides the kind of each word.
"""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.dataclass import frozen
from mqlint.language.text.templates import PLACEHOLDER, is_filled_in
from mqlint.vocabulary.control import ControlSpec


@frozen
class FormOption:
    """One option: its word, and the word and offset its value begins at; `value` -1 for none."""

    word: int
    value: int = -1
    offset: int = 0
    name: str = ""
    known: bool = True


@frozen
class ControlForm:
    """The indexes of the words of a command by kind; 0 is the command itself.

    `open` is true if a word that may be an option is unknown. The last word is not counted if it is
    the name of the queue manager.
    """

    options: tuple[FormOption, ...]
    operands: tuple[int, ...]
    open: bool = False


def parse_control(spec: ControlSpec, words: Sequence[str]) -> ControlForm:
    """Return the form of the command `spec`; `words` are its own and all that follow.

    A word that is covered, wholly or in part, is not known; it never is an option.
    """
    options: list[FormOption] = []
    operands: list[int] = []
    number = 1
    while number < len(words):
        name = words[number][1:]
        if not name or not words[number].startswith("-"):
            operands.append(number)
        elif name not in spec.flags and name in spec.values and number + 1 < len(words):
            options.append(FormOption(number, number + 1, 0, name))
            number += 1
        elif _are_flags(spec, name):
            options += (FormOption(number, name=flag) for flag in name)
        else:
            options.append(_without_following_value(spec, number, name))
        number += 1
    free = operands[:-1] if spec.queue_manager == "operand" else operands
    is_open = any(
        words[operand].startswith(PLACEHOLDER) or is_filled_in(words[operand]) for operand in free
    ) or any(not option.known and PLACEHOLDER in option.name for option in options)
    return ControlForm(tuple(options), tuple(operands), is_open)


def _are_flags(spec: ControlSpec, name: str) -> bool:
    """Whether a word has several options of one letter: `endmqm -is`."""
    is_one = name in spec.flags or name in spec.values or spec.joined(name) != ""
    return not is_one and len(name) > 1 and spec.flags.issuperset(name)


def _without_following_value(spec: ControlSpec, number: int, name: str) -> FormOption:
    """Return an option that has no value, or has it in the same word."""
    if name in spec.flags or name in spec.values:
        return FormOption(number, name=name)
    joined = spec.joined(name)
    if joined:
        return FormOption(number, number, len(joined) + 1, joined)
    return FormOption(number, name=name, known=False)
