"""Distinguished names as text: the attributes and values of a name or of an SSLPEER filter.

(IBM: q049310, "IBM MQ rules for SSLPEER values".)
"""

from __future__ import annotations

import re
from functools import lru_cache

from mqlint.patterns import later

_SAME = {"USERID": "UID", "SP": "ST", "S": "ST", "EMAILADDRESS": "E", "SERIAL": "SERIALNUMBER"}
ATTRIBUTES = (
    *("SERIALNUMBER", "MAIL", "E", "UID", "CN", "T", "OU", "DC", "O", "STREET", "L", "ST", "PC"),
    *("C", "UNSTRUCTUREDNAME", "UNSTRUCTUREDADDRESS", "DNQ"),
)
"""The attributes that a filter may name, the one that decides first leading (IBM: q010250)."""

_PART = later(
    r'(?:(?<!\s)\s++)?(?<![A-Za-z0-9.])([A-Za-z0-9.]++)(\s*+)=\s*+("[^"]*+"|(?:\\.|[^,;\\])*+)\s*+(?:[,;]|$)'
)

_ESCAPED = later(r"((?:\\[0-9A-Fa-f]{2})++)|\\([^*])")

Name = dict[str, tuple[str, ...]]


class NoNameError(ValueError):
    """A text that is not a distinguished name."""


@lru_cache(maxsize=1024)
def parse(text: str) -> Name:
    r"""Return the values of a distinguished name by attribute, in upper case, in their order.

    An escaped asterisk (`\*`) keeps its backslash, as it is not a wildcard in a filter.
    Raises NoNameError when the text is not one.
    """
    found: dict[str, list[str]] = {}
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise NoNameError(f"{text} is not a distinguished name")
        attribute = part.group(1).upper()
        value = part.group(3).strip()
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        value = _ESCAPED.sub(_plain, value).strip().upper()
        found.setdefault(_SAME.get(attribute, attribute), []).append(value)
        at = part.end()
    return {attribute: tuple(values) for attribute, values in found.items()}


def _plain(escaped: re.Match[str]) -> str:
    """Return what an escape stands for: bytes of UTF-8 as two digits each, or one character."""
    if escaped.group(1) is None:
        return escaped.group(2)
    return bytes.fromhex(escaped.group(1).replace("\\", "")).decode("utf-8", "replace")


def fault_of_filter(text: str) -> str | None:
    """Return what is wrong with an SSLPEER or SSLCERTI filter, in words; None when nothing is."""
    if text.strip() in ("", "*"):
        return None
    try:
        names = parse(text)
    except NoNameError:
        return "write attributes with their values, such as CN=orders,O=Example"
    attributes = [part.groups() for part in _PART.finditer(text)]
    if any(
        value.startswith('"') and (len(value) == 1 or value[-1] != '"') for *_, value in attributes
    ):
        return "a quotation mark is not closed"
    small = next((word for word, *_ in attributes if word != word.upper()), None)
    if small is not None:
        return f"write {small} in capital letters"
    unknown = next((name for name in names if name not in ATTRIBUTES), None)
    if unknown is not None:
        return f"{unknown} is not an attribute that a filter may name"
    if any(blanks for _, blanks, _ in attributes):
        return "blanks are not allowed before the equals sign"
    return None
