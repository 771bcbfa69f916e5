"""Faults that are in a comment of a script, which nothing runs.

POSIX, "Token Recognition": a number sign at the beginning of a word begins a comment, up to the end
of the line. PowerShell, YAML and Dockerfiles have the same sign. Batch files have comments after
`rem` or two colons at the beginning of a line, Groovy after two slashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.finding import Diagnostic
from mqlint.patterns import later

_QUOTED = later(r"\\.|'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"")
_COMMENT = later(r"(?:[^'\"]*\s)?#")
_LINE = later(r"(?i)\s*(?:@?rem\b|::|//)")
_IN_COMMENTS = frozenset({"control-password"})
"""What is a fault in a comment too: a password in plain text."""
_LONGEST = 2000
"""Limit of the characters before a fault in its line."""


def outside_comments(text: str, faults: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the faults of a text that are not in a comment."""
    for fault in faults:
        at = max(text.rfind("\n", 0, fault.start) + 1, fault.start - _LONGEST)
        before = text[at : fault.start]
        is_comment = "#" in before and _COMMENT.match(_QUOTED.sub("_", before)) is not None
        if not (is_comment or _LINE.match(before)) or fault.code in _IN_COMMENTS:
            yield fault
