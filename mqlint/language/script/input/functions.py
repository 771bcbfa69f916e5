"""Functions of a script that pass their arguments to runmqsc.

    run_mqsc() { echo "$1" | runmqsc "$QM"; }
    run_mqsc "DEFINE QLOCAL(PAY.IN)"

The words are not followed through the function. An argument that is MQSC is assumed to reach the
runmqsc in the function. So is one of a function that another file defines, unless its name says
that it prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from mqlint.dataclass import frozen
from mqlint.language.mqsc.language import MQSC_ENDINGS, is_mqsc
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.unread.unfollowed import SPEAKS
from mqlint.number import whole_number
from mqlint.patterns import later

_PARAMETER = later(r"[\"']?\$\{?(\w{1,80})\}?[\"']?")
_DEFINED = later(
    r"(?i)\b(?:function|filter|workflow)\s{1,8}+(?:\w{1,8}:)?+([^\s(){;]{1,200}+)"
    r"|(?<![^\s;&|(){}])([^\s;&|(){}]{1,200}+)\s{0,8}+\("
)
_MAY_BE_MQSC = later(r"[\s(]")
_RUNS = "runmqsc"


@frozen
class Call:
    """A call of a function that may run runmqsc; `place` is the index for its MQSC."""

    words: Sequence[Word]
    maybe: bool
    place: int


class Functions:
    """The functions of one script that run runmqsc, and their calls; `text` is the script's.

    A function may be called before it is defined, so calls are resolved at the end of the script.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._operands: dict[str, Word | None] = {}
        self._calls: list[Call] = []

    def define(self, command: Command) -> None:
        """Record the function around a command if the command is runmqsc."""
        if command.function and any(_RUNS in word.text for word in command.words):
            self._operands[command.function] = _operand(command.words)

    def call(self, words: Sequence[Word], maybe: bool, place: int) -> None:
        """Record a command that may call a function with MQSC."""
        if not any(_MAY_BE_MQSC.search(word.text) for word in words[1:]):
            return
        has_file = any(word.text.lower().endswith(MQSC_ENDINGS) for word in words[1:])
        if has_file or self._is_defined(words) or self._is_given_mqsc(words):
            self._calls.append(Call(words, maybe, place))

    def _is_defined(self, words: Sequence[Word]) -> bool:
        return words[0].text.lower() in self.defined

    def _is_given_mqsc(self, words: Sequence[Word]) -> bool:
        """Whether a command that the script does not define, and that prints nothing, has MQSC."""
        if self._is_defined(words) or SPEAKS.search(base_name(words[0].text)) is not None:
            return False
        return any("(" in word.text and is_mqsc(word.text) for word in words[1:])

    @cached_property
    def defined(self) -> frozenset[str]:
        """Names in lower case that look like functions of the script."""
        found = (match[1] or match[2] for match in _DEFINED.finditer(self._text))
        return frozenset(name.lower() for name in found)

    def calls(self) -> Iterator[tuple[Call, Word, str | None]]:
        """Yield, last first, the MQSC that calls give, with its queue manager if it is known."""
        for call in reversed(self._calls):
            for word, queue_manager in reversed([*self._mqsc(call.words)]):
                yield call, word, queue_manager

    def _mqsc(self, words: Sequence[Word]) -> Iterator[tuple[Word, str | None]]:
        """Yield the MQSC among the words of a call, with its queue manager if it is known.

        A call with the name of a file of MQSC is assumed to write its text of several lines there.
        """
        if words[0].text in self._operands:
            operand = self._operands[words[0].text]
            for word in words[1:]:
                if is_mqsc(word.text):
                    yield word, self._queue_manager(operand, words)
        elif any(word.text.lower().endswith(MQSC_ENDINGS) for word in words[1:]):
            for word in words[1:]:
                if "\n" in word.text and is_mqsc(word.text):
                    yield word, None
        elif self._is_given_mqsc(words):
            yield from ((word, None) for word in words[1:] if is_mqsc(word.text))

    def _queue_manager(self, operand: Word | None, words: Sequence[Word]) -> str | None:
        """The queue manager that the function names, or gets as `$1` or as `-Name QM1`."""
        if operand is None or operand.known:
            return operand.text if operand is not None else None
        parameter = _PARAMETER.fullmatch(self._text[operand.start : operand.end])
        if parameter is None:
            return None
        at = whole_number(parameter[1])
        if at is None:
            option = f"-{parameter[1].lower()}"
            at = next((at for at, word in enumerate(words, 1) if word.text.lower() == option), 0)
        value = words[at] if 0 < at < len(words) else None
        return value.text if value is not None and value.known and value.text else None


def _operand(words: Sequence[Word]) -> Word | None:
    """The queue manager after runmqsc, None if the words do not name it."""
    at = next((at for at, word in enumerate(words) if base_name(word.text) == _RUNS), len(words))
    operands = [word for word in words[at + 1 :] if not word.text.startswith("-")]
    return operands[-1] if len(operands) == 1 else None
