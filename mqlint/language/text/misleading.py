"""Characters that show a text in another way than it runs.

Some change the order in which a line is shown, but not the order of its words. They are for
languages that are written from right to left, and can make a command look like a comment (Unicode
Standard Annex 9, "Explicit Directional Embeddings", "Overrides", "Isolates").

Others begin a new line in editors, but not in a language: what follows looks like a command, and is
part of a comment or of the command before it. A carriage return ends a line of PowerShell.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_REORDERING = later("([\u202a-\u202e\u2066-\u2069])[^\n]*")
_BREAKING = later("([\r\u0085\u2028\u2029])(?=[ \t]{0,80}[A-Za-z]{2,40}[ \t(])")
"""One before what may be a command; `tr -d '\r'` has it before a sign."""
_IN_LINE = {
    "mqsc": "\r\u0085\u2028\u2029",
    "shell": "\r\u0085\u2028\u2029",
    "cmd": "\r\u0085\u2028\u2029",
    "powershell": "\u0085\u2028\u2029",
}
"""By language, the characters of `_BREAKING` that do not end a line of it."""


def misleading(text: str, language: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic `misleading` for the first reordering character of each line, and others.

    `does` says how the text is shown.
    """
    if not text.isascii():
        for found in _REORDERING.finditer(text):
            yield _diagnostic(
                found.span(1), found[1], "changes the order in which this line is shown"
            )
    in_line = _IN_LINE.get(language, "")
    if any(sign in text for sign in in_line):
        for found in _BREAKING.finditer(text):
            if found[1] in in_line:
                yield _diagnostic(
                    found.span(1), found[1], "looks like the end of this line, which goes on"
                )


def _diagnostic(span: tuple[int, int], sign: str, does: str) -> Diagnostic:
    return diagnostic("misleading", span, sign=f"U+{ord(sign):04X}", does=does)
