"""The one sentinel for a value that is not known."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Unknown(Enum):
    UNKNOWN = "unknown"
    __hash__ = object.__hash__  # that of Enum is a function of Python, and values are asked often

    def __repr__(self) -> str:
        """Return the name under which it is imported."""
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN
"""Stands for a value that a script does not settle, or that differs among the releases or
platforms in question. It is neither equal to any value nor absent."""
