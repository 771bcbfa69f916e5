"""Settings of the environment in which a script or a unit runs MQ: variables, limits, service type.

They are found by lines, in any shell: `export`, `set`, `$env:`, `ulimit`, settings of a unit.
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
_UNIT_LIMIT = later(
    r"^[ \t]*Limit(NOFILE|NPROC)[ \t]*=[ \t]*(\d{1,9})(?::\d+)?[ \t]*\r?$", re.MULTILINE
)
_LEAST = {"n": OPEN_FILES, "NOFILE": OPEN_FILES, "u": PROCESSES, "NPROC": PROCESSES}
_WHAT = {"n": "open files", "NOFILE": "open files", "u": "processes", "NPROC": "processes"}
_TYPE = later(r"^[ \t]*Type[ \t]*=[ \t]*(\S*)[ \t]*\r?$", re.MULTILINE)
_STARTS = later(r"^[ \t]*ExecStart[ \t]*=(?>[^\n]*\bstrmqm\b)[^\n;&|]*$", re.MULTILINE)
_STAYS = later(
    r"^[ \t]*(?:RemainAfterExit[ \t]*=[ \t]*(?:yes|true|on|1)"
    r"|KillMode[ \t]*=[ \t]*(?:none|process))\b",
    re.MULTILINE | re.IGNORECASE,
)
_OPEN_TO_ALL = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+"
    r"(0?[0-7]{2}[2367]|(?:[ao]|ugo)\+(?=\w*w)\w++)[ \t]+"
    r"[\"']?(/(?:var/mqm|MQHA|mnt/mqm)(?:/(?:qmgrs|log|vols)\S{0,200})?)(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)


def environment_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the settings of a script that take something from the queue managers it runs."""
    if "MQSNOAUT" in text.upper():
        for found in _OAM_OFF.finditer(text):
            yield Diagnostic("oam-off", *found.span(1))
    yield from _limits(_ULIMIT, text)
    for found in _OPEN_TO_ALL.finditer(text):
        yield Diagnostic("open-to-all", *found.span(1), {"mode": found[1], "path": found[2][:60]})


def unit_faults(text: str) -> Iterator[Diagnostic]:
    """Yield what a unit of systemd sets that a queue manager does not run well with."""
    yield from environment_faults(text)
    yield from _limits(_UNIT_LIMIT, text)
    starts = _STARTS.search(text)
    if starts is None or _STAYS.search(text) is not None:
        return
    kind = _TYPE.search(text)
    written = kind[1].lower() if kind is not None else "simple"
    if written in ("simple", "exec", "idle", "oneshot"):
        span = starts.span() if kind is None else kind.span(1)
        yield Diagnostic("unit-type", *span, {"type": written})


def _limits(form: re.Pattern[str], text: str) -> Iterator[Diagnostic]:
    """Limits that are lower than what IBM asks for."""
    for found in form.finditer(text):
        least = _LEAST[found[1]]
        if int(found[2]) < least:
            data = {"value": found[2], "least": str(least), "what": _WHAT[found[1]]}
            yield Diagnostic("limit-too-low", *found.span(2), data)
