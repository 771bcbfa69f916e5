"""The commands of a record as a script of the same length, each where it stands in the record."""

from __future__ import annotations

from io import StringIO

REPLY = "*"
"""Stands for each character of a reply: such lines are passed over inside a command as well."""


class ScriptText:
    """The text of a script, put together line by line.

    The last command is held back with what follows it, as its sign may have to be mended. The
    lines are not kept one by one: a short one would take 50 times its size.
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
    """Return `line` so that `command` follows it without the blanks where its number stood.

    A minus sign keeps the blanks before the next line, a plus sign does not; where the line
    begins without blanks both mean the same.
    """
    if not command or command[0] in " \t":
        return line
    body = line.rstrip()
    return f"{body[:-1]}+{line[len(body) :]}" if body.endswith("-") else line
