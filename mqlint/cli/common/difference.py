"""Two texts as a unified diff, without the lines that hold a secret."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from difflib import unified_diff

from mqlint.language.mqsc.parser import Parser
from mqlint.language.mqsc.secrets import secrets_in
from mqlint.report.terminal import visible
from mqlint.source.secrets.signs import secret_spans

_HIDDEN = "(a line with a secret is not shown)"
_MOST_LINES = 5_000
"""The longest text of which a diff is made: the time for one may grow with the square."""


def shown_difference(path: str, before: str, after: str, parser: Parser) -> Iterator[str]:
    """Yield the lines of a unified diff; what could steer a terminal is escaped."""
    if max(before.count("\n"), after.count("\n")) > _MOST_LINES:
        yield visible(f"{path}: changed, and too long to show (more than {_MOST_LINES:,} lines)")
        return
    texts, name = (_lines(before, parser), _lines(after, parser)), path.lstrip("/")
    for line in unified_diff(*texts, f"a/{name}", f"b/{name}", lineterm=""):
        yield visible(line)


def _lines(text: str, parser: Parser) -> list[str]:
    lines = text.split("\n")
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    spans = [*secret_spans(text), *secrets_in(parser.parse(text), text, parser.forms.names)]
    for start, end in spans:
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, max(end - 1, start)) - 1
        for number in range(first, last + 1):
            lines[number] = _HIDDEN
    return lines if lines[-1] else lines[:-1]
