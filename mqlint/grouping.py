"""Values by what they have in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return the values of each key, keys and values in the order of the pairs."""
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def single(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """Return the value of each key that only one pair has."""
    return {key: values[0] for key, values in grouped(pairs).items() if len(values) == 1}


def agreed(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """Return the value of each key whose pairs have the same value."""
    return {key: values[0] for key, values in grouped(pairs).items() if len({*values}) == 1}


def settled(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value | None]:
    """Return the value of each key, None if its pairs differ in it."""
    groups = grouped(pairs).items()
    return {key: values[0] if len({*values}) == 1 else None for key, values in groups}
