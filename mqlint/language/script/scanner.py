"""The base of the scanners of all shells: one pass over a text, which yields commands.

A scanner does not run anything, and covers what depends on running. It reads the text once with a
stack of its own, and accepts any text. It yields each command as soon as the command ends, so that
a script of a million commands needs no more memory than one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.language.script.command import Command, Word
from mqlint.language.text.mapped import MappedText, joined
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget

_ASSIGNED = later(r"(?<![\w$.-])([A-Za-z_]\w{0,60})\+?=")


@mutable
class Written:
    """The lines that a script wrote to a file or a pipe; `maybe` if they may differ.

    If they are one text that is not `listed`, they are pieces of it with nothing between them.
    `read` is true once a command has read them.
    """

    lines: deque[MappedText] = field(default_factory=deque)
    maybe: bool = False
    listed: bool = True
    read: bool = False

    def take(self, other: Written) -> None:
        """Append the lines of `other`, which is not used any more; the longer one is kept."""
        self.maybe |= other.maybe
        if len(other.lines) > len(self.lines):
            other.lines.extendleft(reversed(self.lines))
            self.lines = other.lines
        else:
            self.lines += other.lines

    def copies(self, budget: Budget) -> bool:
        """Whether the budget covers one more copy of the lines, and spend it."""
        if budget.is_spent:
            return False
        size = sum(len(line.text) for line in self.lines)
        return budget.spend(size, sum(len(line.segments) for line in self.lines))

    def text(self) -> MappedText:
        if len(self.lines) == 1:
            return self.lines[0]
        return joined(self.lines, "\n" if self.listed else "")

    def as_lines(self) -> Written:
        return self if self.listed else Written(deque((self.text(),)), self.maybe)


class CommandScanner(ABC):
    """Reads one text once; `budget` is that of the document."""

    def __init__(self, text: str, budget: Budget) -> None:
        self.text = text
        self.budget = budget
        self.ended: list[Command] = []
        self.back: int | None = None

    def scan(self, start: int = 0, stop: int | None = None) -> Iterator[Command]:
        """Yield the simple commands from `start` to `stop` in the order of their ends.

        A scanner that sets `back` continues from there, to read the body of a loop again.
        """
        at, size = start, len(self.text) if stop is None else stop
        while at < size:
            at = max(self.next(at), at + 1)
            if self.back is not None:
                at, self.back = self.back, None
            if self.ended and self.is_complete():
                yield from self.ended
                self.ended.clear()
        self.finish(size)
        yield from self.ended

    @abstractmethod
    def next(self, at: int) -> int:
        """Read the sign or word at `at`; return the offset to continue from."""

    @abstractmethod
    def finish(self, at: int) -> None:
        """End all that is open at the end of the text."""

    def is_complete(self) -> bool:
        """Return whether later text cannot add anything to a command that ended."""
        return True


def set_once(names: Iterable[str]) -> set[str]:
    """Return the names that occur once among those that a script sets."""
    return {name for name, count in Counter(names).items() if count == 1}


def assigned_once(text: str) -> set[str]:
    """Return the variables that a shell script assigns once."""
    return set_once(found[1] for found in _ASSIGNED.finditer(text))


def with_slashes(word: Word) -> Word:
    """Return the name of a file as it is written elsewhere; a script's own folder is blank."""
    return _with_text(word, word.text.replace("\\", "/"))


def in_lower_case(word: Word) -> Word:
    """Return the name of a program, which has no case."""
    text = word.text.lower() if word.text.isascii() or PLACEHOLDER in word.text else word.text
    return _with_text(word, text) if len(text) == len(word.text) else word


def _with_text(word: Word, text: str) -> Word:
    return replace(word, mapped=MappedText(text, word.mapped.segments, word.mapped.end))
