"""The answers that a simulation takes to what no source decides."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.rehearsal.texts import QUESTIONS


class Answers:
    """The answers that one simulation takes, and which questions it met."""

    def __init__(self, given: Mapping[str, bool] | None = None) -> None:
        self.given = dict(given or {})
        self.asked: dict[str, bool] = {}

    def ask(self, key: str) -> bool:
        """Return the answer to a question, which the simulation has met."""
        answer = self.given.get(key, QUESTIONS[key].usual)
        self.asked[key] = answer
        return answer
