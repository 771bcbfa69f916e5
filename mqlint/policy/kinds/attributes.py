"""The kind `attributes`: is this fact as it should be?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mqlint.model.core.fact import Fact
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.predicate import Condition
from mqlint.policy.policy import Kind, Violation


@dataclass(frozen=True, slots=True)
class Attributes(Kind):
    """`required` must not be certainly false; `at` is the attribute to point at."""

    required: Condition
    at: str | None

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        """Return a violation when the fact certainly is not as required."""
        if self.required(fact) is False:
            yield Violation(fact.where(self.at), self.at, {})
