"""What runmqsc prints: each command as it was read, behind its number, and the replies to it.

    Starting MQSC for queue manager LEEDSQM1.
         1 : DEFINE QLOCAL(A) +
           : REPLACE
    AMQ8006I: IBM MQ queue created.

A text that begins so and has numbered commands is the record of a session: they are what was run,
and all else is replies, or was typed and is repeated behind its number. A script that has such
lines somewhere among its commands is none; there they are a mistake.

The replies to a command follow it. A message whose code ends in E, S or T says that the command
was refused; so do the two by which a syntax error is told, which end in I, and those of the
releases before 9.1, whose codes have no letter and are listed here ("AMQ8xxx: Administration" of
7.5 and 9.2). What DISPLAY shows stands in lines that begin with blanks behind a message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

REPLY = "*"
"""Stands for each character of a reply: such lines are passed over inside a command as well."""

_ECHO = re.compile(r"[ \t]*+(?:\d++[ \t]?|(?<=[ \t])):(?:[ \t]|(?=\r?\Z))")
_NUMBERED = re.compile(r"^[ \t]*+\d++[ \t]?:(?:[ \t]|\r?$)", re.MULTILINE)
_BEGINS = re.compile(
    r"(?:[ \t\r]*\n|[^\n]{0,80}[$#>%][ \t]*[^\n]{0,200}\brunmqsc\b[^\n]*\n|runmqsc\b[^\n]*\n)*+"
    r"(?P<first>[ \t]*(?:\d{4}-[A-Z]\d\d \([Cc]\) Copyright IBM|Starting MQSC for"
    r"|\d+ ?: (?=[A-Za-z*])))"
)
_SESSION = re.compile(r"[ \t]*Starting MQSC for queue manager (\S+?)\.?[ \t\r]*\Z")
_MESSAGE = re.compile(r"[ \t]*AMQ(\d{4})([A-Z]?):")
_SYNTAX = frozenset({"8405", "8426", "8427"})
"""Says where the syntax is wrong, and what would have been right; these are information."""
_OLD_FAILURES = re.compile(r"81[0-57]\d|822[67]|824[0-9]|8404|84(?:05|26|27)|8884")


@dataclass(frozen=True, slots=True)
class Reply:
    """One message and the lines it introduces.

    `code` are its four digits, `lines` the offsets of the lines that belong to it and begin with
    blanks, each without its line feed.
    """

    code: str
    lines: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Exchange:
    """One numbered command and what was printed before the next: offsets, and the replies."""

    start: int
    refused: bool = False
    replies: list[Reply] = field(default_factory=list)


@dataclass(slots=True)
class Session:
    """What one run of runmqsc printed, from `start` on; None for a queue manager not named."""

    start: int
    queue_manager: str | None = None
    exchanges: list[Exchange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The record of sessions; `script` are their commands, as a text of the same length."""

    script: str
    sessions: tuple[Session, ...]

    @property
    def queue_manager(self) -> str | None:
        """The queue manager that all sessions are of, None when there are several."""
        named = {session.queue_manager for session in self.sessions}
        return named.pop() if len(named) == 1 else None


def begins_as_transcript(text: str) -> bool:
    """Whether `text`, or its beginning, is what runmqsc prints, commands and all."""
    found = _BEGINS.match(text)
    return found is not None and _NUMBERED.search(text, found.start("first")) is not None


def session_of(text: str) -> str | None:
    """Return the queue manager whose session a transcript is; None when there are several."""
    return read_transcript(text).queue_manager


def unecho(text: str) -> str:
    """Return a transcript as a script of the same length, replies as lines of asterisks."""
    return read_transcript(text).script


def read_transcript(text: str) -> Transcript:
    """Return the commands of a transcript, and what was replied to each."""
    reader = _Reader()
    at = 0
    for line in text.split("\n"):
        reader.line(line, at)
        at += len(line) + 1
    reader.end_reply()
    return Transcript("\n".join(reader.result), tuple(reader.sessions))


class _Reader:
    """Goes over the lines of a transcript once."""

    def __init__(self) -> None:
        self.result: list[str] = []
        self.sessions = [Session(0)]
        self._last = -1
        self._code = ""
        self._lines: list[tuple[int, int]] = []

    def line(self, line: str, at: int) -> None:
        """Read the line that stands at `at`."""
        echo = _ECHO.match(line)
        if echo is None:
            self._reply(line, at)
            self.result.append(as_reply(line))
            return
        self.end_reply()
        width = echo.end()
        said = line[width:]
        blanks = " " * width
        if said.startswith("*"):
            self.result.append(f"*{blanks}{said[1:]}")
            return
        if line[:width].strip(" \t:"):
            self.sessions[-1].exchanges.append(Exchange(at))
        _mend_minus(self.result, self._last, said)
        self._last = len(self.result)
        self.result.append(blanks + said)

    def _reply(self, line: str, at: int) -> None:
        """Read a line that is no command."""
        begun = _SESSION.match(line)
        message = _MESSAGE.match(line)
        if begun is not None:
            self.end_reply()
            self._begin(begun[1], at)
        elif message is not None:
            self.end_reply()
            self._message(message[1], message[2])
        elif self._code and line[:1] in (" ", "\t") and line.strip():
            self._lines.append((at, at + len(line.rstrip())))
        else:
            self.end_reply()

    def _begin(self, queue_manager: str, at: int) -> None:
        """Begin a session; the first has begun with the text."""
        if self.sessions[-1].exchanges or self.sessions[-1].queue_manager is not None:
            self.sessions.append(Session(at))
        self.sessions[-1].queue_manager = queue_manager

    def _message(self, code: str, letter: str) -> None:
        self._code = code
        failed = letter in ("E", "S", "T") if letter else _OLD_FAILURES.fullmatch(code) is not None
        if (failed or code in _SYNTAX) and self.sessions[-1].exchanges:
            self.sessions[-1].exchanges[-1].refused = True

    def end_reply(self) -> None:
        """Keep the message that was being read, where it introduces lines."""
        if self._code and self._lines and self.sessions[-1].exchanges:
            reply = Reply(self._code, tuple(self._lines))
            self.sessions[-1].exchanges[-1].replies.append(reply)
        self._code, self._lines = "", []


def as_reply(line: str) -> str:
    """Return a line of the length of `line` that is passed over; a blank one stays."""
    return REPLY * len(line) if line.strip() else line


def is_reply(line: str) -> bool:
    """Whether a comment line is what `as_reply` returns."""
    return not line.strip(REPLY + "\r\n")


def _mend_minus(result: list[str], last: int, said: str) -> None:
    """Let `said` follow its line without the blanks that stand where its number stood.

    A minus sign keeps the blanks before the next line, a plus sign does not; where the line
    begins without blanks both mean the same.
    """
    if last < 0 or not said or said[0] in " \t":
        return
    body = result[last].rstrip()
    if body.endswith("-"):
        rest = result[last][len(body) :]
        result[last] = f"{body[:-1]}+{rest}"
