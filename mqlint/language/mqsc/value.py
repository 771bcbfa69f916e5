"""The text between the parentheses of an attribute.

A raw value is the text as written, with quotes and outer blanks. It is decoded on demand, because
nearly all values of a dump are read only once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mqlint.language.mqsc.lines import BLANKS
from mqlint.patterns import later
from mqlint.source.masking import VALUE_MASK, is_hidden, is_mask

SEPARATORS = f"{BLANKS},"
"""Separators of values: a comma is the same as a blank."""
FOREIGN_QUOTES = '"\u2018\u2019\u201a\u201c\u201d\u201e'
"""Quotation marks that MQSC does not know."""

_ITEM = later(r"'(?:[^']|'')*+'|[^\n, \t\r\f\v']++|'")


class Templated(str):
    """A raw value with a template: its text is unknown."""

    __slots__ = ()


class Secret(str):
    """Replaces a raw value that must not be stored: its text is a mask.

    `width` is the length of the text it replaces, so that later offsets stay right. `encoded` is
    true for a value in one of the product's own encrypted forms (`<...>!2!...`), false for plain
    text.
    """

    __slots__ = ("encoded", "width")

    width: int
    encoded: bool

    @classmethod
    def of(cls, raw: str) -> Secret:
        return cls.restored(len(raw), raw.strip(" \t'").startswith("<"))

    @classmethod
    def restored(cls, width: int, encoded: bool) -> Secret:
        """Return the mask for a text of `width` characters."""
        secret = cls(VALUE_MASK)
        secret.width = width
        secret.encoded = encoded
        return secret


def hidden(raw: str) -> str:
    """Return the part of the raw value of a secret attribute that may be stored.

    A blank value is no secret, and neither are asterisks. One with a template stays unknown; its
    text is masked too, as it may hold a default or a part of the secret.
    """
    if isinstance(raw, Secret) or not raw.strip(" \t'") or is_mask(raw):
        return raw
    if isinstance(raw, Templated) and not is_hidden(raw):
        return Templated(VALUE_MASK[:1] * len(raw))
    return Secret.of(raw)


def width(raw: str) -> int:
    """Return how many characters `raw` takes in the document."""
    return raw.width if isinstance(raw, Secret) else len(raw)


def decode(raw: str) -> str:
    """Return the value the queue manager would see.

    Quotes are undone and keep case and inner blanks; unquoted text is folded to upper case.
    Commas around it are blanks.
    Blanks at the end do not count and are removed, as the product pads fixed-length values.
    """
    text = raw.strip(SEPARATORS)
    if len(text) >= 2 and text[0] == "'" and text[-1] == "'":
        return text[1:-1].replace("''", "'").rstrip(" ")
    folded = text.upper()
    return text if folded == text else folded  # nearly all are: no second text is kept


def items(raw: str) -> list[str]:
    """Return the decoded elements of a list value; blanks and commas separate them."""
    return [decode(item) for item in _ITEM.findall(raw)]


def spans_of_items(raw: str) -> list[tuple[int, int]]:
    """Return the places of the elements of a list value in `raw`."""
    return [found.span() for found in _ITEM.finditer(raw)]


@lru_cache(maxsize=8)
def places_of_items(raw: str) -> Mapping[str, tuple[int, int]]:
    """Return the place in `raw` of each decoded element of a list value, the first one of equals.

    Many objects may ask for all elements of one namelist.
    """
    places: dict[str, tuple[int, int]] = {}
    for start, end in spans_of_items(raw):
        places.setdefault(decode(raw[start:end]), (start, end))
    return places


def is_quoted(raw: str) -> bool:
    """Whether `raw` is one quoted string, whose case is kept."""
    text = raw.strip(SEPARATORS)
    return len(text) >= 2 and text[0] == "'" and text[-1] == "'"
