"""What tells a client channel definition table in JSON from other texts."""

from __future__ import annotations

from mqlint.patterns import later

_TABLE = later(r"\"channel\"\s*:\s*\[")


def is_channel_table(text: str) -> bool:
    """Tell whether a text is a table of channels and nothing else."""
    return text.lstrip().startswith("{") and holds_channel_table(text)


def holds_channel_table(text: str) -> bool:
    """Tell whether a text is a table of channels, or holds one."""
    return '"clientConnection"' in text and _TABLE.search(text) is not None
