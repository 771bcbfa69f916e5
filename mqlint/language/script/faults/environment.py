"""Faults of the environment in which a script or a unit runs MQ: variables, limits, access.

They are found by lines, in any shell and in files that set limits: `export`, `$env:`, `chmod`,
`ulimit`, `LimitNOFILE=`, limits.conf, sysctl.conf, tasks of Ansible. A key without a folder is in
the one that the last `cd` before it names.

Source of the limits: IBM MQ documentation, "Configuring and tuning the operating system on Linux"
(q008550_).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import NamedFile
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.source.masking import HIDDEN
from mqlint.vocabulary.limits import KERNEL, OPEN_FILES, PROCESSES

# -- settings in lines of a task or of a unit ------------------------------------------------------


_KEY = later(
    r"[ \t]*(?:- +)?([A-Za-z_]{2,16})[ \t]*[:=][ \t]*(?:\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|"
    r"([^\s\"'](?:[^\n\"'#]{0,200}[^\s\"'#])?))"
)
"""A setting on a line of its own, its value in quotes or without them."""
_NEIGHBOURS = 6
_NEAR = 2_000


def settings_around(text: str, start: int) -> Mapping[str, tuple[str, int]]:
    """Return the settings of the lines around the one at `start`, at most six each way.

    Each has its value and the offset of that. Another line ends them.
    """
    found: dict[str, tuple[str, int]] = {}
    for line, at in _around(text, start):
        setting = _KEY.match(line)
        if setting is not None:
            group = next(number for number in (2, 3, 4) if setting[number] is not None)
            found.setdefault(setting[1].lower(), (setting[group], at + setting.start(group)))
    return found


def _around(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the lines of one item around `start` that are settings, with their offsets."""
    at = start
    lines = text[start : start + _NEAR].split("\n")[: _NEIGHBOURS + 1]
    for number, line in enumerate(lines):
        if _KEY.match(line) is None or (number and _begins_item(line)):
            break
        yield line, at
        at += len(line) + 1
    before = text[max(0, start - _NEAR) : start].split("\n")[:-1]
    at = start
    for line in () if _begins_item(lines[0]) else reversed(before[-_NEIGHBOURS:]):
        at -= len(line) + 1
        if _KEY.match(line) is None:
            break
        yield line, at
        if _begins_item(line):
            break


def _begins_item(line: str) -> bool:
    return line.lstrip().startswith("- ")


# -- limits of users, settings of the kernel -------------------------------------------------------


_ULIMIT = later(r"^[ \t]*ulimit[ \t]+(?:-[HS][ \t]+)?-[HS]?([nu])[ \t]+(\d{1,9})\b", re.MULTILINE)
_LIMITS_LINE = later(
    r"""^[ \t]*(?:echo[ \t]+(?:["'][ \t]*)?)?@?mqm[ \t]+(?:soft|hard|-)[ \t]+
    (nofiles?|nprocs?|noproc)[ \t]+(\d{1,9}|-1|unlimited|infinity)\b""",
    re.MULTILINE | re.VERBOSE,
)
"""A line of limits.conf for the user mqm, as scripts write it: `mqm hard nofile 10240`."""
_KERNEL = later(
    r"^[^#;\n]{0,200}?\b(kernel\.[a-z_-]{3,12})[ \t]*=[ \t]*[\"']?"
    r"(\d{1,18}(?:[ \t]+\d{1,12}){0,3}+)",
    re.MULTILINE,
)
"""A line of sysctl.conf, or what `sysctl -w` and echo are given: `kernel.shmmni = 4096`."""
_TASK = later(r"(?m)^[ \t]*(?:- +)?(limit_item|name)[ \t]*:[ \t]*[\"']?(nofile|nproc|kernel\.\w+)")
"""A limit or a setting in a task of Ansible: pam_limits and sysctl."""
_LIMITS = {
    **dict.fromkeys(("n", "NOFILE", "nofile"), ("open files", OPEN_FILES)),
    **dict.fromkeys(("u", "NPROC", "nproc"), ("processes", PROCESSES)),
}
"""What is limited and how many IBM asks for, by the words of ulimit, systemd and pam_limits."""


def limit_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the limits and settings of any text that are lower than IBM asks for."""
    yield from limits_of(_ULIMIT, text)
    yield from _limits_conf(text)
    if "kernel." in text:
        yield from kernel_faults(text)
    for found in _TASK.finditer(text) if "value:" in text else ():
        yield from _task(text, found)


def limits_of(form: re.Pattern[str], text: str) -> Iterator[Diagnostic]:
    """Yield the limits that are lower than what IBM asks for; `form` finds a name and a number."""
    for found in form.finditer(text):
        yield from _too_low(found[1], found[2], found.span(2))


def kernel_faults(text: str) -> Iterator[Diagnostic]:
    """Yield settings of the kernel in lines of sysctl.conf that are too low."""
    for found in _KERNEL.finditer(text):
        yield from kernel_fault(found[1], found[2], found.span(2))


def _limits_conf(text: str) -> Iterator[Diagnostic]:
    """Yield limits in lines of limits.conf that are too low, or whose name pam_limits ignores."""
    for found in _LIMITS_LINE.finditer(text):
        name = found[1]
        if name in _LIMITS:
            yield from _too_low(name, found[2], found.span(2))
        else:
            what, least = _LIMITS["nofile" if name.startswith("nofile") else "nproc"]
            value = f"not set ({name} is not the name of a limit)"
            yield diagnostic(
                "limit-too-low", found.span(1), value=value, least=str(least), what=what
            )


def _task(text: str, found: re.Match[str]) -> Iterator[Diagnostic]:
    """Yield the limit of a task for the user mqm, or its setting of the kernel."""
    task = settings_around(text, found.start())
    value, at = task.get("value", ("", 0))
    span = at, at + len(value)
    if found[2] in _LIMITS:
        if task.get("domain", ("", 0))[0] == "mqm":
            yield from _too_low(found[2], value, span)
    else:
        yield from kernel_fault(found[2], value, span)


def kernel_fault(name: str, value: str, span: tuple[int, int]) -> Iterator[Diagnostic]:
    """Yield a setting of which a number is too low; kernel.sem has four."""
    least = KERNEL.get(name)
    numbers = [whole_number(word) for word in value.split()]
    if least is None or len(numbers) != len(least) or None in numbers:
        return
    if any((number or 0) < floor for number, floor in zip(numbers, least, strict=True)):
        yield diagnostic(
            "limit-too-low", span, value=value, least=" ".join(map(str, least)), what=name
        )


def _too_low(name: str, value: str, span: tuple[int, int]) -> Iterator[Diagnostic]:
    what, least = _LIMITS[name]
    number = whole_number(value)
    if number is not None and number < least:
        yield diagnostic("limit-too-low", span, value=value, least=str(least), what=what)


# -- owners and modes ------------------------------------------------------------------------------


_OF_MQ = r"/(?:var/mqm|MQHA|mnt/mqm)(?:/(?:qmgrs|log|vols)\S{0,200})?"
_OPEN_TO_ALL = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(0?[0-7]{2}[2367]|(?:[ao]|ugo)\+(?=\w*w)\w++)[\"']?[ \t]+"
    rf"[\"']?({_OF_MQ})(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)
_KEYS_OPEN = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++)[\"']?[ \t]+"
    r"(?:[\"']?[^\s#;&|]{0,200}[ \t]+){0,5}?[\"']?"
    r"([^\s#;&|\"']{0,200}/(?:qmgrs|mqm/ssl)/[^\s#;&|\"']{0,200}\.(?:kdb|sth|p12|\*)"
    r"|[\w.-]{1,60}\.(?:kdb|sth|p12)(?=[\"']?(?:\s|$)))",
    re.MULTILINE,
)
_FOLDER_OPEN = later(
    r"^[^#\n]*(?<![\w-])chmod((?:[ \t]+-{1,2}\w+)*+)[ \t]+[\"']?"
    r"(0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++)[\"']?[ \t]+"
    r"[\"']?([^\s#;&|\"'*]{1,200}+)(\*?)[\"']?[ \t]*(?=[\r;&|]|$)",
    re.MULTILINE,
)
"""Options, a mode with which every user reads, a folder, and whether all its files are meant."""
_KEYS_MADE = later(
    r"(?<![\w-])runmq(?:a|c)km[ \t][^\n]{0,400}?[ \t]-db[ \t]+"
    r"[\"']?([^\s\"']{1,200})/[^\s/\"']{1,100}\.(?:kdb|p12)\b"
)
"""The folder in which a command makes or changes a key database."""
_FOUND_OPEN = later(
    r"^[^#\n]*(?<![\w-])find[ \t]+[\"']?"
    r"(?P<path>/[^\s\"'|;]{1,200})(?P<tests>[^\n|;]{0,300}?)"
    r"(?:-exec|-execdir|\|[ \t]*xargs[^\n|;]{0,40}?)[ \t]+chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(?P<mode>0?[0-7]{2}[2-7]|(?:[ao]|ugo)\+(?=\w*[rw])\w++)(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)
"""A mode for all files that `find` finds, where every user may read or write them."""
_NAMES_OF_FOUND = later(r"-i?name[ \t]+[\"']?([^\s\"']+)")
_NAME_OF_KEYS = later(r"(?:key|\*|[\w-]+)\.(?:kdb|sth|p12|\*)")
_NARROWER = later(
    r"(?:^|\s)(?:!|-not|-prune|-i?path|-i?regex|-user|-perm|-o|-type[ \t]+[^fd])(?=\s)"
)
"""Tests of `find` that are not followed here."""
_IS_FOLDER = later(r"-type[ \t]+d\b")
_MQ_FOLDER = later(rf"{_OF_MQ}/?")
_FOLDER = later(r"(?m)^[ \t]*(?:cd|pushd)[ \t]+([^\n;&|]{1,200})")
_COMMAND_OF = {"mode": "chmod", "owner": "chown"}
_KEYS_OF_MQ = later(r"/(?:qmgrs/[^/\s]+|mqm)/ssl[\"'/]*\s*$")
_FOREIGN_OWNER = later(
    r"^[^#\n]*(?<![\w-])chown[ \t]+(?:-\w+[ \t]+)*+[\"']?(root|nobody)(?::(?!mqm\b)\w*)?[\"']?"
    rf"[ \t]+[\"']?({_OF_MQ})(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)


def permission_faults(text: str) -> Iterator[Diagnostic]:
    """Yield owners and modes with which others than mqm read, write or own MQ's files."""
    if "chmod" in text:
        folders = _Folders(text)
        for found in _OPEN_TO_ALL.finditer(text):
            yield _permission_fault("open-to-all", found, "write")
        for found in _KEYS_OPEN.finditer(text):
            is_open = _OPEN_TO_ALL.match(text, found.start()) is not None
            if not is_open and ("/" in found[2] or folders.has_keys(found.start())):
                yield _permission_fault("open-to-all", found, "read")
        yield from _open_folders(text)
        yield from _found_files(text)
    if "chown" in text:
        for found in _FOREIGN_OWNER.finditer(text):
            yield diagnostic("foreign-owner", found.span(1), owner=found[1], path=found[2])


def _open_folders(text: str) -> Iterator[Diagnostic]:
    """Yield modes with which every user reads all files of a folder that has keys.

    It is that of a queue manager's keys, or the script makes a key database there before.
    """
    made: dict[str, int] = {}
    for found in _KEYS_MADE.finditer(text):
        made.setdefault(_plain(found[1]), found.end())
    for found in _FOLDER_OPEN.finditer(text):
        options, mode, path, star = found.groups()
        if not star and "R" not in options and "--recursive" not in options:
            continue
        if (star and not path.endswith("/")) or _OPEN_TO_ALL.match(text, found.start()):
            continue
        folder = _plain(path.rstrip("/"))
        is_made = made.get(folder, len(text)) < found.start()
        if is_made or _KEYS_OF_MQ.search(folder) is not None:
            yield diagnostic("open-to-all", found.span(2), mode=mode, does="read", path=path + star)


def _found_files(text: str) -> Iterator[Diagnostic]:
    """Yield modes that `find` gives to the files of a queue manager or to its keys."""
    for found in _FOUND_OPEN.finditer(text) if "find" in text else ():
        path, tests, mode = found["path"], found["tests"], found["mode"]
        names = [name[1] for name in _NAMES_OF_FOUND.finditer(tests)]
        if _NARROWER.search(tests) is not None or len(names) > 1:
            continue
        has_keys = bool(names) and _NAME_OF_KEYS.fullmatch(names[0]) is not None
        has_keys = has_keys and names[0] != "*.*"
        is_of_mq = _MQ_FOLDER.fullmatch(path) is not None
        is_of_keys = _KEYS_OF_MQ.search(path.rstrip("/")) is not None
        is_writing = mode[-1] in "2367" or "w" in mode
        if is_writing and is_of_mq and (has_keys or not names):
            does = "write"
        elif _IS_FOLDER.search(tests) is None and (
            has_keys if is_of_mq and not is_of_keys else is_of_keys and (has_keys or not names)
        ):
            does = "read"
        else:
            continue
        yield diagnostic("open-to-all", found.span("mode"), mode=mode, does=does, path=path)


def _plain(path: str) -> str:
    """A path without the braces of its variables."""
    return path.replace("{", "").replace("}", "")


def resource_faults(
    path: str, settings: Iterable[tuple[str, str, tuple[int, int]]]
) -> Iterator[Diagnostic]:
    """Yield the faults of a file that a tool describes: its path, and its `mode` and `owner`.

    Each of the `settings` has its name, its value and the place of that.
    """
    for name, value, span in settings:
        command = _COMMAND_OF.get(name, "")
        for fault in permission_faults(f"{command} {value} {path}") if command else ():
            yield replace(fault, start=span[0], end=span[1])


class _Folders:
    """The folders that `cd` names, in the order of the text."""

    def __init__(self, text: str) -> None:
        self._found = [
            (found.start(), _KEYS_OF_MQ.search(found[1]) is not None)
            for found in _FOLDER.finditer(text)
        ]

    def has_keys(self, offset: int) -> bool:
        """Whether a command at an offset runs in the folder of a queue manager's keys."""
        at = bisect_left(self._found, (offset,))
        return at > 0 and self._found[at - 1][1]


def _permission_fault(code: str, found: re.Match[str], does: str) -> Diagnostic:
    return diagnostic(code, found.span(1), mode=found[1], does=does, path=found[2])


# -- calls of the REST API -------------------------------------------------------------------------


_CURL = later(r"(?<![\w./-])curl[ \t](?:\\\r?\n|[^\n;|]){0,2000}")
_REST_USER = later(rf"[ \t](-\w{{0,8}}u|--user)[ \t=]*+[\"']?[\w.@-]{{1,60}}:({HIDDEN}+)")
_REST_HEADER = later(
    r"[ \t](-\w{0,8}H|--header)[ \t=]*+[\"']?Authorization:[ \t]*(?:Basic|Bearer)[ \t]+"
    rf"({HIDDEN}+)(?=[\"'])",
    re.IGNORECASE,
)


def rest_passwords(text: str) -> Iterator[Diagnostic]:
    """Yield passwords and tokens that curl is given for the REST API or the console of MQ."""
    for command in _CURL.finditer(text) if "/ibmmq/" in text else ():
        if "/ibmmq/" not in command[0]:
            continue
        for form in (_REST_USER, _REST_HEADER):
            given = form.search(command[0])
            if given is not None:
                start, end = (command.start() + at for at in given.span(2))
                yield diagnostic("control-password", (start, end), command="curl", option=given[1])


# -- channel tables --------------------------------------------------------------------------------


_BESIDE = (
    r"(?:\.|\$PWD|\$\{PWD\}|\$\(pwd\)|\$\(dirname[ ]\"?\$(?:0|\{BASH_SOURCE(?:\[0\])?\})\"?\))"
)
"""The folder of a script, as scripts write it; `.` is that of a script that changes no folder."""
_TABLE_FOLDER = later(rf"\bMQCHLLIB=[\"']?{_BESIDE}((?:/[\w.-]+)*)/?[\"']?(?=[\s;&]|$)")
_TABLE_NAME = later(r"\bMQCHLTAB=[\"']?([\w.-]+)[\"']?(?=[\s;&]|$)")
_TABLE_ADDRESS = later(rf"\bMQCCDTURL=[\"']?file:(?://)?{_BESIDE}/([\w./-]+)[\"']?(?=[\s;&]|$)")
_CHANGES_FOLDER = later(r"(?m)(?:^|[;&|])[ \t]*(?:cd|pushd)[ \t]")
_NOT_SET = later(r"(?:^|[ \t])#|\b(?:echo|printf)[ \t]")
"""What is before a variable in a comment, or in a text that is printed."""


def channel_tables(text: str) -> Iterator[NamedFile]:
    """Yield the channel table that variables of a script name, if it is below the script's folder.

    Sources: MQCCDTURL, MQCHLLIB, MQCHLTAB ("Connecting client applications to queue managers using
    environment variables", q027450_).
    """
    if "MQCCDTURL" in text:
        within = found = _TABLE_ADDRESS.search(text)
        folder, is_one = "", text.count("MQCCDTURL=") == 1
    else:
        within = _TABLE_FOLDER.search(text) if "MQCHLTAB" in text else None
        found = _TABLE_NAME.search(text) if within is not None else None
        folder = within[1].lstrip("/") if within is not None else ""
        is_one = text.count("MQCHLTAB=") == text.count("MQCHLLIB=") == 1
    if found is None or within is None or not is_one or _CHANGES_FOLDER.search(text) is not None:
        return
    if not (_sets(text, within.start()) and _sets(text, found.start())):
        return
    if text.count(found[1]) == 1:  # otherwise the script may make the table
        yield NamedFile(f"{folder}/{found[1]}" if folder else found[1], found.span(1))


def _sets(text: str, start: int) -> bool:
    """Whether the variable at `start` is not in a comment or a text that is printed."""
    return _NOT_SET.search(text[text.rfind("\n", 0, start) + 1 : start]) is None


# -- variables -------------------------------------------------------------------------------------


_OAM_OFF = later(
    r"""^[ \t]*(?:@?(?:export|declare[ \t]-x|typeset[ \t]-x|setenv|setx|set|env)[ \t]+"?
    |\$env:|Environment[ \t]*=(?:[^\n]*[ \t"'])?["']?)?
    (MQSNOAUT)[ \t]*(?:=|[ \t]\w)""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_SHELL_TEXT = later(
    r"""(?:\b(?:ba|k|z|da)?sh|\bsu\b[^\n;|&"']{0,60})[ \t]+-[a-z]{0,4}c[ \t]+
    ("(?:[^"\\]|\\.)*+"|'[^']*+')""",
    re.DOTALL | re.VERBOSE,
)
"""The text that a command gives to a shell of its own; its variables end with that shell."""
_RUN_SETMQENV = later(
    r"^[ \t]*(?:(?:sh|bash|ksh|sudo)[ \t]+)?(?:/\S{0,200}/)?(setmqenv)(?=[ \t]+-[a-z]\b)",
    re.MULTILINE,
)
_BATCH_SETMQENV = later(
    r"^[ \t]*@?(?:\"[^\"\n]{0,200}\\|[^\s\"&|<>]{0,200}\\)?(setmqenv)(?:\.cmd)?\"?[ \t]+-[a-z]\b"
    r"[^\n&|]*\n(?:[ \t\r]*\n){0,9}+(?=[ \t]*[^\s])(?![ \t]*(?:exit|endlocal)\b)",
    re.MULTILINE | re.IGNORECASE,
)
"""setmqenv as a command of its own, and a command on a line after it."""


def environment_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the settings of a script that take something from the queue managers it runs."""
    if "MQSNOAUT" in text.upper():
        inner = [found.span(1) for found in _SHELL_TEXT.finditer(text)]
        without = [span for span in inner if "crtmqm" not in text[slice(*span)]]
        for found in _OAM_OFF.finditer(text):
            before = bisect_left(without, found.span(1)) - 1
            if before < 0 or without[before][1] <= found.start(1):
                yield diagnostic("oam-off", found.span(1))
    yield from limit_faults(text)
    yield from permission_faults(text)
    yield from rest_passwords(text)


def unsourced(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv in a script of a shell that runs it as a program of its own."""
    for found in _RUN_SETMQENV.finditer(text) if "setmqenv" in text else ():
        fault = "runs in its own process, so it sets no variables for this script"
        yield diagnostic("setmqenv-run", found.span(1), fault=fault)


def ended_by_setmqenv(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv in a batch file that does not call it.

    A batch file ends when it runs another one without `call`, and setmqenv is one.
    """
    for found in _BATCH_SETMQENV.finditer(text) if "setmqenv" in text else ():
        fault = "ends this batch file, because call is missing"
        yield diagnostic("setmqenv-run", found.span(1), fault=fault)
