"""Templates in MQSC that depend on their place, besides the unambiguous ones.

`$NAME` cannot be part of the name of an object ("Rules for naming IBM MQ objects": letters, digits
and `. / _ %`), of a number, of a keyword or of a host, so there it is a template. Topic strings
(`$SYS/MQ` is the product's own), descriptions, distinguished names and selectors may have it, and
so may names on z/OS: there it counts only if the same text has an unambiguous template. The same
holds for `[NAME]`, `#NAME#`, `##NAME##`, `~NAME~` and `%{NAME}`. `%NAME%` and `__NAME__` may be
names of MQ: settings can exclude them. `+NAME+` is an insert, which the queue manager replaces when
it runs the script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mqlint.language.mqsc.dialect import Dialect
from mqlint.language.text.templates import PLACEHOLDER, with_placeholders
from mqlint.patterns import later
from mqlint.source.lines import without_repeated_lines

INSERT: Final = later(r"\+([A-Za-z_]\w{0,63})\+(?![ \t\r\f\v]*\n)")
"""`+NAME+`: a queue manager on Multiplatforms replaces it when it applies the script.

A plus sign at the end of a line continues the command.
"""

_DOLLAR = later(r"\$\$?(?!SYS\b)(?:env:)?[A-Za-z_]\w{0,63}")
_BRACKETS = later(r"\[[A-Za-z][\w.\ -]{0,63}\]")
_SIGNS = later(r"(##?)[A-Za-z_]\w{1,63}\1|~[A-Za-z_]\w{1,63}~|%\{[A-Za-z_]\w{1,63}\}")
_DIRECTIVE = later(r"%\{~?[ \t]*(?:if|else|endif|for|endfor)\b[^}\n]{0,400}\}")
"""A statement in a template of Terraform ("Strings and Templates", Directives)."""
_PERCENT = later(r"%[A-Za-z_]\w{0,63}%")
_UNDERSCORES = later(r"__[A-Za-z](?:[A-Za-z0-9]|_(?!_)){0,63}__")

_FREE_WORDS: Final = frozenset(
    "TOPICSTR DESCR SSLPEER SSLCERTI SELECTOR SUB SUBNAME "
    "BASEDNG BASEDNU LDAPUSER USRFIELD GRPFIELD SHORTUSR FINDGRP".split()
)
"""Words whose values may have these signs literally."""
_SERVICE_WORDS: Final = frozenset("STARTCMD STARTARG STOPCMD STOPARG STDOUT STDERR".split())
"""The inserts in them are folders and the like: the value around them is compared as it is."""
LITERAL_WORDS: Final = _FREE_WORDS | _SERVICE_WORDS
"""In their values `+NAME+` is text, or an insert that MQ replaces when it starts a service."""

_WINDOW = 512
_STEPS = 16
"""How far back, and past how many parentheses, the word of a value is looked for."""
_WORD = later(r"([A-Za-z]\w{0,31})[ \t]*\Z")

_Span = tuple[int, int, bool]
"""Start and end of what may be a template, and whether its place leaves no doubt."""


def with_templates_covered(text: str, dialect: Dialect) -> str:
    """Return `text` with placeholders for every template, at the same length."""
    result = with_placeholders(text, braces=True)
    spans = list(_spans(result, dialect))
    if not (PLACEHOLDER in result or any(is_sure for _, _, is_sure in spans)):
        spans = []
    spans += _inserts(result, dialect)
    if not spans:
        return result
    pieces: list[str] = []
    done = 0
    for start, end, _ in sorted(spans):
        if start >= done:
            pieces += result[done:start], PLACEHOLDER * (end - start)
            done = end
    return "".join([*pieces, result[done:]])


def _spans(text: str, dialect: Dialect) -> Iterator[_Span]:
    """Yield the places of forms that depend on their place."""
    for form, is_in_values in _forms(text, dialect):
        may_be_name = dialect.zos and (form is _DOLLAR or form is _SIGNS)
        for start, end, word in _found(form, text):
            if word is not None or not is_in_values:
                yield start, end, not (may_be_name or word in _FREE_WORDS)


def _forms(text: str, dialect: Dialect) -> Iterator[tuple[re.Pattern[str], bool]]:
    """Yield the forms of which a text has a sign, and whether they only count in parentheses."""
    lines = without_repeated_lines(text)
    if "$" in lines and not dialect.verbatim:
        yield _DOLLAR, False
    if "%{" in lines:
        yield _DIRECTIVE, False
    if "%" in lines and dialect.percent:
        yield _PERCENT, False
    if "__" in lines and dialect.double_underscore:
        yield _UNDERSCORES, False
    if any(sign in lines for sign in ("#", "~", "%{")):
        yield _SIGNS, True
    if "[" in lines:  # outside of parentheses it is a sign of manuals: [REPLACE]
        yield _BRACKETS, True


def _inserts(text: str, dialect: Dialect) -> Iterator[_Span]:
    """Yield the places of inserts in values; many signs of continuation are none."""
    if INSERT.search(without_repeated_lines(text)) is not None and not dialect.zos:
        for start, end, word in _found(INSERT, text):
            if word is not None and word not in LITERAL_WORDS:
                yield start, end, True


def _found(form: re.Pattern[str], text: str) -> Iterator[tuple[int, int, str | None]]:
    """Yield the place of each form, and the word around it; not in lines of comment."""
    for match in form.finditer(text):
        start = match.start()
        line = text.rfind("\n", max(start - _WINDOW, 0), start) + 1
        if not ((line or start <= _WINDOW) and text.startswith("*", line)):
            yield start, match.end(), _word_around(text, start)


def _word_around(text: str, at: int) -> str | None:
    """Return the word whose parentheses are around an offset; None outside parentheses."""
    first = max(at - _WINDOW, 0)
    depth = 0
    for _ in range(_STEPS):
        opened, closed = text.rfind("(", first, at), text.rfind(")", first, at)
        if opened < 0:
            return None
        at = max(opened, closed)
        if at == closed:
            depth += 1
        elif depth:
            depth -= 1
        else:
            word = _WORD.search(text, max(at - 64, 0), at)
            return word[1].upper() if word is not None else ""
    return ""
