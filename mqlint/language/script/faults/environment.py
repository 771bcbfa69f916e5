"""Faults of the environment in which a script or a unit runs MQ: variables, limits, passwords.

They are found by lines, in any shell and in files that set limits: `export`, `$env:`, `ulimit`,
`LimitNOFILE=`, limits.conf, sysctl.conf, tasks of Ansible.

Source of the limits: IBM MQ documentation, "Configuring and tuning the operating system on Linux"
(q008550_).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.faults.permissions import permission_faults
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


_ULIMIT = later(r"(?m)^[ \t]*ulimit[ \t]+(?:-[HS][ \t]+)?-[HS]?([nu])[ \t]+(\d{1,9})\b")
_LIMITS_LINE = later(
    r"""(?mx)^[ \t]*(?:echo[ \t]+(?:["'][ \t]*)?)?@?mqm[ \t]+(?:soft|hard|-)[ \t]+
    (nofiles?|nprocs?|noproc)[ \t]+(\d{1,9}|-1|unlimited|infinity)\b"""
)
"""A line of limits.conf for the user mqm, as scripts write it: `mqm hard nofile 10240`."""
_KERNEL = later(
    r"(?m)^[^#;\n]{0,200}?\b(kernel\.[a-z_-]{3,12}|fs\.file-max)[ \t]*=[ \t]*[\"']?"
    r"(\d{1,18}(?:[ \t]+\d{1,12}){0,3}+)"
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
    if "kernel." in text or "fs.file-max" in text:
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


# -- calls of the REST API -------------------------------------------------------------------------


_CURL = later(r"(?<![\w./-])curl[ \t](?:\\\r?\n|[^\n;|]){0,2000}")
_REST_USER = later(rf"[ \t](-\w{{0,8}}u|--user)[ \t=]*+[\"']?[\w.@-]{{1,60}}:({HIDDEN}+)")
_REST_HEADER = later(
    r"(?i)[ \t](-\w{0,8}H|--header)[ \t=]*+[\"']?Authorization:[ \t]*(?:Basic|Bearer)[ \t]+"
    rf"({HIDDEN}+)(?=[\"'])"
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


# -- variables -------------------------------------------------------------------------------------


_OAM_OFF = later(
    r"""(?imx)^[ \t]*(?:@?(?:export|declare[ \t]-x|typeset[ \t]-x|setenv|setx|set|env)[ \t]+"?
    |\$env:|Environment[ \t]*=(?:[^\n]*[ \t"'])?["']?)?
    (MQSNOAUT)[ \t]*(?:=|[ \t]\w)"""
)
_SHELL_TEXT = later(
    r"""(?sx)(?:\b(?:ba|k|z|da)?sh|\bsu\b[^\n;|&"']{0,60})[ \t]+-[a-z]{0,4}c[ \t]+
    ("(?:[^"\\]|\\.)*+"|'[^']*+')"""
)
"""The text that a command gives to a shell of its own; its variables end with that shell."""
_RUN_SETMQENV = later(
    r"(?m)(?:^[ \t]*(?:(?:sh|bash|ksh|sudo)[ \t]+)?|[ \t]-[a-z]{0,3}c[ \t]+[\"'][ \t]*)"
    r"\"?(?:[/$]\S{0,200}/)?(setmqenv)(?=\"?[ \t]+-[a-z]\b)"
)
_ONLY_SETMQENV = later(
    r"\s*+(?:(?:#|set[ \t])[^\n]*+\n\s*+)*+(?:\.|source)[ \t]++\"?(?:[^\s;&|<>]{0,200}/)?"
    r"(setmqenv)(?=[\s\"])[^\n;&|<>\\]*+(?:\n\s*+)?"
)
_BATCH_SETMQENV = later(
    r"(?im)^[ \t]*@?(?:\"[^\"\n]{0,200}\\|[^\s\"&|<>]{0,200}\\)?(setmqenv)"
    r"(?:\.cmd)?\"?[ \t]+-[a-z]\b"
    r"[^\n&|]*\n(?:[ \t\r]*\n){0,9}+(?=[ \t]*[^\s])(?![ \t]*(?:exit|endlocal)\b)"
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


def lost_setmqenv(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv if it is all that a shell runs before it ends."""
    found = _ONLY_SETMQENV.fullmatch(text) if "setmqenv" in text else None
    if found is not None:
        fault = "sets variables of a shell that ends after it, so the next command has none of them"
        yield diagnostic("setmqenv-run", found.span(1), fault=fault)


def ended_by_setmqenv(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv in a batch file that does not call it.

    A batch file ends when it runs another one without `call`, and setmqenv is one.
    """
    for found in _BATCH_SETMQENV.finditer(text) if "setmqenv" in text else ():
        fault = "ends this batch file, because call is missing"
        yield diagnostic("setmqenv-run", found.span(1), fault=fault)
