"""The authorities that ALL, ALLADM and ALLMQI stand for, by type of object."""

from __future__ import annotations

from typing import Final

from mqlint.model.core.value import ABSENT, UNKNOWN, Unknown, Value
from mqlint.vocabulary.authorities import ALL

WHOLE: Final = frozenset(("ALL", "ALLADM", "ALLMQI"))
"""The words that stand for several authorities."""

_ADMINISTRATION = frozenset("CHG CLR CRT CTRL CTRLX DLT DSP".split())


def expanded(object_type: str, given: Value) -> tuple[str, ...] | Unknown:
    """Return the authorities of a list one by one; unknown if a word in it is unknown."""
    if given is UNKNOWN or given is ABSENT:
        return UNKNOWN
    words = set((given,) if isinstance(given, str) else given)
    every = ALL.get(object_type)
    if every is None and words & WHOLE:
        return UNKNOWN
    found = words - WHOLE - {"NONE"}
    if every is not None:
        found |= every if "ALL" in words else frozenset()
        found |= every & _ADMINISTRATION if "ALLADM" in words else frozenset()
        found |= every - _ADMINISTRATION - {"SYSTEM"} if "ALLMQI" in words else frozenset()
    return tuple(sorted(found))
