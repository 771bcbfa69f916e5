"""Values in a form in which values that mean the same are equal."""

from __future__ import annotations

from mqlint.model.core.layer import is_list
from mqlint.model.core.object import LayeredObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.patterns import later

_LOOSE = frozenset({"CONNAME", "LOCLADDR", "SSLPEER", "SSLCERTI", "SSLPEERMAP"})
"""Values that the queue manager shows in a form of its own: other blanks, case, default port."""

_PORT = later(r"\(1414\)")
_WHOLE_WORDS = frozenset({"ALL", "ALLADM", "ALLMQI", "NONE"})


def comparable(found: LayeredObject, attribute: str, value: Value | None) -> object | None:
    """Return a form in which equal values are equal; None when the value is not known."""
    if value is None or value is UNKNOWN or value is ABSENT:
        return None
    parts = (value,) if isinstance(value, str) else tuple(value)
    if found.type == "authrec" and not _WHOLE_WORDS.isdisjoint(parts):
        return None  # what they stand for differs between object types
    if is_list(found.type, attribute):
        return frozenset(parts)
    texts = tuple(text.strip() for text in parts if text.strip())
    if attribute in _LOOSE:
        return tuple(_PORT.sub("", "".join(text.split())).casefold() for text in texts)
    return tuple(str(int(text)) if _is_number(text) else text for text in texts)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def shown(value: Value | None) -> str:
    """Return a value for people; a list has commas."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)
