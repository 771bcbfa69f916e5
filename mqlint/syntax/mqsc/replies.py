"""What stands in a text of MQSC and is neither command nor comment: output of tools, told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from mqlint.syntax.mqsc.script import Slice
from mqlint.syntax.mqsc.shape import Names
from mqlint.syntax.transcript import as_reply, is_reply

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"\s*+([A-Za-z]*+)")


def preamble_of(text: str, header: int, names: Names) -> int:
    """Return where the comment begins that holds the `header` of a dump, 0 if nothing precedes it.

    What precedes it is what other tools said when the dump was taken; where a comment or a command
    comes first it is a script, and 0 is returned.
    """
    start = text.rfind("\n", 0, header) + 1
    while start > 0 and text[(before := text.rfind("\n", 0, start - 1) + 1)] == "*":
        start = before
    word = _WORD.match(text)
    if word is None or word.end() >= start or text[word.start(1)] == "*":
        return 0
    return 0 if names.verb(word[1].upper()) is not None else start


def without_preamble(text: str, start: int) -> str:
    """Return `text` with what stands before `start` as lines of asterisks, at the same length."""
    lines = text[:start].split("\n")
    return "\n".join(map(as_reply, lines)) + text[start:]


def with_replies(slices: list[Slice], text: str, end: int) -> Iterator[Slice]:
    """Tell replies from comments among the slices of `text` before `end`."""
    for one in slices:
        if one.kind != "comment" or one.start >= end:
            yield one
            continue
        lines = [line.span() for line in _LINE.finditer(text, one.start, one.end)]
        for reply, group in groupby(lines, lambda at: at[0] < end and is_reply(text[slice(*at)])):
            spans = list(group)
            yield Slice("reply" if reply else "comment", spans[0][0], spans[-1][1])
