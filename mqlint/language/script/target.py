"""Commands of a script for the same queue manager, although its name is not known."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable
from functools import cached_property

from mqlint.language.script.command import Word
from mqlint.patterns import later

_VARIABLE = later(r"[$%]\{?(?:[A-Za-z]\w{0,80}:)?(\w{1,80})")
_CHANGE = later(
    r"(?<![\w$.-])\$?(\w{1,80})[ \t]*+\+?=(?!=)"
    r"|\b(?:read|for|foreach|select|unset|getopts|mapfile)\b([^\n;|&]{1,200}+)",
    re.IGNORECASE,
)
_NAME = later(r"\w{1,80}")
_PARAMETERS = later(
    r"(?m)^[ \t]*(?:shift\b|set[ \t]+[-$\"'\w]|\}|:\w|function\b|[\w-]{1,80}+[ \t]*+\(\))"
)
"""Places at which numbered parameters may change: ends of functions, shift and set."""


class Targets:
    """The queue managers that a script names by variables; `text` is that of the script."""

    def __init__(self, text: str) -> None:
        self._text = text

    def model(self, at: int, words: Iterable[Word], *, remote: bool = False) -> str:
        """Return the same text for commands that name the same queue manager by the same words.

        `at` is the offset of the command, and `words` name the queue manager. Two texts are equal
        only if no variable in the words changes between the commands. For a `remote` command the
        words before it count too.
        """
        texts = [self._text[word.start : word.end].strip("\"'") for word in words]
        if remote:
            texts.insert(0, self._before(at))
        written = " ".join(texts)
        changes = (
            f"{variable}{bisect(self._changes(variable), at)}"
            for variable in sorted(set(_VARIABLE.findall(written)))
        )
        return f"{written}|{','.join(changes)}"

    def _before(self, at: int) -> str:
        """The words before `at` in the command."""
        start = max(self._text.rfind(sign, 0, at) for sign in "\n|;&(")
        return self._text[start + 1 : at].strip()

    def _changes(self, variable: str) -> list[int]:
        """The offsets at which a variable may get another value."""
        return self._parameters if variable.isdigit() else self._assigned.get(variable.lower(), [])

    @cached_property
    def _assigned(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for change in _CHANGE.finditer(self._text):
            names = [change[1]] if change[1] else _NAME.findall(change[2])
            for name in names:
                found.setdefault(name.lower(), []).append(change.start())
        return found

    @cached_property
    def _parameters(self) -> list[int]:
        return [change.start() for change in _PARAMETERS.finditer(self._text)]
