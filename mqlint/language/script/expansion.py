"""Texts of MQSC that a shell changes before runmqsc reads them: `$SYS` of a topic string.

POSIX, "Here-Document": parameters are expanded in the lines unless a part of the delimiter is
quoted. Quotes inside the lines protect nothing. A variable that is not set leaves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.patterns import later

_SYS = later(r"(?<![\\$])\$SYS(?=/)")
_HERE = later(r"<<-?[ \t]*([\"'\\]?)([A-Za-z_]\w{0,60})")
_SET = later(r"(?:^|[;&|({\s])SYS=")
_QUOTED = later(r"'[^'\n]{0,2000}'|\"(?:[^\"\\\n]|\\.){0,2000}\"")


def expansion_faults(text: str) -> Iterator[Diagnostic]:
    """Yield each `$SYS` of a topic string that the shell replaces."""
    if "$SYS/" not in text or _SET.search(text) is not None:
        return
    at, end_word, expands = 0, "", False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if end_word:
            if bare == end_word:
                end_word = ""
            elif expands:
                yield from (_fault(at + found.start()) for found in _SYS.finditer(line))
        elif not bare.startswith("#"):
            here = _HERE.search(line)
            if here is not None:
                end_word, expands = here[2], not here[1]
            elif "runmqsc" in line:
                yield from (_fault(at + start) for start in _in_double_quotes(line))
        at += len(line)


def _in_double_quotes(line: str) -> Iterator[int]:
    """Yield where `$SYS` is in a text in double quotes, in which single quotes mean nothing."""
    for quoted in _QUOTED.finditer(line):
        if quoted[0].startswith('"'):
            yield from (found.start() for found in _SYS.finditer(line, *quoted.span()))


def _fault(start: int) -> Diagnostic:
    return Diagnostic("sys-expanded", start, start + len("$SYS"))
