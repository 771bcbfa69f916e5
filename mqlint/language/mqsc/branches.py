"""Statements of template languages in and around commands: a command in a branch may not run.

`{% if %}`, `{{- if }}`, `<% if %>`, `%{ if }` and the like decide on lines when the template is
rendered. Inside a command, a line with nothing but statements is dropped like a comment.
"""

from __future__ import annotations

from bisect import bisect_left

from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

MARK = "\ue001"
"""Replaces each character of a line that has only statements."""

_LINE = later(rf"(?m)^[ \t]*({PLACEHOLDER}[{PLACEHOLDER} \t\r\f\v]*)$")
_STATEMENT = later(
    r"\{%|\{#|<%(?![=%])|%\{~?[ \t]*(?:if|else|end|for)"
    r"|\{\{[-~]?[ \t]*(?:/\*|[#/^!]|(?:if|else|end|range|with|define|break|continue)\b)"
)
_OPENS = later(
    r"\{%[-+]?[ \t]*(?:if|for|unless|case)\b"
    r"|\{\{[-~]?[ \t]*(?:(?:if|range|with|define)\b|#)"
    r"|<%-?(?:[ \t]*(?:if|unless|for|while|case)\b|[^%\n]*\bdo\b)"
    r"|%\{~?[ \t]*(?:if|for)\b"
)
_CLOSES = later(
    r"\{%[-+]?[ \t]*end(?:if|for|unless|case)\b"
    r"|\{\{[-~]?[ \t]*(?:end\b|/(?!\*))"
    r"|<%-?[ \t]*(?:end\b|\})"
    r"|%\{~?[ \t]*end(?:if|for)\b"
)


def mark(text: str, covered: str) -> tuple[str, list[tuple[int, int]]]:
    """Return `covered` with its lines of statements marked, and the places of the branches.

    `covered` is `text` with its templates covered. A branch is the text between two lines of
    statements, so the sides of an alternative are two branches. One without an end goes to the end
    of the text.
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
    """Return whether `offset` is in one of `branches`, which are in order."""
    at = bisect_left(branches, (offset + 1, 0)) - 1
    return at >= 0 and offset < branches[at][1]
