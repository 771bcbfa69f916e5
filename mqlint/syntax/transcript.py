"""What runmqsc prints: each command as it was read, behind its number, and the replies to it.

    Starting MQSC for queue manager LEEDSQM1.
         1 : DEFINE QLOCAL(A) +
           : REPLACE
    AMQ8006I: IBM MQ queue created.

A text that begins so and has numbered commands is the record of a session: they are what was run,
and all else is replies, or was typed and is repeated behind its number. A script that has such
lines somewhere among its commands is none; there they are a mistake.
"""

from __future__ import annotations

import re

REPLY = "*"
"""Stands for each character of a reply: such lines are passed over inside a command as well."""

_ECHO = re.compile(r"[ \t]*+(?:\d++[ \t]?|(?<=[ \t])):(?:[ \t]|(?=\r?\Z))")
_NUMBERED = re.compile(r"^[ \t]*+\d++[ \t]?:(?:[ \t]|\r?$)", re.MULTILINE)
_BEGINS = re.compile(
    r"(?:[ \t\r]*\n|[^\n]{0,80}[$#>%][ \t]*[^\n]{0,200}\brunmqsc\b[^\n]*\n|runmqsc\b[^\n]*\n)*+"
    r"(?P<first>[ \t]*(?:\d{4}-[A-Z]\d\d \([Cc]\) Copyright IBM|Starting MQSC for"
    r"|\d+ ?: (?=[A-Za-z*])))"
)
_SESSION = re.compile(r"^[ \t]*Starting MQSC for queue manager (\S+?)\.?[ \t\r]*$", re.MULTILINE)


def begins_as_transcript(text: str) -> bool:
    """Whether `text`, or its beginning, is what runmqsc prints, commands and all."""
    found = _BEGINS.match(text)
    return found is not None and _NUMBERED.search(text, found.start("first")) is not None


def session_of(text: str) -> str | None:
    """Return the queue manager whose session a transcript is; None when there are several."""
    named = set(_SESSION.findall(text))
    return named.pop() if len(named) == 1 else None


def unecho(text: str) -> str:
    """Return a transcript as a script of the same length, replies as lines of asterisks."""
    lines = text.split("\n")
    ends = [_ECHO.match(line) for line in lines]
    result: list[str] = []
    last = -1
    for line, found in zip(lines, ends, strict=True):
        if found is None:
            result.append(as_reply(line))
            continue
        width = found.end()
        said = line[width:]
        blanks = " " * width
        if said.startswith("*"):
            result.append(f"*{blanks}{said[1:]}")
            continue
        _mend_minus(result, last, said)
        last = len(result)
        result.append(blanks + said)
    return "\n".join(result)


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
