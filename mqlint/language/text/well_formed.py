"""Where a text in YAML, JSON or XML is not well-formed, so that no program reads it.

Nothing is reported if a tool may change the text first, or if it is only an example.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.patterns import later
from mqlint.source.masking import HIDDEN

_MADE_LATER = later(r"(?m)^[ \t]*(?:\{\{|\.\.\.+|\u2026|<{7}|={7}|>{7}|%)|\{%|<%|[\x00\ue000]")
"""Templates that may add lines, lines that an example omits, merge conflicts, directives."""
_VARIABLE = later(r"\$[A-Za-z_{(]|@\w+@|\{\{")
_VALUE = later(r"[ \t\r\n]*(?=[^ \t\r\n])")
_DECODER = json.JSONDecoder()


def is_final(text: str) -> bool:
    """Return whether no template adds lines to the text, and no line of it is omitted."""
    return _MADE_LATER.search(text) is None


def broken(text: str, first: int, last: int, language: str, fault: str) -> Iterator[Diagnostic]:
    """Yield the error at the offset `first`, unless a variable is in its lines, up to `last`.

    Nor is it certain after a secret, whose end may have been masked with it, or in an empty text.
    """
    if not text.strip() or HIDDEN in text[:last]:
        return
    end = text.find("\n", last)
    lines = text[text.rfind("\n", 0, first) + 1 : end if end >= 0 else len(text)]
    # In XML, `<name>` is an element, not a template.
    is_plain = language == "XML" or is_known(with_placeholders(lines))
    if is_plain and _VARIABLE.search(lines) is None:
        at = max(0, min(first, len(text.rstrip()) - 1))
        yield diagnostic("not-well-formed", (at, at + 1), language=language, fault=fault)


def is_json(text: str) -> bool:
    """Return whether a text is JSON, or a stream of documents in JSON."""
    at = 0
    try:
        while (start := _VALUE.match(text, at)) is not None:
            _, at = _DECODER.raw_decode(text, start.end())
    except (ValueError, RecursionError):
        return False
    return True
