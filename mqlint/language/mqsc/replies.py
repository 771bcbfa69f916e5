"""Text in MQSC that is neither command nor comment: output of tools."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

from mqlint.language.mqsc.script import Slices
from mqlint.language.mqsc.session.script_text import as_reply, is_reply
from mqlint.language.mqsc.shape import Names
from mqlint.patterns import later

_LINE = later(r"[^\n]*\n|[^\n]+")
_WRITTEN = later(r"[^\n]+")
_WORD = later(r"\s*+([A-Za-z]*+)")


def preamble_of(text: str, header: int, names: Names) -> int:
    """Return the start of the comment with the `header` of a dump, 0 if nothing precedes it.

    The text before it is output of other tools when the dump was taken. If it begins with a comment
    or a command, the text is a script, and 0 is returned.
    """
    start = text.rfind("\n", 0, header) + 1
    while start > 0 and text[(before := text.rfind("\n", 0, start - 1) + 1)] == "*":
        start = before
    word = _WORD.match(text)
    if word is None or word.end() >= start or text[word.start(1)] == "*":
        return 0
    return 0 if names.verb(word[1].upper()) is not None else start


def without_preamble(text: str, start: int) -> str:
    """Return `text` with lines of asterisks before `start`, at the same length."""
    output = _WRITTEN.sub(_as_reply, text[:start])
    return output + text[start:]


def _as_reply(line: re.Match[str]) -> str:
    return _stars(len(line.group())) if line.group().strip() else line.group()


@lru_cache(maxsize=256)
def _stars(count: int) -> str:
    """One text for all replies of a length, as a file may have a million."""
    return as_reply("x" * count)


def with_replies(slices: Slices, text: str, end: int) -> Slices:
    """Mark replies among the slices of `text` before `end`."""
    separated = Slices(len(text))
    for piece in slices:
        if piece.kind != "comment" or piece.start >= end:
            separated.add(piece.kind, piece.start, piece.end)
            continue
        lines = (line.span() for line in _LINE.finditer(text, piece.start, piece.end))
        start = piece.start
        for reply, group in groupby(lines, lambda at: at[0] < end and is_reply(text[slice(*at)])):
            stop = max(at[1] for at in group)
            separated.add("reply" if reply else "comment", start, stop)
            start = stop
    return separated
