"""Entries that give a program its input or a file its content, and variables that become secrets.

Tools of deployment say in one entry what a script says in a line: `command:` and `stdin:`, `dest:`
and `content:`. What a value is for is said beside it, or where its variable is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.names import Sign, judge
from mqlint.source.secrets.sinks import Reads, is_kept, reads
from mqlint.source.secrets.statements import is_mqsc
from mqlint.source.secrets.values import option_value, value_after
from mqlint.source.secrets.words import in_line

_SUPPLY = later(
    r"(?<![\w.-])(?:(?P<input>stdin|input|StandardInputText)|content|text)"
    r"(?=[\"']?[ \t]*(?:=>|[:=])|[ \t]+[\"'])"
)
_FILE = later(
    r"(?<![\w-])(?:(?:dest|path|file)[\"']?[ \t]*(?:=>|[:=])[ \t]*[\"']?"
    r"|file[ \t]+(?:\{[ \t]*)?[\"'])"
    r"([^\s\"',;:]{1,200})"
)
_BORDER = later(r"\n[ \t]*(?:- (?:name|\w+:)|\n|end\b)|[{}\]]|\bdo\b")
_NEAR = 400
"""Characters before and after a value that belong to its entry."""
_TYPED = later(
    r"(?<![\w-])(?:type|\$?class)[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"(?=[\w.]{0,40}(?:secret|securestring|password))[\w.]{1,60}[\"']?(?=[\s,;>}\]])",
    re.IGNORECASE,
)
_VALUE = later(r"(?<![\w-])(?:default)?value(?=[\"']?[ \t]*[:=])", re.IGNORECASE)
_VARIABLE = later(
    r"[\"']?(?:\$\{?(\w+)\}?|[%!](\w+)[%!]|%%(\w)|\{\{[ \t]*(\w+)[ \t]*\}\}|\$\((\w+)\))[\"']?\Z"
)
_ASSIGNED = r"(?<![\w.$-])\$?(?P<name>{})(?:[ \t]*=[ \t]*(?=[^\s=~])|:[ \t]+|[ \t]+in[ \t]+\(?)"
_PATH = later(r"[./~\\][\w./\\-]*\Z|\d{1,5}\Z")
_MOST = 40
"""Variables that are followed in one text."""


def in_entries(text: str, low: str) -> Iterator[Span]:
    """Yield the values of entries that are secrets; `low` is the text in lower case."""
    if any(word in low for word in ("stdin", "input", "content", "text")):
        yield from _supplied(text)
    if any(word in low for word in ("secret", "securestring", "password")) and "value" in low:
        yield from _typed(text)


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
        elif any(is_kept(file[1]) for file in _FILE.finditer(entry)):
            how = Reads.ALL
        if how is Reads.FIRST_LINE:
            span = _first_line(text, *span)
        if how is not Reads.NOTHING:
            yield span


def _apart(text: str, sign: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str], int]]:
    """Yield what a pattern matches, each with the end of the one before, and the next one's start.

    No part of the text is searched for more than two of them.
    """
    found = [*sign.finditer(text)]
    ends = (match.end() for match in found)
    starts = (match.start() for match in found[1:])
    return zip((0, *ends), found, (*starts, len(text)), strict=False)


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


def of_variables(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what is assigned to variables that are the secret of a command or of an input."""
    names: set[str] = set()
    for start, end in spans:
        found = _VARIABLE.match(text, start, end) if end - start < _NEAR else None
        name = next(filter(None, found.groups()), "") if found is not None else ""
        is_followed = "base64" not in text[start : in_line(text, end, "")]  # may be configuration
        if name and judge(name) is not Sign.STRONG and len(names) < _MOST and is_followed:
            names.add(name)
    if names:
        assigned = re.compile(_ASSIGNED.format("|".join(sorted(names, key=len, reverse=True))))
        for found in assigned.finditer(text):
            span = value_after(text, *found.span("name"))
            if span is None:
                continue
            if found[0].rstrip(" (").endswith("in"):
                span = span[0], in_line(text, span[0], ";)")
            span = _first_line(text, *span)  # the others may be commands
            value = text[slice(*span)].strip("\"' \t")
            if value and not _PATH.match(value) and not is_mqsc(value):
                yield span


def _first_line(text: str, start: int, end: int) -> Span:
    """Return the first line of a stretch that is not blank."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return start, in_line(text, start, "\n", max(start, end))
