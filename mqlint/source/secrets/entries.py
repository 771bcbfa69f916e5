"""Entries that give a program its input or a file its content, and the input of jobs of z/OS.

Tools of deployment say in one entry what a script says in a line: `command:` and `stdin:`, `dest:`
and `content:`. What a value is for is said beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.patterns import headed, later
from mqlint.source.lines import Span
from mqlint.source.secrets.forms import finder, forms
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.sinks import Reads, is_secret_file, reads
from mqlint.source.secrets.statements import is_mqsc
from mqlint.source.secrets.values import option_value, value_after
from mqlint.source.secrets.words import first_line

_SUPPLY = later(
    r"(?<![\w.-])(?:(?P<input>stdin|input(?:string)?)|content|text)"
    r"(?=[\"']?[ \t]*(?:=>|[:=])|[ \t]+[\"'])"
)
_FILE = later(
    r"(?<![\w-])(?:(?:dest|path|file)[\"']?[ \t]*(?:=>|[:=])[ \t]*[\"']?"
    r"|file[ \t]+(?:\{[ \t]*)?[\"'])"
    r"([^\s\"',;:]{1,200})"
)
_BORDER = later(r"\n[ \t]*(?:- (?:name|\w+:)|\n|end\b)|(?<!args: )[{}\]]|\bdo\b")
_NEAR = 400
"""Characters before and after a value that belong to its entry."""
_UNIT_INPUT = later(r"(?m)^StandardInput(?:Text|Data)[ \t]*=[ \t]*([^\n]+)")
_UNIT_STARTS = later(r"(?m)^Exec\w+[ \t]*=([^\n]+)")
_TYPED = later(
    r"(?i)(?<![\w-])(?:type|\$?class)[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"(?=[\w.]{0,40}(?:secret|securestring|password))[\w.]{1,60}[\"']?(?=[\s,;>}\]])"
    r"|(?<![\w-])(?:sensitive|masked|secure|is_?secret)[\"']?[ \t]*:[ \t]*true\b"
)
"""A type that says that a value is secret, or a key that does."""
_VALUE = later(r"(?i)(?<![\w-])(?:default)?value(?=[\"']?[ \t]*[:=])")


def in_entries(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield the values of entries that are secrets; `low` is the text in lower case."""
    if any(word in low.lines for word in ("stdin", "input", "content", "text")):
        yield from _supplied(text)
    if "standardinput" in low.lines:
        yield from _of_unit(text)
    if (
        any(word in low.lines for word in ("secret", "secure", "password", "sensitive", "masked"))
        and "value" in low.lines
    ):
        yield from _typed(text)


def _of_unit(text: str) -> Iterator[Span]:
    """The input of a unit of systemd: its lines, as far as the programs read a secret."""
    how = max((reads(program[1]) for program in _UNIT_STARTS.finditer(text)), default=Reads.NOTHING)
    given = [line.span(1) for line in _UNIT_INPUT.finditer(text)]
    secrets = given[: {Reads.NOTHING: 0, Reads.FIRST_LINE: 1}.get(how)]
    return (span for span in secrets if not is_mqsc(text[slice(*span)]))


def _supplied(text: str) -> Iterator[Span]:
    for border, supply, end in _apart(text, _SUPPLY):
        span = value_after(text, *supply.span()) or option_value(text, supply.end())
        if span is None or is_mqsc(text[slice(*span)]):
            continue
        before, after = _entry(text, supply.start(), span[1], border, end)
        entry = f"{before}\n{after}"
        how = Reads.NOTHING
        if supply["input"]:
            how = max(map(reads, entry.split("\n")))
        elif any(is_secret_file(file[1]) for file in _FILE.finditer(entry)):
            how = Reads.ALL
        if how is Reads.FIRST_LINE:
            span = first_line(text, *span)
        if how is not Reads.NOTHING:
            yield span


def _apart(text: str, sign: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str], int]]:
    """Yield what a pattern matches, each with the end of the one before, and the next one's start.

    No part of the text is searched for more than two of them.
    """
    before = 0
    for found, after in headed(sign, text):
        yield before, found, after
        before = found.end()


def _entry(text: str, start: int, end: int, first: int, last: int) -> tuple[str, str]:
    """Return what an entry has before and after one of its values, between two borders."""
    before, after = text[max(start - _NEAR, first) : start], text[end : min(end + _NEAR, last)]
    opens = max((border.start() for border in _BORDER.finditer(before)), default=0)
    closes = _BORDER.search(after)
    line = before.rfind("\n", 0, opens) + 1  # the name of a file may be before its bracket
    return before[line:], after[: closes.start()] if closes is not None else after


def _typed(text: str) -> Iterator[Span]:
    """The values of parameters and variables whose type says that they are secret."""
    for border, found, end in _apart(text, _TYPED):
        before, after = _entry(text, found.start(), found.end(), border, end)
        for start, piece in ((found.start() - len(before), before), (found.end(), after)):
            value = _VALUE.search(text, start, start + len(piece))
            span = value_after(text, *value.span()) if value is not None else None
            if span is not None:
                yield span


# -- in-stream data of JCL -------------------------------------------------------------------------


_JOB = later(r"(?m)^//\S*[ \t]+(?:JOB|EXEC|DD)\b")
_JOBS = (*forms("jobs"),)
_of_jobs = finder(_JOBS)


def in_jobs(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield the passwords in the data of a job; `low` is the text in lower case."""
    if "//" in text and _JOB.search(text):
        yield from _of_jobs(text, low)
