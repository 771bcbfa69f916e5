"""Answers that are worked out at the first asking."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Self, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class CachedAnswers:
    """An object whose derived answers are computed once, by the functions that return them.

    Queue managers and procedures do not change after every command was applied; no answer may be
    asked for before. So rooms above can store what they derive on the object itself.
    `answers` are all of them, by the function, or by another key of whoever derives them.
    """

    __slots__ = ("answers",)

    def __init__(self) -> None:
        self.answers: dict[object, Any] = {}

    def cached(self, find: Callable[[Self], T]) -> T:
        """Return `find(self)`, worked out at the first asking."""
        answers = self.answers
        if find not in answers:
            answers[find] = find(self)
        answer: T = answers[find]
        return answer

    def cached_for(self, find: Callable[[Self, K], T], key: K) -> T:
        """Return `find(self, key)`, worked out at the first asking for the key."""
        known: dict[K, T] = self.answers.setdefault(find, {})
        if key not in known:
            known[key] = find(self, key)
        return known[key]
