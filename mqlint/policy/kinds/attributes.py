"""The kind `attributes`: is this fact as it should be?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mqlint.model.fact import Fact, Facts
from mqlint.policy.claim import Claim, Summary
from mqlint.policy.condition import Condition
from mqlint.policy.policy import Draft, Violation


@dataclass(frozen=True, slots=True)
class Attributes:
    """`required` must not be certainly false; `at` is the attribute to point at."""

    required: Condition
    at: str | None
    looks_for: str = ""

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        """Return a violation when the fact certainly is not as required."""
        if self.required(fact) is False:
            yield Violation(fact.where(self.at), self.at, {})

    def claims(self, fact: Fact, draft: Draft) -> Iterable[Claim]:
        """Nothing: one fact is judged on its own."""
        return ()

    def offers(self, facts: Facts, draft: Draft) -> Iterable[Claim]:
        """Nothing: one fact is judged on its own."""
        return ()

    def judge(self, claim: Claim, summary: Summary) -> Violation | None:
        """Nothing: there are no claims."""
        return None
