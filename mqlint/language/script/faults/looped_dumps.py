"""Files of which each pass of a loop in a shell script replaces the content.

They are dumps of all queue managers of the loop, and commands for runmqsc. The loop is over names
that only the run knows, as those that dspmq prints. Loops over names that the script has are steps,
which a policy compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import chain

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later
from mqlint.source.lines import line_spans

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
    for dump, names, _, body in _outputs(text, "dmpmqcfg", _DUMP):
        name = dump["file"].rpartition("/")[2].strip("\"'")
        if dump["manager"] in names and name not in ("", "null") and body.count(name) == 1:
            yield diagnostic("dump-replaced", dump.span("file"), file=dump["file"].strip("\"'"))


def looped_commands(text: str) -> Iterator[Diagnostic]:
    """Yield the file of commands that each pass of a loop replaces, and that runmqsc reads after.

    A loop in which another command names the file, or that sets a part of its path, keeps them.
    """
    fed = {found[1] for found in _FED.finditer(text)} if "runmqsc" in text else set[str]()
    for printed, _, changing, body in _outputs(text, "runmqsc", _PRINTED) if fed else ():
        file, content = printed["file"].strip("\"'"), printed["text"]
        is_read_after = file in fed and body.count(file) == 1 and "runmqsc" not in body
        is_changing = not changing.isdisjoint(_VARIABLE.findall(content))
        if is_read_after and is_changing and _COMMAND.match(content) is not None:
            yield diagnostic("commands-replaced", printed.span("file"), file=file)


def _outputs(
    text: str, word: str, writes: re.Pattern[str]
) -> Iterator[tuple[re.Match[str], Set[str], Set[str], str]]:
    """Yield what writes the same file in each pass of a loop, if the text has a word.

    With it are the variables of the loop, all that the loop sets, and its body.
    """
    for loop in _LOOP.finditer(text) if word in text else ():
        start = loop.end()
        end = _END.search(text, start, start + _LONGEST)
        body = text[start : end.start()] if end is not None else ""
        names = {*filter(None, loop.groups())}
        changing = {*names, *chain.from_iterable(_SETS.findall(body))}
        lines = line_spans(text, start, start + len(body))
        for span in lines if _MOVES.search(body) is None else ():
            written = writes.search(text, *span)
            if written is not None and changing.isdisjoint(_VARIABLE.findall(written["file"])):
                yield written, names, changing, body
