"""Statements of MQ in what looks like a secret: they stay, because no file may hide them.

A value whose end is not certain (a block, a document without an end, the rest of a line) would
otherwise take the commands after it, and the report would say nothing about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span

_COMMAND = later(
    r"[\s\"'(\\`]*(?:\*[^\n]*\n\s*)*(?:DEF|ALT|SET|DEL|STA|STO|REF|DIS|CLE|RES)[A-Z]*\s+[A-Z]{2,}\s*(?:[(\s'\"]|\Z)",
    re.IGNORECASE,
)
_CONTROL = "runmqsc|(?:crt|str|end|dlt)mqm|(?:crt|set|grt|rvk)mq(?:aut|spl)|(?:add|rmv)mqinf"
_STATEMENT = later(
    rf"""
    (?: (?<![;&|]) [;&|]{{1,2}} [ \t]*+ | ^ | (?<=[\s(\{{'\"`]) )
    (?: (?:[^\s;&|()\{{\}}'\"]*[/\\])?(?:{_CONTROL})(?:\.exe)?[ \t]+[-\w$\"'%\{{]
      | (?:DEF|ALT|SET|DEL|STA|STO|REF|CLE|RES)[A-Z]*+[ \t]+(?:QMGR\b|[A-Z]{{2,12}}[ \t]*\([^)\n]) )
    [^\n]*
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_SHORTEST = 8
"""Characters of a stretch in which a statement has room."""


def is_mqsc(text: str) -> bool:
    """Return whether a text begins with a command of MQSC, after remarks and blank lines."""
    return _COMMAND.match(text) is not None


def outside_statements(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of a stretch that are no statement, each to the end of its line, of MQ."""
    if end - start >= _SHORTEST:
        for statement in _STATEMENT.finditer(text, start, end):
            if start < statement.start():
                yield start, statement.start()
            start = statement.end()
    if start < end:
        yield start, end


def next_statement(text: str, start: int, end: int) -> int:
    """Return where the first statement of MQ in a stretch begins, `end` if none does."""
    found = _STATEMENT.search(text, start, end)
    return end if found is None else found.start()
