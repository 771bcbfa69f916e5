"""Functions of a script that give runmqsc what they are called with.

    run_mqsc() { echo "$1" | runmqsc "$QM"; }
    run_mqsc "DEFINE QLOCAL(PAY.IN)"

What becomes of the words in such a function is not followed: a word that is MQSC, given to a
function in which runmqsc is run, is taken for what runmqsc is given there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.language.mqsc.language import is_mqsc
from mqlint.language.script.command import Command, Word
from mqlint.language.script.wrappers import base_name

_PARAMETER = re.compile(r"[\"']?\$\{?(\w{1,80})\}?[\"']?")
_RUNS = "runmqsc"
_MQSC = (".mqsc", ".mqs")


class Feeders:
    """The functions of one script that run runmqsc; `text` is the script's."""

    def __init__(self, text: str, commands: Iterable[Command]) -> None:
        self._text = text
        self._named: Mapping[str, Word | None] = {
            command.function: _operand(command.words)
            for command in commands
            if command.function and any(_RUNS in word.text for word in command.words)
        }

    def given(self, words: Sequence[Word]) -> Iterator[tuple[Word, str | None]]:
        """Yield the MQSC among the words of a call, with its queue manager where that is known.

        A command that is given the name of a file of MQSC writes it, if a text of lines is given.
        """
        if words[0].text in self._named:
            operand = self._named[words[0].text]
            for word in words[1:]:
                if is_mqsc(word.text):
                    yield word, self._queue_manager(operand, words)
        elif any(word.text.lower().endswith(_MQSC) for word in words[1:]):
            for word in words[1:]:
                if "\n" in word.text and is_mqsc(word.text):
                    yield word, None

    def _queue_manager(self, operand: Word | None, words: Sequence[Word]) -> str | None:
        """The queue manager that the function names, or is told: `$1`, `-Name QM1`."""
        if operand is None or operand.known:
            return operand.text if operand is not None else None
        named = _PARAMETER.fullmatch(self._text[operand.start : operand.end])
        if named is None:
            return None
        if named[1].isascii() and named[1].isdigit():
            at = int(named[1][:4])
        else:
            option = f"-{named[1].lower()}"
            at = next((at for at, one in enumerate(words, 1) if one.text.lower() == option), 0)
        told = words[at] if 0 < at < len(words) else None
        return told.text if told is not None and told.known and told.text else None


def _operand(words: Sequence[Word]) -> Word | None:
    """The queue manager behind runmqsc, None where the words do not tell it."""
    at = next((at for at, one in enumerate(words) if base_name(one.text) == _RUNS), len(words))
    operands = [word for word in words[at + 1 :] if not word.text.startswith("-")]
    return operands[-1] if len(operands) == 1 else None
