"""Statements of template languages around and inside commands: what stands in a branch may not run.

`{% if %}`, `{{- if }}`, `<% if %>` and the like decide at rendering time which lines there will
be. A line that holds nothing else is dropped like a comment where it stands inside a command.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

MARK = "\ue001"
"""Stands for each character of a line that holds statements only."""

_LINE = later(rf"^[ \t]*({PLACEHOLDER}[{PLACEHOLDER} \t\r\f\v]*)$", re.MULTILINE)
_STATEMENT = later(
    r"\{%|\{#|<%(?![=%])"
    r"|\{\{[-~]?[ \t]*(?:/\*|[#/^!]|(?:if|else|end|range|with|define|break|continue)\b)"
)
_OPENS = later(
    r"\{%[-+]?[ \t]*(?:if|for|unless|case)\b"
    r"|\{\{[-~]?[ \t]*(?:(?:if|range|with|define)\b|#)"
    r"|<%-?(?:[ \t]*(?:if|unless|for|while|case)\b|[^%\n]*\bdo\b)"
)
_CLOSES = later(
    r"\{%[-+]?[ \t]*end(?:if|for|unless|case)\b"
    r"|\{\{[-~]?[ \t]*(?:end\b|/(?!\*))"
    r"|<%-?[ \t]*(?:end\b|\})"
)


def mark(text: str, covered: str) -> tuple[str, list[tuple[int, int]]]:
    """Return `covered` with the lines that hold statements marked, and where branches stand.

    `covered` is `text` with its templates covered. Each branch is the text between two lines of
    statements, so that the sides of an alternative are two. One that is not closed ends with the
    text.
    """
    pieces: list[str] = []
    branches: list[tuple[int, int]] = []
    depth = done = begin = 0
    for line in _LINE.finditer(covered):
        start, end = line.span(1)
        if _STATEMENT.match(text, start) is None:
            continue
        pieces += covered[done:start], MARK * (end - start)
        done = end
        statements = text[start:end]
        if depth and text[begin:start].strip():
            branches.append((begin, start))
        depth += len(_OPENS.findall(statements)) - len(_CLOSES.findall(statements))
        depth = max(depth, 0)
        begin = end
    if depth:
        branches.append((begin, len(text)))
    return "".join(pieces) + covered[done:], branches


def is_inside(branches: list[tuple[int, int]], offset: int) -> bool:
    """Whether `offset` stands in one of `branches`, which are in order."""
    at = bisect_left(branches, (offset + 1, 0)) - 1
    return at >= 0 and offset < branches[at][1]
