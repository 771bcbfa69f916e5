"""Dumps of all queue managers of a loop that a shell script writes to one file.

The loop is over names that only the run knows, as those that dspmq prints. Loops over names that
the script has are steps, which a policy compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_LOOP = later(
    r"(?m)^(?:[^\n#]{0,300}\|)?[ \t]{0,40}(?:for[ \t]+(\w{1,40})[ \t]+in[ \t][^\n;$`]{0,300}[$`]"
    r"|while[ \t]+(?:IFS=\S{0,9}[ \t]+)?read[ \t]+(?:-r[ \t]+)?(\w{1,40})\b)[^\n]{0,300}\n"
)
_END = later(r"(?m)^[ \t]*done\b")
_LONGEST = 4000
"""Limit of the characters of a loop that is searched."""
_DUMP = later(
    r"\bdmpmqcfg[ \t][^\n;|&>]{0,200}?-m[ \t]*[\"']?\$\{?(?P<manager>\w{1,40})\}?[\"']?(?=[ \t])"
    r"[^\n;|&>]{0,200}[ \t]>[ \t]*(?P<file>[^\s;|&<>()`]{1,200})[ \t]{0,40};?[ \t]{0,40}\r?$"
)
_VARIABLE = later(r"\$\{?(\w{1,40})")
_SETS = later(r"(?:^|[ \t;&])(\w{1,40})=|\bread[ \t]+(?:-r[ \t]+)?(\w{1,40})")
_MOVES = later(r"\b(?:cd|pushd|break|exit|return|git)\b|\.sh\b|\*\.\w|/\*")
"""A folder for each dump, a loop that ends after one, or a command that may keep each file."""


def looped_dumps(text: str) -> Iterator[Diagnostic]:
    """Yield the file of a dump in a loop, if no variable that the loop sets is part of its path.

    A loop that names the file once more may keep it elsewhere.
    """
    for loop in _LOOP.finditer(text) if "dmpmqcfg" in text else ():
        start = loop.end()
        if text.find("dmpmqcfg", start, start + _LONGEST) < 0:
            continue
        end = _END.search(text, start, start + _LONGEST)
        body = text[start : end.start()] if end is not None else ""
        for line in body.splitlines() if _MOVES.search(body) is None else ():
            dump = _DUMP.search(line)
            if dump is None or dump["manager"] not in loop.groups():
                continue
            name = dump["file"].rpartition("/")[2].strip("\"'")
            changing = {dump["manager"], *chain.from_iterable(_SETS.findall(body))}
            is_one = changing.isdisjoint(_VARIABLE.findall(dump["file"]))
            if is_one and name and name != "null" and body.count(name) == 1:
                at = start + body.index(line) + dump.start("file")
                span = (at, at + len(dump["file"]))
                yield diagnostic("dump-replaced", span, file=dump["file"].strip("\"'"))
