"""What to do about one finding: the fix of its rule, with the name of the object at fault.

Where that name belongs, the fix of a rule has `the.channel`, `the.queue` and the like in brackets.
ALTER of it has an example of a type of queue or channel. Other words after `the.` are for the
reader to replace.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.finding.finding import Subject

_COMMAND = later(
    r"\b(?P<verb>[A-Z]+) (?P<noun>[A-Z]+)\(the\.(?P<word>[a-z]+)\)"
    r"(?: (?P<key>CHLTYPE|AUTHTYPE)\((?P<type>[A-Z]+)\))?"
)
_PLACE = later(r"\(the\.(?P<word>[a-z]+)(?P<suffix>(?:\.[A-Z]+)?)\)")
_NAME = later(r"[A-Za-z0-9._/%]{1,48}")
"""A name of an object of MQ that is known."""
_QUEUES = frozenset({"QLOCAL", "QREMOTE", "QALIAS", "QMODEL"})
_WORDS = {
    **dict.fromkeys(_QUEUES, "queue"),
    "CHANNEL": "channel",
    "TOPIC": "topic",
    "SUB": "subscription",
    "LISTENER": "listener",
    "SERVICE": "service",
    "PROCESS": "process",
    "NAMELIST": "namelist",
    "AUTHINFO": "object",
}
"""The word after `the.` by the type of the object."""
_ANY = frozenset({"QUEUE", "QSTATUS", "CHSTATUS", "SBSTATUS", "TPSTATUS", "LSSTATUS", "SVSTATUS"})
"""By what commands name an object of several types, or its status."""


def fix_for(fix: str, subject: Subject) -> str:
    """Return the fix of a rule for an object; as it is if a command is about another type."""
    noun, name = (subject.object_type or "").upper(), subject.object_name or ""
    word = _WORDS.get(noun)
    if word is None or f"(the.{word}" not in fix:
        return fix
    for found in _COMMAND.finditer(fix):
        if found["word"] != word:
            continue
        fitting = _QUEUES if found["verb"] == "ALTER" and noun in _QUEUES else {noun}
        if found["noun"] not in fitting | _ANY or (found["key"] and subject.subtype is None):
            return fix

    def command(found: re.Match[str]) -> str:
        if found["word"] != word or found["verb"] != "ALTER":
            return found[0]
        kind = f" {found['key']}({subject.subtype})" if found["key"] else ""
        return f"ALTER {noun}(the.{word}){kind}"

    def place(found: re.Match[str]) -> str:
        return f"('{name}{found['suffix']}')" if found["word"] == word else found[0]

    longest = max((len(found["suffix"]) for found in _PLACE.finditer(fix)), default=0)
    if _NAME.fullmatch("x" * longest + name) is None:
        return fix
    return _PLACE.sub(place, _COMMAND.sub(command, fix))
