"""Connections of CICS to MQ, in jobs that run DFHCSDUP.

CICS, "MQCONN attributes" and "Defining and installing an MQCONN resource": MQNAME is a queue
manager or a queue-sharing group of one to four characters, and a region has one MQCONN.
"DFHCSDUP: syntax and command rules": keywords can be abbreviated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.jcl.statements import Operand, operands
from mqlint.language.text.mapped import mapped_slice
from mqlint.patterns import headed, later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import typo_of

_COMMAND = later(
    r"(?im)^[ ]*(?:(?P<mqconn>(?:DEF(?:INE)?|ALTER)[ ]+(?=MQCONN[ ]*\())"
    r"|(?:DEF(?:INE)?|ALTER|ADD|APPEND|COPY|DELETE|EXTRACT|INITIALIZE|LIST|PROCESS|REMOVE|SCAN"
    r"|SERVICE|UPGRADE|USERDEFINE|VERIFY)\b|[*][^\n]*)"
)
"""The beginning of a command of DFHCSDUP, or a comment."""
_KEYS = frozenset(
    "MQCONN GROUP DESCRIPTION INITQNAME MQNAME RESYNCMEMBER USERDATA1 USERDATA2 USERDATA3".split()
)
_LONGEST = {"MQNAME": 4, "INITQNAME": 48, "MQCONN": 8, "GROUP": 8}
_RESYNC = ("YES", "NO", "GROUPRESYNC")


def csd_faults(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield what is wrong with the MQCONN resources between two offsets of a job."""
    groups: set[str] = set()
    for match, stop in headed(_COMMAND, text, start, end):
        if match["mqconn"] is None:
            if match[0].strip().upper() == "DELETE":
                groups.clear()  # it may delete the MQCONN that is defined before
            continue
        listed = operands(mapped_slice(text, match.end(), stop), "words") or ()
        items = {operand.key: operand for operand in listed}
        faults = [*_faults(items)]
        group = items["GROUP"].plain if "GROUP" in items else ""
        if match["mqconn"].upper().startswith("DEF") and isinstance(group, str) and group:
            if group.upper() in groups:
                fault = f"group {group} has a second MQCONN, and a region can have only one"
                faults.append((items["GROUP"].span, fault))
            groups.add(group.upper())
        for place, fault in faults:
            yield diagnostic("cics-connection", place, fault=fault)


def _faults(items: Mapping[str, Operand]) -> Iterator[tuple[Span, str]]:
    for key, operand in items.items():
        value = operand.plain
        meant = typo_of(key, _KEYS)
        if meant and not meant.startswith(key):
            yield operand.span, f"{key} is not an attribute of MQCONN, the nearest is {meant}"
        if not isinstance(value, str) or "&" in value:
            continue
        if len(value) > _LONGEST.get(key, len(value)):
            yield operand.span, f"{key}({value[:60]}) has more than {_LONGEST[key]} characters"
        if key == "RESYNCMEMBER" and value.upper() not in _RESYNC:
            yield operand.span, f"RESYNCMEMBER({value[:40]}) is not {', '.join(_RESYNC)}"
