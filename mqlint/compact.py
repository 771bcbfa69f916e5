"""How objects of which a large file makes millions are stored in little memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field
from operator import attrgetter
from typing import Any

_BITS = 30
_BEYOND = 1 << _BITS
"""Two offsets below this are one number of two digits of Python: 32 bytes instead of 120."""
SHARED = "_shared"
"""The slot for values that an object has in common with others."""
_MOST_SHARED = 1_000
"""Limit of the tuples of values that are shared; beyond it the earlier ones are not found again."""

_PLACES: dict[int, int] = {}
"""Places that were stored last: several objects with one place share its number."""

_TEXTS: dict[str, str] = {}
"""Texts that `recent` returned last."""
_LONGEST = 256
"""Characters of a text that is worth it: a name of MQ has up to 48, most messages up to 200."""

Values = tuple[Any, ...]


def recent(text: str) -> str:
    """Return the equal text that was stored last: commands in sequence name one queue manager."""
    if len(text) > _LONGEST:
        return text
    if len(_TEXTS) >= _MOST_SHARED:
        _TEXTS.clear()
    return _TEXTS.setdefault(text, text)


def is_place(member: Field[Any]) -> bool:
    return member.type in ("Span", "Span | None")


def packed_place(place: tuple[int, int]) -> int | tuple[int, int]:
    """Return two offsets as one number, or as they are if they are too great for that."""
    start, end = place
    return start << _BITS | end if start >= 0 and 0 <= end < _BEYOND else place


def place_of(packed: int | tuple[int, int]) -> tuple[int, int]:
    """Return the two offsets that `packed_place` was given."""
    return packed if isinstance(packed, tuple) else (packed >> _BITS, packed & _BEYOND - 1)


def place_in(slot: str) -> property:
    """Return a property that stores two offsets in a slot as one number."""
    stored, known = attrgetter(slot), _PLACES

    def get(self: object) -> object:
        value = stored(self)
        return (value >> _BITS, value & _BEYOND - 1) if value.__class__ is int else value

    def put(self: object, value: Any) -> None:  # noqa: ANN401 two offsets, or None
        if value is not None and value[0] >= 0 and 0 <= value[1] < _BEYOND:
            value = value[0] << _BITS | value[1]
            if len(known) >= _MOST_SHARED:
                known.clear()
            value = known.setdefault(value, value)
        setattr(self, slot, value)

    return property(get, put)


def sharing(record: type[Values]) -> Callable[[Values], Values]:
    """Return a function from some values to the first `record` with the same values."""
    known: dict[Values, Values] = {}

    def share(values: Values) -> Values:
        found = known.get(values)
        if found is None:
            if len(known) >= _MOST_SHARED:
                known.clear()
            found = tuple.__new__(record, values)
            known[found] = found
        return found

    return share


def setstate_of_shared(self: Any, state: Values) -> None:  # noqa: ANN401 any object with SHARED
    self.__init__(*state)
