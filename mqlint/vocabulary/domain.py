"""The values that an attribute or the name of an object may have."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from mqlint.config.node import Node
from mqlint.dataclass import frozen
from mqlint.vocabulary.shape import Check, bounds, keys, texts


class Kind(Enum):
    """How the values of a domain are written."""

    WORDS = "words"
    INT = "int"
    TEXT = "text"
    NAME = "name"
    ADDRESSES = "addresses"
    PATTERN = "pattern"
    LIST = "list"
    FLAG = "flag"
    ANY = "any"


@frozen
class Domain:
    """The values an attribute may have.

    `words` are the keywords, of an INT those allowed beside numbers from `low` to `high`. `length`
    is the greatest number of characters (`length_zos` on z/OS, where it differs); `item` the domain
    of a list's elements, `most` how many there may be, and `alone` the elements that may not be
    with others. `generic` names may end in an asterisk, `generic` patterns name hosts too. `empty`
    allows parentheses with nothing in them, `capital` names have only capital letters and digits,
    `blank` a value of blanks alone. A PATTERN is one of addresses, as channel authentication
    records have them.
    """

    kind: Kind
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    length: int = 0
    length_zos: int = 0
    item: Domain | None = None
    most: int = 0
    alone: tuple[str, ...] = ()
    generic: bool = False
    empty: bool = False
    blank: bool = True
    capital: bool = False


_OF_CHARACTERS = (Kind.TEXT, Kind.NAME, Kind.ADDRESSES, Kind.PATTERN)

DOMAIN_KEYS: dict[str, Check] = {
    **dict.fromkeys(("words", "alone"), texts),
    "int": bounds,
    "list": lambda node: keys({}, DOMAIN_KEYS)(node),
    **dict.fromkeys((*(kind.value for kind in _OF_CHARACTERS), "most", "zos"), Node.integer),
    **dict.fromkeys(("flag", "empty", "generic", "capital"), Node.boolean),
}
"""The keys of an entry that say what its values may be."""


def read_domain(raw: Mapping[str, Any]) -> Domain:
    """Return the domain whose keys are in a checked entry."""
    words, empty = tuple(raw.get("words", ())), raw.get("empty", False)
    if "flag" in raw:
        return Domain(Kind.FLAG)
    if "list" in raw:
        most, alone = raw.get("most", 0), tuple(raw.get("alone", ()))
        item = read_domain(raw["list"])
        return Domain(Kind.LIST, item=item, most=most, alone=alone, empty=empty)
    if "int" in raw:
        low, high = raw["int"]
        return Domain(Kind.INT, words=words, low=low, high=high, empty=empty)
    for kind in _OF_CHARACTERS:
        if kind.value in raw:
            zos, generic = raw.get("zos", 0), raw.get("generic", False)
            return Domain(
                kind,
                length=raw[kind.value],
                length_zos=zos,
                generic=generic,
                empty=empty,
                capital=raw.get("capital", False),
            )
    return Domain(Kind.WORDS, words=words) if words else Domain(Kind.ANY)
