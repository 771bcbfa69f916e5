"""A form of values in which values with the same meaning are equal."""

from __future__ import annotations

from mqlint.model.core.authorities import expanded
from mqlint.model.core.layer import is_list
from mqlint.model.core.object import LayeredObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Unknown, Value
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.vocabulary import AttributeSpec, Kind, Vocabulary

_LOOSE = frozenset({"CONNAME", "LOCLADDR", "SSLPEER", "SSLCERTI", "SSLPEERMAP"})
"""Values that the queue manager shows in a form of its own: other blanks, case, default port."""

_PORT = later(r"\(1414\)")
_BETWEEN = later(r"[\s,]+")


def comparable(found: LayeredObject, attribute: str, value: Value | None) -> object | None:
    """Return a form in which equal values are equal; None when the value is not known."""
    if value is None or value is UNKNOWN or value is ABSENT:
        return None
    parts = elements(found, attribute, value)
    if found.type == "authrec" and attribute == "AUTHADD":
        authorities = expanded(str(found.value("OBJTYPE")), parts)
        return None if isinstance(authorities, Unknown) else frozenset(authorities)
    if is_list(found.type, attribute):
        return frozenset(parts)
    texts = tuple(text.strip() for text in parts if text.strip())
    if attribute in _LOOSE:
        return tuple(_PORT.sub("", "".join(text.split())).casefold() for text in texts)
    return tuple(_plain(text) for text in texts)


def elements(found: LayeredObject, attribute: str, value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the elements of a list, also of one that is written without quotes: (A,B)."""
    if not isinstance(value, str):
        return value
    if "," in value or " " in value:
        spec = attribute_of(found.manager.vocabulary, found.type, attribute)
        item = None if spec is None else spec.domain.item
        if item is not None and item.kind in (Kind.WORDS, Kind.NAME):
            return tuple(filter(None, _BETWEEN.split(value)))
    return (value,)


def attribute_of(vocabulary: Vocabulary, object_type: str, word: str) -> AttributeSpec | None:
    """Return the attribute of objects of a lower-case type, None if they have no such attribute."""
    for verb in ("DEFINE", "ALTER", "SET"):
        command = vocabulary.command(verb, object_type.upper())
        spec = None if command is None else command.attribute(word)
        if spec is not None:
            return spec
    return None


def _plain(text: str) -> str:
    """A number without zeros before it."""
    number = whole_number(text)
    return text if number is None else str(number)


def shown(value: Value | None) -> str:
    """Return a value for people; a list has commas."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)
