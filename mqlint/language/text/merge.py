"""Unresolved merge conflicts: both versions of a place are in the file.

    <<<<<<< HEAD
    DEFINE QLOCAL(PAY.IN) MAXDEPTH(5000)
    =======
    DEFINE QLOCAL(PAY.IN) MAXDEPTH(9000)
    >>>>>>> topic

Whatever the language, such a file is read as if the first version alone stood there (git-merge,
"How conflicts are presented").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_MARK = later(r"(?m)^(<{7}|\|{7}|={7}|>{7})(?:[ \t][^\n]*)?\r?$")
_NOT_LINE_END = later(r"[^\r\n]")


def without_conflicts(text: str) -> tuple[str, list[Diagnostic]]:
    """Return the text, at the same length, with blanks for marks and for what is not read.

    Each conflict gives a diagnostic `merge-conflict` at its first mark. Incomplete sets of marks
    stay as they are.
    """
    found: list[Diagnostic] = []
    pieces: list[str] = []
    done = 0
    for opens, divides, ends in _conflicts(text):
        found.append(diagnostic("merge-conflict", (opens.start(), opens.end())))
        pieces += text[done : opens.start()], _blank(opens.group())
        pieces += text[opens.end() : divides.start()], _blank(text[divides.start() : ends.end()])
        done = ends.end()
    pieces.append(text[done:])
    return "".join(pieces), found


def _conflicts(text: str) -> Iterator[tuple[re.Match[str], re.Match[str], re.Match[str]]]:
    """Yield the marks before the first version, after it, and after the last."""
    opens: re.Match[str] | None = None
    divides: re.Match[str] | None = None
    divided = False
    for mark in _MARK.finditer(text):
        sign = mark[1][0]
        if sign == "<":
            opens, divides, divided = mark, None, False
        elif opens is not None and sign in "|=":
            divides = divides or mark
            divided = divided or sign == "="
        elif opens is not None and divides is not None and divided:
            yield opens, divides, mark
            opens = divides = None


def _blank(text: str) -> str:
    return _NOT_LINE_END.sub(" ", text)
