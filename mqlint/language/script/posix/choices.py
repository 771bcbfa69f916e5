"""Variables that a script sets in branches or several times, with their possible values.

    case $ENVIRONMENT in
      test) QM=QMT; AUTH=DISABLED ;;
      prod) QM=QMP; AUTH=ENABLED ;;
    esac
    echo "ALTER QMGR CHLAUTH($AUTH)" | runmqsc $QM

A line that names such variables is read once for each value. Variables that are set in the same
branches vary together. Of the others one varies at a time, and the rest is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from mqlint.language.script.command import Command
from mqlint.language.text.variables import Variables
from mqlint.patterns import later

_MOST = 8
"""Values of one variable; with more it is unknown."""

_NAMED = later(r"\"?\$(?:(\w{1,80})|\{(\w{1,80})\})\"?")
_PRINTERS = frozenset({"echo", "printf", "print"})

Branch = tuple[int, int]
"""A branch, a loop or the script, and which part of it (`then`, `else`)."""


class Choices:
    """The values of variables with several possible values; `settings` are names that are set.

    A name without a value is unknown, as after an assignment of unknown text.
    """

    def __init__(self, settings: Iterable[str], bound: Iterable[str]) -> None:
        """`bound` are names that are set otherwise: read, looped over, declared."""
        counts = Counter(settings)
        for name in bound:
            counts.pop(name, None)
        self.names = set(counts)
        self._values: dict[str, list[tuple[str | None, Branch]]] = {}

    def forget(self, names: Iterable[str], values: Variables) -> None:
        """Let names be unknown for good, as a function may set them."""
        for name in self.names.intersection(names):
            self.names.discard(name)
            self._values.pop(name, None)
            values.pop(name, None)

    def clear(self) -> None:
        """Forget the values of all names, until they are set again."""
        self._values.clear()

    def assign(
        self, name: str, value: str | None, branch: Branch, values: Variables, *, certain: bool
    ) -> None:
        """Record a value of a name, which holds up to the end of the branch; None if unknown."""
        if name not in self.names:
            return
        before = [] if certain else self._values.get(name, [])
        self._values[name] = [*before, (value, branch)]
        values.pop(name, None)
        if value is not None:
            values[name] = value

    def leave(self, branch: Branch, values: Variables) -> None:
        """Let what was set in a branch that ends be one of several values."""
        for name, found in self._values.items():
            if any(where == branch for _, where in found):
                values.pop(name, None)

    def rounds(self, asked: Iterable[str]) -> Iterator[dict[str, str]]:
        """Yield the values with which a line is read that names `asked`, once for each."""
        found = {name: self._of(name) for name in sorted(set(asked) & self._values.keys())}
        found = {name: given for name, given in found.items() if given}
        together: dict[tuple[Branch, ...], list[str]] = {}
        for name, given in found.items():
            together.setdefault(tuple(where for _, where in given), []).append(name)
        for names in together.values():
            sets = zip(*([value for value, _ in found[name]] for name in names), strict=True)
            for row in dict.fromkeys(sets):
                yield dict(zip(names, row, strict=True))

    def _of(self, name: str) -> list[tuple[str, Branch]]:
        """The known values of a name; none if they are too many."""
        known = [(value, where) for value, where in self._values[name] if value]
        return known if len(known) <= _MOST else []


def last_names(commands: Iterable[Command], text: str) -> Iterator[str]:
    """Yield the variables that are the last words of commands in `text`, unless printed."""
    for command in commands:
        names = len(command.words) > 1 and command.words[0].text not in _PRINTERS
        word = command.words[-1] if names else None
        named = _NAMED.fullmatch(text, word.start, word.end) if word is not None else None
        if named is not None:
            yield named[1] or named[2]
