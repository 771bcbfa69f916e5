"""The commands of a record as a script of the same length, at their places in the record."""

from __future__ import annotations

from io import StringIO

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
        """Add a line that is no command."""
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
    """Whether a comment line is what `as_reply` returns."""
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
