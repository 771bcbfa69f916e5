"""What went wrong with a text that should be a command, in terms of what people mistype."""

from __future__ import annotations

import re

_LAST_WORD = re.compile(r"([A-Za-z][\w.]*)\s*\($")
_FOREIGN = re.compile(r"\s*(--|//|#|/\*|REM\b)", re.IGNORECASE)


def foreign_comment(chunk: str) -> str | None:
    """Return the mark when `chunk` starts like a comment of another language."""
    found = _FOREIGN.match(chunk)
    return found[1] if found else None


def word_before(joined: str, offset: int) -> str:
    """Return the attribute whose parenthesis opens just before `offset`, or the word there."""
    before = joined[max(0, offset - 80) : offset].rstrip()
    found = _LAST_WORD.search(before if before.endswith("(") else before + "(")
    return found[1].upper() if found else ""
