"""Commands of RACF for the classes of MQ, in jobs that run TSO, in REXX and in files of their own.

IBM's pages "Switch profiles", "Profiles to control subsystem security" (q011480_) and "Resource
level checks" (q011510_): a profile NO.* in MQADMIN or MXADMIN turns checks off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.jcl import RACF_CLASSES
from mqlint.language.jcl.statements import COMMENT, READ, blanks_for
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import typo_of

PROGRAMS = frozenset({"IKJEFT01", "IKJEFT1A", "IKJEFT1B"})
_CHANGES = later(
    r"\s*(?P<verb>RDEF|RALT|RDEL)(?:INE|ER|ETE)?[ ]+(?P<of>[A-Z]{4,8})[ ]+"
    r"(?:\((?P<several>[^()]*)|(?P<one>[^\s()]+))"
)
_PERMITS = later(r"\s*(?:PERMIT|PE)[ ]+([^\s()]+)")
_IN_CLASS = later(r"\bCL(?:A(?:SS?)?)?\(\s*([A-Z]{4,8})\s*\)")
_OPENS = later(r"\bUACC\(\s*(?!NONE\b)|\bFROM\(|\bWARNING\b")
"""A profile to which users have access without a PERMIT."""
_RACLIST = later(r"\s*SETR(?:OPTS)?\b.*\bRACL(?:I(?:ST?)?)?\(([^()]*)\)")
_OF_MQ = later(rf"\b(?:{RACF_CLASSES})\b")
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
_SWITCH = later(r"[^.]*\.(NO|YES)\.(.+)")
_SWITCHES = frozenset(
    "SUBSYS.SECURITY QMGR.CHECKS QSG.CHECKS CONNECT.CHECKS QUEUE.CHECKS PROCESS.CHECKS NLIST.CHECKS"
    " TOPIC.CHECKS CONTEXT.CHECKS ALTERNATE.USER.CHECKS CMD.CHECKS CMD.RESC.CHECKS".split()
)
_CLASSES = tuple(RACF_CLASSES.split("|"))
_DEFINING = ("RDEF", "RALT")
_GENERIC = later(r"[*%&]|^[^.]*(?:\.[^.]*)?$")
"""A generic profile, or one of a single qualifier after the name of the queue manager."""
_LISTS = later(r"\b(?:RACL(?:I(?:ST?)?)?|CLASSACT|GENERIC|GENCMD)\(([^()]*)\)")
_OPTIONS = later(r"\s*SETR(?:OPTS)?\b")
_FOLDED = later(r"(?i)\s*RDEF(?:INE)?[ ]+(G?MQ(?:ADMIN|QUEUE|PROC|NLIST))[ ]+\(?([^\s()&%*]+)")
"""A profile that RACF gets in a class for names in capitals; each has another for mixed case."""
_CONNECTION = later(r"(?:[A-Z@#$][A-Z0-9@#$]{0,3})?\.([A-Z0-9@#$]+)")
_CONNECTIONS = frozenset({"BATCH", "CICS", "IMS", "CHIN"})
"""What follows the name of a queue manager or group in profiles of MQCONN."""
_LEVELS = frozenset({"QMGR.CHECKS", "QSG.CHECKS"})
"""Switches that choose a level of checking; no combination of them turns all checks off."""
_BEGINS = later(
    r"(?i)\s*(?:TSO[ ]+)?(?=(?:RDEF(?:INE)?|RALT(?:ER)?|RDEL(?:ETE)?|PERMIT|PE|SETR(?:OPTS)?)\b)"
)
_VARIABLE = later(rf"(?<=[ (]){PLACEHOLDER}+(?=\.)")
"""The name of a queue manager that is a variable or a template."""
_OF_CLIST = later(r"(?i)&[A-Z@#$_][A-Z0-9@#$_]{0,30}\.?")
_REXX = later(r"(?i)\s*+/\*[^*]*?\bREXX\b")
_LITERAL = later(r"(?im)^[ \t]*+(?:address[ \t]+tso\b|[\"'](?:RDEF|RALT|PE|SETR))")
_RECORD = 80
"""Characters of a record, of which those after `READ` may be a number."""
_TOKEN = later(r"\"[^\"\n]*\"|'[^'\n]*'|[\w.!?@#$]+|\s+|.")


class _Command(NamedTuple):
    """One command in capitals on one line, blank if a placeholder is in it.

    A placeholder for the queue manager is left out: the name of its profile begins with a dot, and
    `is_whole` is false. The verb is RDEF, RALT, RDEL, PERMIT or, for a PERMIT that takes an access
    away, DELETE. Any other command has no verb, no class and no profiles.
    """

    text: str
    span: Span
    written: str = ""
    is_whole: bool = False
    verb: str = ""
    of: str = ""
    profiles: Sequence[str] = ()

    @property
    def is_of_mq(self) -> bool:
        return self.of in _CLASSES


def racf_faults(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield commands that turn off checks or give every user access to change resources.

    `text` is the whole job, the commands are from `start` to `end`.
    """
    yield from _faults([*_commands(text, start, end)])


def tso_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the same for a file that has the commands outside of a job: a list, REXX or CLIST."""
    is_rexx = _REXX.match(text) is not None or _LITERAL.search(text) is not None
    bare = COMMENT.sub(lambda it: blanks_for(it) if it[0].endswith("*/") else it[0], text)
    yield from _faults([*(_of_rexx(bare) if is_rexx else _listed(bare))])


def _faults(commands: Sequence[_Command]) -> Iterator[Diagnostic]:
    for command in commands:
        for code, fault in (*_fault(command), *_wrong_names(command), *_wrong_access(command)):
            yield diagnostic(code, command.span, fault=_without_dots(fault))
        if command.text and (fault := _folded_name(command.written)):
            yield diagnostic("racf-name", command.span, fault=_without_dots(fault))
    if all(command.is_whole for command in commands):
        yield from _not_refreshed(commands)
        yield from _permitted_elsewhere(commands)
        yield from _permitted_in_other_class(commands)


def _without_dots(fault: str) -> str:
    """A fault with names that a placeholder began, without what is left of it."""
    return " ".join(word.removeprefix(".") for word in fault.split(" "))


def _commands(text: str, start: int, end: int) -> Iterator[_Command]:
    at = start
    pending = -1
    for line in text[start:end].splitlines(keepends=True):
        begin, at = at, at + len(line)
        if pending < 0:
            pending = begin
        if line[:READ].rstrip().endswith(("-", "+")):
            continue
        command = " ".join(part[:READ].rstrip(" -+\r\n") for part in text[pending:at].splitlines())
        first = pending + len(command) - len(command.lstrip())
        last = pending + len(text[pending:at].rstrip())
        yield _read(command, (first, last))
        pending = -1


def _listed(text: str) -> Iterator[_Command]:
    """Yield the commands of a list or a CLIST; other lines count if they have a placeholder."""
    parts: list[str] = []
    at = first = 0
    for line in text.splitlines(keepends=True):
        begin, at = at, at + len(line)
        record = line.rstrip()
        if len(record) == _RECORD and is_digits(record[READ:]):
            record = record[:READ].rstrip()
        prefix = _BEGINS.match(record) if not parts else None
        if prefix is not None:
            first, record = begin + len(line) - len(line.lstrip()), record[prefix.end() :]
        elif not parts:
            if not is_known(record):
                yield _Command("", (begin, begin + len(record)))
            continue
        covered = _OF_CLIST.sub(lambda found: PLACEHOLDER * len(found[0].rstrip(".")), record)
        parts.append(covered.rstrip(" -+"))
        if not record.endswith(("-", "+")):
            yield _read(" ".join(parts), (first, begin + len(line.rstrip())))
            parts = []


def _of_rexx(text: str) -> Iterator[_Command]:
    """Yield the commands that a program in REXX hands to TSO: texts, with variables between them.

    A blank between two parts is one of the command, unless they are joined by `||`. What a program
    leaves out is not known, so each command is judged alone.
    """
    written = gap = before = ""
    at = first = 0
    for line in text.splitlines(keepends=True):
        begin, at = at, at + len(line)
        before = before if written else ""
        for word in _TOKEN.findall(line.rstrip()):
            literal = word[1:-1] if word[0] in "\"'" and len(word) > 1 else None
            prefix = _BEGINS.match(literal or "")
            if not written and literal and prefix is not None and before.lower() != "say":
                written, first = literal[prefix.end() :], begin + len(line) - len(line.lstrip())
            elif word == ";":
                break
            elif word in "|," or word.isspace():
                gap = "" if word == "|" or before == "|" else " "
            elif written:
                written += gap + (PLACEHOLDER if literal is None else literal)
            gap = gap if word in "|," or word.isspace() else ""
            before = before if word.isspace() or (word, before) == (",", "|") else word
        if written and not line.rstrip().endswith(","):
            yield _read(written, (first, begin + len(line.rstrip())), alone=True)
            written = gap = ""


def _read(written: str, span: Span, *, alone: bool = False) -> _Command:
    is_whole = is_known(written) and not alone
    written = _VARIABLE.sub("", written)
    command = written.upper() if is_known(written) else ""
    change, permit = _CHANGES.match(command), _PERMITS.match(command)
    in_class = _IN_CLASS.search(command)
    found = _Command(command, span, written, is_whole)
    if change is not None:
        names = (change["several"] or change["one"] or "").split()
        return found._replace(verb=change["verb"], of=change["of"], profiles=names)
    if permit is None or in_class is None:
        return found
    verb = "PERMIT" if _DELETES.search(command) is None else "DELETE"
    return found._replace(verb=verb, of=in_class[1], profiles=[permit[1]])


def _not_refreshed(commands: Sequence[_Command]) -> Iterator[Diagnostic]:
    """Yield the last change of profiles if classes of MQ are loaded before, but not after it.

    Without a SETROPTS RACLIST, another job may refresh the classes. Which classes are refreshed
    together is not known (those with one POSIT are), so the refresh of any class of MQ will do.
    """
    loaded, change = False, None
    for command in commands:
        raclist = _RACLIST.match(command.text)
        if raclist is not None and _OF_MQ.search(raclist[1]):
            loaded, change = True, None
        change = command if command.is_of_mq else change
    if loaded and change is not None:
        yield diagnostic("racf-refresh", change.span, **{"class": change.of})


def _permitted_elsewhere(commands: Sequence[_Command]) -> Iterator[Diagnostic]:
    """Yield a PERMIT whose profile is defined for another queue manager, without a PERMIT there.

    A job that has one for each of two queue managers tells nothing. Names of profiles in classes of
    groups (GMQQUEUE) do not begin with a queue manager.
    """
    defined: dict[tuple[str, str], set[str]] = {}
    opened: set[tuple[str, str]] = set()
    permitted: dict[tuple[str, str], dict[str, Span]] = {}
    for command in commands:
        for name in command.profiles if command.is_of_mq else ():
            manager, _, rest = name.partition(".")
            key = command.of, rest
            if command.verb == "PERMIT":
                permitted.setdefault(key, {})[manager] = command.span
            elif command.verb in _DEFINING and _OPENS.search(command.text) is not None:
                opened.add(key)
            elif command.verb == "RDEF":
                defined.setdefault(key, set()).add(manager)
    for key, places in permitted.items():
        managers = set() if key in opened or key[0].startswith("G") else defined.get(key, set())
        if len(managers) == 1 and len(places) == 1 and managers.isdisjoint(places):
            ((named, place),) = places.items()
            (manager,) = managers
            names = {"profile": f"{named}.{key[1]}", "defined": f"{manager}.{key[1]}"}
            yield diagnostic("racf-other", place, **names)


def _permitted_in_other_class(commands: Sequence[_Command]) -> Iterator[Diagnostic]:
    """Yield a PERMIT in one class of MQ for a profile that the job defines only in another.

    A PERMIT in the right class shows that both classes may have it. A generic name may be that of
    profiles in several classes.
    """
    defined: dict[str, set[str]] = {}
    permitted: dict[str, dict[str, Span]] = {}
    for command in commands:
        for name in command.profiles if command.is_of_mq else ():
            if command.verb in _DEFINING:
                defined.setdefault(name, set()).add(command.of)
            elif command.verb == "PERMIT":
                permitted.setdefault(name, {}).setdefault(command.of, command.span)
    for name, places in permitted.items():
        classes = defined.get(name, set())
        is_one = len(classes) == len(places) == 1 and classes.isdisjoint(places)
        if is_one and _GENERIC.search(name) is None:
            ((permitted_in, place),) = places.items()
            fault = f"{name} is permitted in class {permitted_in}, but defined in {classes.pop()}"
            yield diagnostic("racf-name", place, fault=fault)


def _fault(command: _Command) -> Iterator[tuple[str, str]]:
    text, of = command.text, command.of
    name = command.profiles[0] if command.profiles and command.is_of_mq else ""
    if name and command.verb in _DEFINING:
        switch = _SWITCH.fullmatch(name)
        if of in ("MQADMIN", "MXADMIN") and switch is not None:
            if switch[1] == "NO" and switch[2] in _SWITCHES - _LEVELS:
                yield "racf-switch", f"{name} turns off {_checks(switch[2])}"
            return
        if _WARNS.search(text) is not None:
            yield "racf-everybody", f"access to {name} of class {of} by WARNING"
        access = _UNIVERSAL.search(text)
        if access is not None and _is_too_much(access[1], of):
            yield "racf-everybody", f"{access[1]} access to {name} of class {of} by UACC"
    access = _ACCESS.search(text) if name and command.verb == "PERMIT" else None
    if access is not None and _EVERYBODY.search(text) and _is_too_much(access[1], of):
        yield "racf-everybody", f"{access[1]} access to {name} of class {of} by ID(*)"


def _wrong_names(command: _Command) -> Iterator[tuple[str, str]]:
    """Yield classes that are typos of those of MQ, and profiles that MQ never checks."""
    classes = [command.of] if command.of else []
    if _OPTIONS.match(command.text):
        listed = _LISTS.findall(command.text)
        classes = [word for found in listed for word in found.replace(",", " ").split()]
    for word in classes:
        meant = typo_of(word, _CLASSES) if word.isalpha() else ""
        if meant:
            yield "racf-name", f"{word} is not a RACF class of MQ, the nearest is {meant}"
    is_kept = command.profiles and command.verb not in ("RDEL", "DELETE")
    fault = _profile_fault(command.of, command.profiles[0]) if is_kept else ""
    if fault:
        yield "racf-name", fault


def _wrong_access(command: _Command) -> Iterator[tuple[str, str]]:
    """Yield accesses that RACF does not have, in a command for a class of MQ."""
    is_giving = command.is_of_mq and command.verb != "RDEL"
    for key, access in _LEVEL.findall(command.text) if is_giving else ():
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
