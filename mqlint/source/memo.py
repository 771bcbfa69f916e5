"""Answers that are kept, as long as they are not too many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_ROOM: Final = 1_024
"""Answers that one memo holds; with 8,192, those about names took 2 bytes for each of a script."""


class Memo(dict[_Key, _Value]):
    """A cache in the memory of one process; without room for another answer it drops them all.

    The next key resembles recent ones, and counting uses takes longer than computing again.
    """

    __slots__ = ()

    def store(self, key: _Key, value: _Value) -> _Value:
        if len(self) >= _ROOM:
            self.clear()
        self[key] = value
        return value


class ComputedMemo(Memo[_Key, _Value]):
    """A memo that computes the answers it does not have: `answers[key]`."""

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[_Key], _Value]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: _Key) -> _Value:
        return self.store(key, self._compute(key))
