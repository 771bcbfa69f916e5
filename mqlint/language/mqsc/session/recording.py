"""Sessions of runmqsc: commands and replies, in arrays instead of objects.

A line of a record may have only a few characters, and be a command, a message or the start of a
session. An object for each would take many times the size of the text.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from io import StringIO

from mqlint.dataclass import frozen
from mqlint.source.lines import offsets
from mqlint.source.pairs import Pairs

REPLY = "*"
"""Replaces each character of a reply: such lines are dropped inside a command too."""


class ScriptText:
    """The text of a script, built line by line.

    The last command is held back, as its continuation sign may change. Lines are not stored one by
    one, because a short one would take 50 times its size.
    """

    def __init__(self) -> None:
        self._done = StringIO()
        self._held = ""
        self._after = StringIO()

    def add(self, line: str) -> None:
        """Add a line that is not a command."""
        self._after.write(f"{line}\n")

    def add_command(self, blanks: str, command: str) -> None:
        """Add a line of a command after `blanks`, which replace what was before it."""
        self._settle(command)
        self._held = f"{blanks}{command}\n"

    def finish(self) -> str:
        """Return the text; its last line has no line feed."""
        self._settle("")
        return self._done.getvalue()[:-1]

    def _settle(self, command: str) -> None:
        self._done.write(_with_plus_sign(self._held, command))
        if self._after.tell():
            self._done.write(self._after.getvalue())
            self._after = StringIO()


def as_reply(line: str) -> str:
    """Return a line of the length of `line` that is passed over; a blank one stays."""
    return REPLY * len(line) if line.strip() else line


def is_reply(line: str) -> bool:
    return not line.strip(REPLY + "\r\n")


def _with_plus_sign(line: str, command: str) -> str:
    """Return `line` so that `command` follows it without the blanks of its number.

    A minus sign keeps the blanks before the next line, a plus sign does not. Without blanks both
    mean the same.
    """
    if not command or command[0] in " \t":
        return line
    body = line.rstrip()
    return f"{body[:-1]}+{line[len(body) :]}" if body.endswith("-") else line


@frozen
class Reply:
    """One message and the lines it introduces.

    `code` are its four digits, `lines` the offsets of the lines that belong to it and begin with
    blanks, each without its line feed.
    """

    code: str
    lines: Pairs


@frozen
class NumberedCommand:
    """One numbered command: the offset of its line, and whether it was refused."""

    start: int
    refused: bool


@frozen
class Session:
    """What one run of runmqsc printed, from `start` on; None for a queue manager not named."""

    start: int
    queue_manager: str | None
    _all: Sessions
    _number: int

    @property
    def exchanges(self) -> list[NumberedCommand]:
        return self._all.exchanges_of(self._number)

    def replies(self) -> Iterator[Reply]:
        """Yield the messages that introduce lines, in order; those before any command are none."""
        return self._all.replies_of(self._number)


class Sessions:
    """The sessions of one record in order; a `Session` is made on demand.

    Memory: 5 bytes for a command, 6 for a message, 8 for a line of a message and 24 for a session.
    """

    __slots__ = (
        *("_exchanges", "_refused", "_codes", "_firsts", "_lines"),
        *("_starts", "_names", "_begun", "_shown"),
    )

    def __init__(self, size: int) -> None:
        """Start with the session that begins with a text of `size` characters."""
        self._exchanges, self._refused = offsets(size), bytearray()
        self._codes, self._firsts, self._lines = array("H"), offsets(size), Pairs(size)
        self._starts, self._begun, self._shown = offsets(size), offsets(size), offsets(size)
        self._names: list[str | None] = []
        self._open(0)

    def begin(self, start: int, queue_manager: str) -> None:
        """Begin a session, unless the one that begins with the text is still empty."""
        if self._names[-1] is not None or self.has_exchange():
            self._open(start)
        self._names[-1] = sys.intern(queue_manager)

    def has_exchange(self) -> bool:
        """Whether there is a numbered command in the last session."""
        return len(self._exchanges) > self._begun[-1]

    def exchange(self, start: int) -> None:
        """Add a numbered command, whose line is at `start`."""
        self._exchanges.append(start)
        self._refused.append(False)

    def refuse(self) -> None:
        """Say of the last command of the last session that it was refused."""
        if self.has_exchange():
            self._refused[-1] = True

    def reply(self, code: str) -> None:
        """Add a message whose lines follow."""
        self._codes.append(int(code))
        self._firsts.append(len(self._lines))

    def line(self, start: int, end: int) -> None:
        """Add a line that the last message introduces."""
        self._lines.append(start, end)

    def names(self) -> set[str | None]:
        """Return the queue managers that are named, with None for a session without a name."""
        return set(self._names)

    def __iter__(self) -> Iterator[Session]:
        for number, (start, name) in enumerate(zip(self._starts, self._names, strict=True)):
            yield Session(start, name, self, number)

    def exchanges_of(self, number: int) -> list[NumberedCommand]:
        """Return the numbered commands of session `number`, counted from 0."""
        own = _part(self._begun, number, len(self._exchanges))
        refused = map(bool, self._refused[own])
        return [*map(NumberedCommand, self._exchanges[own], refused)]

    def replies_of(self, number: int) -> Iterator[Reply]:
        """Yield the messages of session `number`, counted from 0."""
        own = _part(self._shown, number, len(self._codes))
        for at in range(own.start, own.stop):
            lines = self._lines[_part(self._firsts, at, len(self._lines))]
            yield Reply(f"{self._codes[at]:04}", lines)

    def _open(self, start: int) -> None:
        self._starts.append(start)
        self._names.append(None)
        self._begun.append(len(self._exchanges))
        self._shown.append(len(self._codes))


def _part(firsts: array[int], number: int, end: int) -> slice:
    """The items of the session `number`, from its first to that of the next, or to `end`.

    The slice has both its sides.
    """
    return slice(firsts[number], firsts[number + 1] if number + 1 < len(firsts) else end)
