"""Files of which each pass of a loop in a shell script replaces the content.

They are dumps of all queue managers of the loop, and commands for runmqsc. The loop is over names
that only the run knows, as those that dspmq prints. Loops over names that the script has are steps,
which a policy compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
_PRINTED = later(
    r"\b(?:echo|printf|print)[ \t](?P<text>[^\n>|]{0,400}?)[ \t]*(?<![>&\d])>(?!>)[ \t]*"
    r"(?P<file>[^\s;|&<>()`]{1,200})[ \t]{0,40};?[ \t]{0,40}\r?$"
)
_FED = later(r"(?<!<)<(?!<)[ \t]*[\"']?([^\s\"'<>|;&()]{1,200})")
_COMMAND = later(r"(?i)[\"']?[ \t]*(?:def(?:ine)?|alt(?:er)?|set|del(?:ete)?|start|stop)[ \t]")
_VARIABLE = later(r"\$\{?(\w{1,40})")
_SETS = later(r"(?:^|[ \t;&])(\w{1,40})=|\bread[ \t]+(?:-r[ \t]+)?(\w{1,40})")
_MOVES = later(r"\b(?:cd|pushd|break|exit|return|git)\b|\.sh\b|\*\.\w|/\*")
"""A folder for each dump, a loop that ends after one, or a command that may keep each file."""


def looped_dumps(text: str) -> Iterator[Diagnostic]:
    """Yield the file of a dump in a loop, if no variable that the loop sets is part of its path.

    A loop that names the file once more may keep it elsewhere.
    """
    for names, start, body in _bodies(text, "dmpmqcfg"):
        for line in body.splitlines() if _MOVES.search(body) is None else ():
            dump = _DUMP.search(line)
            if dump is None or dump["manager"] not in names:
                continue
            name = dump["file"].rpartition("/")[2].strip("\"'")
            is_one = _changing(names, body).isdisjoint(_VARIABLE.findall(dump["file"]))
            if is_one and name and name != "null" and body.count(name) == 1:
                at = start + body.index(line) + dump.start("file")
                span = (at, at + len(dump["file"]))
                yield diagnostic("dump-replaced", span, file=dump["file"].strip("\"'"))


def looped_commands(text: str) -> Iterator[Diagnostic]:
    """Yield the file of commands that each pass of a loop replaces, and that runmqsc reads after.

    A loop in which another command names the file, or that sets a part of its path, keeps them.
    """
    fed = {found[1] for found in _FED.finditer(text)} if "runmqsc" in text else set[str]()
    for names, start, body in _bodies(text, "runmqsc") if fed else ():
        lines = [line for line in body.splitlines() if ">" in line]
        for line in lines if "runmqsc" not in body and _MOVES.search(body) is None else ():
            printed = _PRINTED.search(line)
            if printed is None or _COMMAND.match(printed["text"]) is None:
                continue
            file, changing = printed["file"].strip("\"'"), _changing(names, body)
            is_one = changing.isdisjoint(_VARIABLE.findall(file)) and body.count(file) == 1
            if (
                is_one
                and file in fed
                and not changing.isdisjoint(_VARIABLE.findall(printed["text"]))
            ):
                at = start + body.index(line) + printed.start("file")
                yield diagnostic("commands-replaced", (at, at + len(printed["file"])), file=file)


def _bodies(text: str, word: str) -> Iterator[tuple[tuple[str, ...], int, str]]:
    """Yield the variables of each loop that may concern a word, and its body with its offset."""
    for loop in _LOOP.finditer(text) if word in text else ():
        start = loop.end()
        end = _END.search(text, start, start + _LONGEST)
        if end is not None:
            yield tuple(filter(None, loop.groups())), start, text[start : end.start()]


def _changing(names: Iterable[str], body: str) -> set[str]:
    """The variables that a loop sets."""
    return {*names, *chain.from_iterable(_SETS.findall(body))}
