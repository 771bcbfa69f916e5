"""Values of attributes: known, unknown, or absent."""

from __future__ import annotations

from enum import Enum
from typing import Final

from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

__all__ = [
    "ABSENT",
    "UNKNOWN",
    "Absent",
    "Unknown",
    "Value",
    "addresses",
    "flag",
    "hosts",
    "is_local",
    "known_text",
    "listed",
]

_LOOPBACK = ("localhost(", "127.", "::1(")


class Absent(Enum):
    ABSENT = "absent"
    __hash__ = object.__hash__  # that of Enum is a function of Python, and values are asked often

    def __repr__(self) -> str:
        """Return the name under which it is imported."""
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
"""The value of an attribute that objects of this kind do not have."""

Value = str | tuple[str, ...] | Unknown | Absent
"""A decoded value, a list of them, unknown, or absent.

A flag such as SHARE or NOSHARE is YES or NO under its first word.
"""

_HOST = later(r"([^\s,()]+)\s*(?:\(\s*(\d+)\s*\))?")
_SEPARATORS = later(r"[\s,]+")


def listed(value: Value) -> Value:
    """Return the elements of a value that is a list; UNKNOWN and ABSENT are returned unchanged."""
    if not isinstance(value, str):
        return value
    return tuple(part for part in _SEPARATORS.split(value) if part)


def flag(truth: bool | None) -> Value:
    return UNKNOWN if truth is None else "true" if truth else "false"


def known_text(value: Value) -> str | None:
    """Return a text without blanks around it, blank for one that is absent; None if unknown."""
    if value is UNKNOWN:
        return None
    return value.strip() if isinstance(value, str) else ""


def hosts(text: str) -> tuple[str, ...]:
    """Return the `host(port)` of a connection name, in lower case, port 1414 when left out."""
    return tuple(f"{host.lower()}({port or 1414})" for host, port in _HOST.findall(text))


def is_local(address: str) -> bool:
    """Whether a `host(port)` is on the host that calls it."""
    return address.lower().startswith(_LOOPBACK)


def addresses(value: Value) -> tuple[str, ...]:
    """Return the `host(port)` of a connection name whose value is known, otherwise none."""
    return hosts(value) if isinstance(value, str) else ()
