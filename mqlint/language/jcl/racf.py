"""Commands of RACF for the classes of MQ, in jobs that run TSO.

IBM's pages "Switch profiles", "Profiles to control subsystem security" (q011480_) and "Resource
level checks" (q011510_): a profile NO.* in MQADMIN or MXADMIN turns checks off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.jcl import RACF_CLASSES
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import typo_of

PROGRAMS = frozenset({"IKJEFT01", "IKJEFT1A", "IKJEFT1B"})
_DEFINES = later(rf"\s*(?:RDEF(?:INE)?|RALT(?:ER)?)[ ]+({RACF_CLASSES})[ ]+\(?([^\s()]+)")
_LISTED = later(rf"\s*(RDEF|RALT)[A-Z]*[ ]+({RACF_CLASSES})[ ]+(?:\(([^()]*)\)|([^\s()]+))")
_OPENS = later(r"\bUACC\(\s*(?!NONE\b)|\bFROM\(|\bWARNING\b")
"""A profile to which users have access without a PERMIT."""
_CHANGES = later(rf"\s*(?:RDEF(?:INE)?|RALT(?:ER)?|RDEL(?:ETE)?)[ ]+({RACF_CLASSES})[ ]")
_RACLIST = later(r"\s*SETR(?:OPTS)?\b.*\bRACL(?:I(?:ST?)?)?\(([^()]*)\)")
_OF_MQ = later(rf"\b(?:{RACF_CLASSES})\b")
_PERMITS = later(r"\s*(?:PERMIT|PE)[ ]+([^\s()]+)")
_CLASS = later(rf"\bCL(?:A(?:SS?)?)?\(\s*({RACF_CLASSES})\s*\)")
_UNIVERSAL = later(r"\bUACC\(\s*(READ|UPDATE|CONTROL|ALTER)\s*\)")
_WARNS = later(r"[ )]WARNING(?:[ ]|$)")
"""RACF then grants each access that the profile denies, with a message."""
_EVERYBODY = later(r"\bID\(\s*\*\s*\)")
_DELETES = later(r"[ )]DELETE(?:[ ]|$)")
_ACCESS = later(r"\bAC(?:C(?:E(?:SS?)?)?)?\(\s*(READ|UPDATE|CONTROL|ALTER)\s*\)")
_LEVEL = later(r"\b(UACC|AC(?:C(?:E(?:SS?)?)?)?)\(\s*([A-Z]+)\s*\)")
_VALID_LEVELS = ("NONE", "EXECUTE", "READ", "UPDATE", "CONTROL", "ALTER")
"""TSO takes each abbreviation of them that is unique."""
_READ_CONNECTS = frozenset({"MQCONN"})
"""Classes in which READ lets a user do more than look: connect to the queue manager."""
_SWITCH = later(r"[^.]+\.(NO|YES)\.(.+)")
_SWITCHES = frozenset(
    "SUBSYS.SECURITY QMGR.CHECKS QSG.CHECKS CONNECT.CHECKS QUEUE.CHECKS PROCESS.CHECKS NLIST.CHECKS"
    " TOPIC.CHECKS CONTEXT.CHECKS ALTERNATE.USER.CHECKS CMD.CHECKS CMD.RESC.CHECKS".split()
)
_CLASSES = tuple(RACF_CLASSES.split("|"))
_PROFILE = later(r"\s*(?:RDEF(?:INE)?|RALT(?:ER)?|RDEL(?:ETE)?)[ ]+([A-Z]{4,8})[ ]+\(?([^\s()]+)")
_IN_CLASS = later(r"\bCL(?:A(?:SS?)?)?\(\s*([A-Z]{4,8})\s*\)")
_GENERIC = later(r"[*%&]|^[^.]*(?:\.[^.]*)?$")
"""A generic profile, or one of a single qualifier after the name of the queue manager."""
_LISTS = later(r"\b(?:RACL(?:I(?:ST?)?)?|CLASSACT|GENERIC|GENCMD)\(([^()]*)\)")
_OPTIONS = later(r"\s*SETR(?:OPTS)?\b")
_FOLDED = later(r"(?i)\s*RDEF(?:INE)?[ ]+(G?MQ(?:ADMIN|QUEUE|PROC|NLIST))[ ]+\(?([^\s()&%*]+)")
"""A profile that RACF gets in a class for names in capitals; each has another for mixed case."""
_CONNECTION = later(r"[A-Z@#$][A-Z0-9@#$]{0,3}\.([A-Z0-9@#$]+)")
_CONNECTIONS = frozenset({"BATCH", "CICS", "IMS", "CHIN"})
"""What follows the name of a queue manager or group in profiles of MQCONN."""
_LEVELS = frozenset({"QMGR.CHECKS", "QSG.CHECKS"})
"""Switches that choose a level of checking; no combination of them turns all checks off."""


def racf_faults(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield commands that turn off checks or give every user access to change resources.

    `text` is the whole job, the commands are from `start` to `end`.
    """
    for command, first, last in _commands(text, start, end):
        for code, fault in (*_fault(command), *_wrong_names(command), *_wrong_access(command)):
            yield diagnostic(code, (first, last), fault=fault)
        if command and (fault := _folded_name(text[first:last])):
            yield diagnostic("racf-name", (first, last), fault=fault)
    commands = list(_commands(text, start, end))
    yield from _not_refreshed(commands)
    yield from _permitted_elsewhere(commands)
    yield from _permitted_in_other_class(commands)


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
        yield diagnostic("racf-refresh", change[1:], **{"class": change[0]})


def _permitted_elsewhere(commands: Sequence[tuple[str, int, int]]) -> Iterator[Diagnostic]:
    """Yield a PERMIT whose profile is defined for another queue manager, without a PERMIT there.

    A job that has one for each of two queue managers, or that is not all known, tells nothing.
    Names of profiles in classes of groups (GMQQUEUE) do not begin with a queue manager.
    """
    defined: dict[tuple[str, str], set[str]] = {}
    opened: set[tuple[str, str]] = set()
    permitted: dict[tuple[str, str], dict[str, Span]] = {}
    for command, *span in commands:
        if not command:
            return
        listed, permit = _LISTED.match(command), _PERMITS.match(command)
        in_class = _CLASS.search(command)
        for verb, of, several, one in (listed.groups(""),) if listed is not None else ():
            for manager, _, rest in (name.partition(".") for name in (several or one).split()):
                if _OPENS.search(command) is not None:
                    opened.add((of, rest))
                elif verb == "RDEF":
                    defined.setdefault((of, rest), set()).add(manager)
        if permit is not None and in_class is not None and not _DELETES.search(command):
            manager, _, rest = permit[1].partition(".")
            permitted.setdefault((in_class[1], rest), {})[manager] = (span[0], span[1])
    for key, places in permitted.items():
        managers = set() if key in opened or key[0].startswith("G") else defined.get(key, set())
        if len(managers) == 1 and len(places) == 1 and managers.isdisjoint(places):
            ((named, place),) = places.items()
            (manager,) = managers
            names = {"profile": f"{named}.{key[1]}", "defined": f"{manager}.{key[1]}"}
            yield diagnostic("racf-other", place, **names)


def _permitted_in_other_class(
    commands: Sequence[tuple[str, int, int]],
) -> Iterator[Diagnostic]:
    """Yield a PERMIT in one class of MQ for a profile that the job defines only in another.

    A PERMIT in the right class, or a command that is not known, shows that both classes may have
    it. A generic name may be that of profiles in several classes.
    """
    if not all(command for command, *_ in commands):
        return
    defined: dict[str, set[str]] = {}
    permitted: dict[str, dict[str, Span]] = {}
    for command, first, last in commands:
        listed, permit, in_class = (
            form(command) for form in (_LISTED.match, _PERMITS.match, _CLASS.search)
        )
        if listed is not None:
            for name in (listed[3] or listed[4]).split():
                defined.setdefault(name, set()).add(listed[2])
        elif permit is not None and in_class is not None and not _DELETES.search(command):
            permitted.setdefault(permit[1], {}).setdefault(in_class[1], (first, last))
    for name, places in permitted.items():
        classes = defined.get(name, set())
        if (
            len(classes) != 1
            or len(places) != 1
            or classes & places.keys()
            or _GENERIC.search(name)
        ):
            continue
        ((permitted_in, place),) = places.items()
        fault = f"{name} is permitted in class {permitted_in}, but defined in {classes.pop()}"
        yield diagnostic("racf-name", place, fault=fault)


def _fault(command: str) -> Iterator[tuple[str, str]]:
    defined = _DEFINES.match(command)
    if defined is not None:
        switch = _SWITCH.fullmatch(defined[2])
        if defined[1] in ("MQADMIN", "MXADMIN") and switch is not None:
            if switch[1] == "NO" and switch[2] in _SWITCHES - _LEVELS:
                yield "racf-switch", f"{defined[2]} turns off {_checks(switch[2])}"
            return
        if _WARNS.search(command) is not None:
            yield "racf-everybody", f"access to {defined[2]} of class {defined[1]} by WARNING"
        access = _UNIVERSAL.search(command)
        if access is not None and _is_too_much(access[1], defined[1]):
            fault = f"{access[1]} access to {defined[2]} of class {defined[1]} by UACC"
            yield "racf-everybody", fault
        return
    permitted, found = _PERMITS.match(command), _CLASS.search(command)
    access = _ACCESS.search(command)
    if permitted is None or found is None or access is None or not _EVERYBODY.search(command):
        return
    if not _DELETES.search(command) and _is_too_much(access[1], found[1]):
        fault = f"{access[1]} access to {permitted[1]} of class {found[1]} by ID(*)"
        yield "racf-everybody", fault


def _wrong_names(command: str) -> Iterator[tuple[str, str]]:
    """Yield classes that are typos of those of MQ, and profiles that MQ never checks."""
    profile = _PROFILE.match(command)
    permitted, in_class = _PERMITS.match(command), _IN_CLASS.search(command)
    profiles, resource = [], ""
    if profile is not None:
        profiles, resource = [profile[1]], profile[2]
    elif permitted is not None and in_class is not None:
        profiles, resource = [in_class[1]], permitted[1]
    elif _OPTIONS.match(command):
        profiles = [
            word for found in _LISTS.findall(command) for word in found.replace(",", " ").split()
        ]
    for word in profiles:
        meant = typo_of(word, _CLASSES) if word.isalpha() else ""
        if meant:
            yield "racf-name", f"{word} is not a RACF class of MQ, the nearest is {meant}"
    is_gone = command.lstrip().startswith("RDEL") or _DELETES.search(command)
    fault = _profile_fault(profiles[0], resource) if resource and not is_gone else ""
    if fault:
        yield "racf-name", fault


def _wrong_access(command: str) -> Iterator[tuple[str, str]]:
    """Yield accesses that RACF does not have, in a command for a class of MQ."""
    if _DEFINES.match(command) or (_PERMITS.match(command) and _CLASS.search(command)):
        for key, access in _LEVEL.findall(command):
            if not any(level.startswith(access) for level in _VALID_LEVELS):
                valid = ", ".join(_VALID_LEVELS)
                yield "racf-name", f"{key}({access}) is not valid, valid: {valid}"


def _folded_name(command: str) -> str:
    """Say that a profile has a name in mixed case, which its class cannot hold; blank if not.

    ("RACF security classes": MQADMIN, MQQUEUE and others hold only uppercase profiles.) A command
    in lower case does not show that: RACF makes capitals of it.
    """
    found = _FOLDED.match(command)
    name = found[2] if found is not None else ""
    rest = name.partition(".")[2]
    if found is None or rest in (rest.upper(), rest.lower()):
        return ""
    of = found[1].upper()
    mixed = of.replace("MQ", "MX", 1)
    return f"profile {name} is in mixed case, which class {of} cannot hold, only {mixed}"


def _profile_fault(profile_class: str, name: str) -> str:
    """What is wrong with the name of a profile, blank for nothing."""
    switch, connection = _SWITCH.fullmatch(name), _CONNECTION.fullmatch(name)
    if profile_class == "MQCONN" and connection is not None:
        if connection[1] not in _CONNECTIONS:
            return f"profile {name} of MQCONN does not end in BATCH, CICS, IMS or CHIN"
    elif switch is not None and profile_class in ("MQADMIN", "MXADMIN"):
        meant = typo_of(switch[2], _SWITCHES)
        if meant:
            return f"{name} is not a switch profile, the nearest is {switch[1]}.{meant}"
        if any(sign in switch[2] for sign in "*%"):
            return f"{name} is generic, so it is not a switch profile"
    elif switch is not None and profile_class in ("GMQADMIN", "GMXADMIN"):
        return f"switch profile {name} is in class {profile_class}, not in {profile_class[1:]}"
    return ""


def _checks(switch: str) -> str:
    """The checks that a switch profile turns off."""
    if switch == "SUBSYS.SECURITY":
        return "all checks"
    return switch.lower().replace("cmd", "command").replace("resc", "resource").replace(".", " ")


def _is_too_much(access: str, profile_class: str) -> bool:
    """Whether every user should not have an access to the profiles of a class."""
    return access != "READ" or profile_class in _READ_CONNECTS
