"""Buffer pools of z/OS, which have numbers that may be written with zeros."""

from __future__ import annotations

from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

_DIGITS = 2
"""Digits of the highest number, 99."""


def buffer_pool_of(found: MQObject) -> Value:
    """Return the number of a buffer pool, or of that of a page set; absent for any other object."""
    if found.type not in ("buffpool", "psid"):
        return ABSENT
    value = found.name if found.type == "buffpool" else found.value("BUFFPOOL")
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _DIGITS:
        return str(int(value))
    return ABSENT if value is ABSENT else UNKNOWN
