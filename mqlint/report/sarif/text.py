"""Texts as SARIF shows them: escaped, and not too long."""

from __future__ import annotations

from mqlint.report.terminal import visible

LONG = 2_000
SHORT = 1_000
"""Characters of a message, and of a summary."""


def message_text(text: str, most: int) -> str:
    """Return a text as a message: no control character, no link that a file makes, not too long."""
    shown = visible(text)
    if len(shown) > most:
        shown = shown[: most - 3] + "..."
    if "](" in shown:
        shown = shown.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return braced(shown)


def braced(text: str) -> str:
    """Return a text with each brace doubled.

    SARIF uses braces for placeholders. A doubled brace is a literal brace (3.11.5).
    """
    return text.replace("{", "{{").replace("}", "}}")
