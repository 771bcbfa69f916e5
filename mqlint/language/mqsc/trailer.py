"""Whether a dump is whole: dmpmqcfg ends with a list of counts, and a file may end before it.

Output of 9.3.0 has the list, that of 7.5 does not; releases between are not known. A count of
queues is no count of commands: dynamic queues are counted and not written. Channels that clusters
defined and subscriptions of applications are not written either, so these are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from mqlint.finding import Diagnostic
from mqlint.language.mqsc.script import Script
from mqlint.patterns import later

_SINCE = 930
_TOTAL = "* Number of objects/records:"
_LEVELS = later(r"^\*[ \t]*Queue manager command level:[^\n(]*\((\d+)/(\d+)\)", re.MULTILINE)
_COMMAND = later(r"^\*[ \t]*Command issued:[ \t]*([^\n]*)", re.MULTILINE)
_LINES_OF_TRAILER = later(r"^\* ([A-Za-z]+) count: (\d+)[ \t\r]*$", re.MULTILINE)
_OTHER_OUTPUT = later(r"(?:^|\s)-(?:z|o\s*(?!mqsc\b|1line\b|2line\b)\w+)(?=\s|$)")
_COUNTED = {
    "NameList": "NAMELIST",
    "Process": "PROCESS",
    "AuthInfo": "AUTHINFO",
    "Listener": "LISTENER",
    "Service": "SERVICE",
    "CommInfo": "COMMINFO",
    "Topic": "TOPIC",
    "ChlAuthRec": "CHLAUTH",
    "AuthRec": "AUTHREC",
}
_SEARCHED = 65536
_HEADER = "* Queue manager name:"


def completed(script: Script, text: str) -> None:
    """Report a dump that claims to be whole and is not; it is not complete any more.

    A script that was made from a dump may omit the trailer.
    """
    if script.header is None or not script.header.complete:
        return
    at = text.rfind(_TOTAL)
    if at < 0:
        missing = _break(text) if _writes_trailer(text) else None
    else:
        missing = _shortage(script, text, at)
    if missing is not None:
        if at >= 0 or not script.header.edited:
            script.diagnostics.append(missing)
        script.header = replace(script.header, complete=())


def _writes_trailer(text: str) -> bool:
    """Whether the queue manager and the tool are of releases that write a trailer."""
    head = text[:_SEARCHED]
    levels, command = _LEVELS.search(head), _COMMAND.search(head)
    if levels is None or command is None or _OTHER_OUTPUT.search(command[1]):
        return False
    return min(int(levels[1]), int(levels[2])) >= _SINCE


def _break(text: str) -> Diagnostic:
    """The last line there is."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    data = {"what": "the counts at the end of the dump are missing"}
    return Diagnostic("truncated-dump", start, end, data)


def _counts(script: Script) -> Counter[str | None]:
    """How many commands make an object or a record, by noun: the forms they have are few."""
    counts: Counter[str | None] = Counter()
    for form, number in Counter(command.form for command in script.commands).items():
        if form.shape.verb in ("DEFINE", "SET"):
            counts[form.shape.noun] += number
    return counts


def _shortage(script: Script, text: str, total: int) -> Diagnostic | None:
    """The first kind of object with fewer commands than its count."""
    if script.broken or text.count(_HEADER) != 1:
        return None
    found = _counts(script)
    for line in _LINES_OF_TRAILER.finditer(text, text.rfind("* Script ended on", 0, total) + 1):
        noun = _COUNTED.get(line[1])
        count = int(line[2][:9])
        if noun is not None and found[noun] < count:
            data = {"what": f"it has {found[noun]} of {count} commands for {noun}"}
            return Diagnostic("truncated-dump", *line.span(), data)
    return None
