"""Distinguished names: whether the name in a certificate fits a pattern, and how specific that is.

(IBM: q049310, "IBM MQ rules for SSLPEER values"; q010250 for the order of attributes.)
"""

from __future__ import annotations

import re
from functools import lru_cache

from mqlint.chlauth.wildcard import generic_fits, name_specificity

_SAME = {"USERID": "UID", "SP": "ST", "S": "ST", "EMAILADDRESS": "E", "SERIAL": "SERIALNUMBER"}
ATTRIBUTES = (
    *("SERIALNUMBER", "MAIL", "E", "UID", "CN", "T", "OU", "DC", "O", "STREET", "L", "ST", "PC"),
    *("C", "UNSTRUCTUREDNAME", "UNSTRUCTUREDADDRESS", "DNQ"),
)
"""The attributes of a distinguished name, the one that decides first leading."""

_PLACES = {attribute: place for place, attribute in enumerate(ATTRIBUTES)}
_NO_MORE = (len(ATTRIBUTES),)
_REPEATED = frozenset({"OU", "DC"})
_PART = re.compile(r'\s*([A-Za-z0-9.]+)\s*=\s*("[^"]*"|(?:\\.|[^,;\\])*)\s*(?:[,;]|$)')

Name = dict[str, tuple[str, ...]]


class NoNameError(ValueError):
    """A text that is no distinguished name."""


@lru_cache(maxsize=1024)
def parse(text: str) -> Name:
    """Return the values of a distinguished name by attribute, in upper case, in their order.

    Raises NoNameError when the text is none.
    """
    found: dict[str, list[str]] = {}
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise NoNameError(f"{text} is not a distinguished name")
        attribute = part.group(1).upper()
        value = part.group(2).strip()
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        value = re.sub(r"\\(.)", r"\1", value).strip().upper()
        found.setdefault(_SAME.get(attribute, attribute), []).append(value)
        at = part.end()
    return {attribute: tuple(values) for attribute, values in found.items()}


def fits(pattern: str, name: str) -> bool:
    """Whether the name in a certificate fits a pattern: all it names must be there and fit.

    Several OU or DC of a pattern stand for the first ones of the name, in their order.
    Raises NoNameError when one of them is no distinguished name.
    """
    if pattern in ("", "*"):
        return True
    actual = parse(name)
    for attribute, wanted in parse(pattern).items():
        values = actual.get(attribute, ())
        if len(values) < len(wanted):
            return False
        if attribute in _REPEATED:
            pairs = zip(wanted, values, strict=False)
            if not all(generic_fits(part, value) for part, value in pairs):
                return False
        elif not all(any(generic_fits(part, value) for value in values) for part in wanted):
            return False
    return True


def specificity(pattern: str) -> tuple[tuple[object, ...], ...]:
    """Return how specific a pattern is: of two that fit a name the smaller wins.

    Attribute after attribute: a pattern that names it comes before one that does not, a value
    without an asterisk before one with it, more values before fewer.
    """
    try:
        values = {} if pattern in ("", "*") else parse(pattern)
    except NoNameError:
        values = {}
    named = sorted(_PLACES[attribute] for attribute in values if attribute in _PLACES)
    return (*(_of_values(place, values[ATTRIBUTES[place]]) for place in named), _NO_MORE)


def _of_values(place: int, values: tuple[str, ...]) -> tuple[object, ...]:
    return (place, -len(values), tuple(name_specificity(value) for value in values))
