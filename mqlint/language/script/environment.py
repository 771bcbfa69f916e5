"""Faults of the environment in which a script or a unit runs MQ: variables, limits, access.

They are found by lines, in any shell: `export`, `set`, `$env:`, `ulimit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.patterns import later
from mqlint.vocabulary.limits import OPEN_FILES, PROCESSES

_OAM_OFF = later(
    r"""^[ \t]*(?:@?(?:export|declare[ \t]-x|typeset[ \t]-x|setenv|setx|set|env)[ \t]+"?
    |\$env:|Environment[ \t]*=(?:[^\n]*[ \t"'])?["']?)?
    (MQSNOAUT)[ \t]*(?:=|[ \t]\w)""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_ULIMIT = later(r"^[ \t]*ulimit[ \t]+(?:-[HS][ \t]+)?-[HS]?([nu])[ \t]+(\d{1,9})\b", re.MULTILINE)
_LIMITS_LINE = later(
    r"""^[ \t]*(?:echo[ \t]+(?:["'][ \t]*)?)?@?mqm[ \t]+(?:soft|hard|-)[ \t]+
    (nofiles?|nprocs?|noproc)[ \t]+(\d{1,9}|-1|unlimited|infinity)\b""",
    re.MULTILINE | re.VERBOSE,
)
"""A line of limits.conf for the user mqm, as scripts write it: `mqm hard nofile 10240`."""
_RUN_SETMQENV = later(
    r"^[ \t]*(?:(?:sh|bash|ksh|sudo)[ \t]+)?(?:/\S{0,200}/)?(setmqenv)(?=[ \t]+-[a-z]\b)",
    re.MULTILINE,
)
_LEAST = {"n": OPEN_FILES, "NOFILE": OPEN_FILES, "u": PROCESSES, "NPROC": PROCESSES}
_WHAT = {"n": "open files", "NOFILE": "open files", "u": "processes", "NPROC": "processes"}
_OPEN_TO_ALL = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+"
    r"(0?[0-7]{2}[2367]|(?:[ao]|ugo)\+(?=\w*w)\w++)[ \t]+"
    r"[\"']?(/(?:var/mqm|MQHA|mnt/mqm)(?:/(?:qmgrs|log|vols)\S{0,200})?)(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)
_KEYS_OPEN = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+(0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++)"
    r"[ \t]+(?:[\"']?[^\s#;&|]{0,200}[ \t]+){0,5}?[\"']?"
    r"([^\s#;&|\"']{0,200}/(?:qmgrs|mqm/ssl)/[^\s#;&|\"']{0,200}\.(?:kdb|sth|p12|\*))",
    re.MULTILINE,
)


def environment_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the settings of a script that take something from the queue managers it runs."""
    if "MQSNOAUT" in text.upper():
        for found in _OAM_OFF.finditer(text):
            yield Diagnostic("oam-off", *found.span(1))
    yield from limits_of(_ULIMIT, text)
    yield from _limits_conf(text)
    for found in _OPEN_TO_ALL.finditer(text):
        yield _open_to_all(found, "write")
    for found in _KEYS_OPEN.finditer(text) if "chmod" in text else ():
        if _OPEN_TO_ALL.match(text, found.start()) is None:
            yield _open_to_all(found, "read")


def _open_to_all(found: re.Match[str], does: str) -> Diagnostic:
    data = {"mode": found[1], "does": does, "path": found[2][:60]}
    return Diagnostic("open-to-all", *found.span(1), data)


def unsourced(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv in a script of a shell that runs it as a program of its own."""
    for found in _RUN_SETMQENV.finditer(text) if "setmqenv" in text else ():
        yield Diagnostic("setmqenv-run", *found.span(1))


def _limits_conf(text: str) -> Iterator[Diagnostic]:
    """Yield limits in lines of limits.conf that are too low, or whose name pam_limits ignores."""
    for found in _LIMITS_LINE.finditer(text):
        name, value = found[1], found[2]
        is_known = name in ("nofile", "nproc")
        least = OPEN_FILES if name.startswith("nofile") else PROCESSES
        data = {"least": str(least), "what": "open files" if least == OPEN_FILES else "processes"}
        if not is_known:
            yield Diagnostic("limit-too-low", *found.span(1), {**data, "value": _unknown(name)})
        elif value.isdigit() and int(value) < least:
            yield Diagnostic("limit-too-low", *found.span(2), {**data, "value": value})


def _unknown(name: str) -> str:
    return f"not set ({name} is not the name of a limit)"


def limits_of(form: re.Pattern[str], text: str) -> Iterator[Diagnostic]:
    """Yield the limits that are lower than what IBM asks for; `form` finds a name and a number."""
    for found in form.finditer(text):
        least = _LEAST[found[1]]
        if int(found[2]) < least:
            data = {"value": found[2], "least": str(least), "what": _WHAT[found[1]]}
            yield Diagnostic("limit-too-low", *found.span(2), data)
