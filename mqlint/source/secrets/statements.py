"""Statements of MQ in what looks like a secret: they stay, because no file may hide them.

A value whose end is not certain (a block, a document without an end, the rest of a line) would
otherwise take the commands after it, and the report would say nothing about them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.words import in_line

_COMMAND = later(
    r"(?i)[\s\"'(\\`]*(?:\*[^\n]*\n\s*)*(?:DEF|ALT|SET|DEL|STA|STO|REF|DIS|CLE|RES)[A-Z]*\s+[A-Z]{2,}\s*(?:[()\s'\"]|\Z)"
)
_CONTROL = "runmqsc|(?:crt|str|end|dlt)mqm|(?:crt|set|grt|rvk)mq(?:aut|spl)|(?:add|rmv)mqinf"
_STATEMENT = later(
    rf"""(?imx)
    (?: (?<![;&|]) [;&|]{{1,2}} [ \t]*+ | ^ | (?<=[\s(\{{'\"`]) )
    (?: (?:[^\s;&|()\{{\}}'\"]*[/\\])?(?:{_CONTROL})(?:\.exe)?[ \t]+[-\w$\"'%\{{]
      | (?:DEF|ALT|SET|DEL|STA|STO|REF|CLE|RES)[A-Z]*+[ \t]+(?:QMGR\b|[A-Z]{{2,12}}[ \t]*\([^)\n]) )
    """
)
_SHORTEST = 8
"""Characters of a stretch in which a statement has room."""
_LONGEST = 2_000
"""Characters of a statement that stay."""


def is_mqsc(text: str) -> bool:
    """Return whether a text begins with a command of MQSC, after remarks and blank lines."""
    return _COMMAND.match(text) is not None


def outside_statements(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the parts of stretches outside statements of MQ, which go on to the end of their lines.

    No part of the text is searched twice, however many stretches hold it: only those that begin
    inside a statement are secrets of it, and are searched up to its end.
    """
    covered = 0
    enclosing: Span = (0, 0)  # the last statement that begins before the next stretch
    statements: deque[Span] = deque()
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while statements and statements[0][0] < start:
            enclosing = statements.popleft()
        if start < enclosing[1]:
            yield from (part for part, _ in _parts(text, start, min(end, enclosing[1])))
            start = enclosing[1]
        for part, statement in _parts(text, max(start, covered), end):
            yield part
            if statement is not None:
                statements.append(statement)
        covered = max(covered, end)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[Span, Span | None]]:
    """Yield the parts between statements, each with the statement after it."""
    for found in _STATEMENT.finditer(text, start, end) if end - start >= _SHORTEST else ():
        if found.start() >= start:
            statement = found.start(), in_line(text, found.start(), "")
            statement = statement[0], min(statement[1], statement[0] + _LONGEST)
            yield (start, statement[0]), statement
            start = statement[1]
    if start < end:
        yield (start, end), None


def next_statement(text: str, start: int) -> int:
    """Return where the first statement of MQ after an offset begins, else the end of the text."""
    found = _STATEMENT.search(text, start)
    return len(text) if found is None else found.start()
