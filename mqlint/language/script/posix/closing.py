"""What the end of a script leaves open: a quote, a bracket, a branch. A shell rejects that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.posix.frames import ShellFrame
from mqlint.language.text.templates import with_placeholders
from mqlint.patterns import later

_QUOTE = "a quotation mark"
_KINDS = {
    "array": "the list of an array",
    "backtick": "a backquote",
    "subshell": "a parenthesis",
    "substitution": "$(",
}
_CSH = later(r"\A#![^\n]{0,80}csh\b|^[ \t]*(?:endif|endsw|foreach)\b", re.MULTILINE)
"""The C shell has other words than sh around branches and loops."""


def open_at_end(frames: Sequence[ShellFrame], *, in_last_quote: bool) -> str:
    """Return what the end of a script leaves open, blank for nothing."""
    if in_last_quote or any(frame.in_quotes for frame in frames):
        return _QUOTE
    if len(frames) > 1:
        return _KINDS[frames[-1].kind]
    return "an if, loop, case, function or brace" if len(frames[-1].scopes) > 1 else ""


def not_closed(text: str, what: str, last_quote: int) -> Iterator[Diagnostic]:
    """Yield `what` the script `text` leaves open, unless a template may close it.

    The place is that of the last quotation mark that opens a text, or the last line.
    """
    if not what or with_placeholders(text) != text or _CSH.search(text) is not None:
        return
    end = len(text.rstrip())
    start = last_quote if what == _QUOTE else text.rfind("\n", 0, end) + 1
    yield diagnostic("shell-not-closed", (start, start + 1 if what == _QUOTE else end), what=what)
