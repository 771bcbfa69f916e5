"""Lines that a script writes into a pipe or into a file, before something reads them."""

from __future__ import annotations

from collections import deque
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText, joined
from mqlint.source.budget import Budget


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
