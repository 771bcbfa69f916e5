"""Commands of RACF for the classes of MQ, in jobs that run TSO.

IBM's pages "Switch profiles", "Profiles to control subsystem security" (q011480_) and "Resource
level checks" (q011510_): a profile NO.* in MQADMIN or MXADMIN turns checks off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic
from mqlint.language.jcl import RACF_CLASSES
from mqlint.language.text.templates import is_known
from mqlint.patterns import later

PROGRAMS = frozenset({"IKJEFT01", "IKJEFT1A", "IKJEFT1B"})
_DEFINES = later(rf"\s*(?:RDEF(?:INE)?|RALT(?:ER)?)[ ]+({RACF_CLASSES})[ ]+\(?([^\s()]+)")
_CHANGES = later(rf"\s*(?:RDEF(?:INE)?|RALT(?:ER)?|RDEL(?:ETE)?)[ ]+({RACF_CLASSES})[ ]")
_RACLIST = later(r"\s*SETR(?:OPTS)?\b.*\bRACLIST\(([^()]*)\)")
_OF_MQ = later(rf"\b(?:{RACF_CLASSES})\b")
_PERMITS = later(r"\s*(?:PERMIT|PE)[ ]+([^\s()]+)")
_CLASS = later(rf"\bCLASS\(\s*({RACF_CLASSES})\s*\)")
_UNIVERSAL = later(r"\bUACC\(\s*(READ|UPDATE|CONTROL|ALTER)\s*\)")
_EVERYBODY = later(r"\bID\(\s*\*\s*\)")
_DELETES = later(r"[ )]DELETE(?:[ ]|$)")
_ACCESS = later(r"\bACC(?:ESS)?\(\s*(READ|UPDATE|CONTROL|ALTER)\s*\)")
_READ_CONNECTS = frozenset({"MQCONN"})
"""Classes in which READ lets a user do more than look: connect to the queue manager."""
_SWITCH = later(r"[^.]+\.NO\.(SUBSYS\.SECURITY|[A-Z]+\.CHECKS)$")
_LEVELS = frozenset({"QMGR.CHECKS", "QSG.CHECKS"})
"""Switches that choose a level of checking; no combination of them turns all checks off."""


def racf_faults(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield commands that turn off checks or give every user access to change resources.

    `text` is the whole job, the commands are from `start` to `end`.
    """
    for command, first, last in _commands(text, start, end):
        fault = _fault(command)
        if fault is not None:
            yield Diagnostic(fault[0], first, last, {"fault": fault[1]})
    yield from _not_refreshed(list(_commands(text, start, end)))


def _commands(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the commands without placeholders: in capitals on one line, and their places."""
    at = start
    pending = -1
    for line in text[start:end].splitlines(keepends=True):
        begin, at = at, at + len(line)
        if pending < 0:
            pending = begin
        if line[:72].rstrip().endswith(("-", "+")):
            continue
        command = " ".join(part[:72].rstrip(" -+\r\n") for part in text[pending:at].splitlines())
        first = pending + len(command) - len(command.lstrip())
        last = pending + len(text[pending:at].rstrip())
        yield command.upper() if is_known(command) else "", first, last
        pending = -1


def _not_refreshed(commands: Sequence[tuple[str, int, int]]) -> Iterator[Diagnostic]:
    """Yield the last change of profiles if classes of MQ are loaded before, but not after it.

    Without a SETROPTS RACLIST, another job may refresh the classes. Which classes are refreshed
    together is not known (those with one POSIT are), so the refresh of any class of MQ will do.
    """
    loaded, change = False, None
    for command, first, last in commands:
        if not command:
            return
        raclist = _RACLIST.match(command)
        if raclist is not None and _OF_MQ.search(raclist[1]):
            loaded, change = True, None
        changed = _CHANGES.match(command) or (_PERMITS.match(command) and _CLASS.search(command))
        if changed:
            change = changed[1], first, last
    if loaded and change is not None:
        yield Diagnostic("racf-refresh", *change[1:], {"class": change[0]})


def _fault(command: str) -> tuple[str, str] | None:
    defined = _DEFINES.match(command)
    if defined is not None:
        switch = _SWITCH.match(defined[2])
        if defined[1] in ("MQADMIN", "MXADMIN") and switch is not None:
            if switch[1] in _LEVELS:
                return None
            what = (
                "all checks"
                if switch[1] == "SUBSYS.SECURITY"
                else switch[1].lower().replace("cmd", "command")
            )
            return "racf-switch", f"{defined[2]} turns off {what.replace('.', ' ')}"
        access = _UNIVERSAL.search(command)
        if access is not None and _is_too_much(access[1], defined[1]):
            return (
                "racf-everybody",
                f"{access[1]} access to {defined[2]} of class {defined[1]} by UACC",
            )
        return None
    permitted, found = _PERMITS.match(command), _CLASS.search(command)
    access = _ACCESS.search(command)
    if permitted is None or found is None or access is None or not _EVERYBODY.search(command):
        return None
    if _DELETES.search(command) or not _is_too_much(access[1], found[1]):
        return None
    return "racf-everybody", f"{access[1]} access to {permitted[1]} of class {found[1]} by ID(*)"


def _is_too_much(access: str, profile_class: str) -> bool:
    """Whether every user should not have an access to the profiles of a class."""
    return access != "READ" or profile_class in _READ_CONNECTS
