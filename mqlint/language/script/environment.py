"""Faults of the environment in which a script or a unit runs MQ: variables, limits, access.

They are found by lines, in any shell: `export`, `set`, `$env:`, `chmod`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.language.script.limits import limit_faults
from mqlint.language.script.permissions import permission_faults
from mqlint.patterns import later

_OAM_OFF = later(
    r"""^[ \t]*(?:@?(?:export|declare[ \t]-x|typeset[ \t]-x|setenv|setx|set|env)[ \t]+"?
    |\$env:|Environment[ \t]*=(?:[^\n]*[ \t"'])?["']?)?
    (MQSNOAUT)[ \t]*(?:=|[ \t]\w)""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
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
        for found in _OAM_OFF.finditer(text):
            yield Diagnostic("oam-off", *found.span(1))
    yield from limit_faults(text)
    yield from permission_faults(text)


def unsourced(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv in a script of a shell that runs it as a program of its own."""
    for found in _RUN_SETMQENV.finditer(text) if "setmqenv" in text else ():
        fault = "runs in its own process, so it sets no variables for this script"
        yield Diagnostic("setmqenv-run", *found.span(1), {"fault": fault})


def ended_by_setmqenv(text: str) -> Iterator[Diagnostic]:
    """Yield setmqenv in a batch file that does not call it.

    A batch file ends when it runs another one without `call`, and setmqenv is one.
    """
    for found in _BATCH_SETMQENV.finditer(text) if "setmqenv" in text else ():
        fault = "ends this batch file, because call is missing"
        yield Diagnostic("setmqenv-run", *found.span(1), {"fault": fault})
