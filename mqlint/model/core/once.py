"""Answers that are worked out at the first asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar, cast

T = TypeVar("T")


class Once:
    """An object whose derived answers are computed once, by the functions that return them.

    Queue managers and procedures do not change after every command was applied; no answer may be
    asked for before. So rooms above can store what they derive on the object itself.
    """

    def __init__(self) -> None:
        self._answers: dict[object, Any] = {}

    def once(self, find: Callable[[Self], T]) -> T:
        """Return `find(self)`, worked out at the first asking."""
        answer = self._answers.get(find, self)  # no answer is the object itself
        if answer is self:
            answer = self._answers[find] = find(self)
        return cast(T, answer)
