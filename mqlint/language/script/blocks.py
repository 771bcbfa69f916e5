"""Blocks of a text that a brace at the indentation of their head ends: functions, resources."""

from __future__ import annotations

from collections.abc import Iterator
from re import Pattern

from mqlint.patterns import later
from mqlint.source.lines import Span

_FUNCTION = later(r"(?m)^([ \t]*+)(?i:function[ \t]++)?([\w-]{1,80}+)[ \t]*+(?:\([ \t]*+\))?\s*+\{")


def functions_in(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the functions of a shell or of PowerShell by name, each with the place of its body."""
    return blocks_in(_FUNCTION, text)


def blocks_in(head: Pattern[str], text: str) -> Iterator[tuple[str, Span]]:
    """Yield the blocks with a head, of which the groups are indentation and name.

    A block whose first line closes it ends there. One in another is not yielded.
    """
    at = 0
    while (found := head.search(text, at)) is not None:
        start, line = found.end(), text.find("\n", found.end())
        at = line if line >= 0 else len(text)
        if text.count("}", start, at) <= text.count("{", start, at):
            end = text.find(f"\n{found[1]}}}", start)
            at = len(text) if end < 0 else end
        yield found[2], (start, at)
