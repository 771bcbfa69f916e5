"""The kind `attributes`: is this fact as it should be?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from mqlint.dataclass import frozen
from mqlint.finding import Related
from mqlint.model.core.fact import Fact, places_beside
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.predicate import Condition
from mqlint.policy.policy import Kind, Violation

Tests = tuple[tuple[str, Condition], ...]
"""Attributes, each with what a condition asks of it alone."""


@frozen
class Attributes(Kind):
    """`required` must not be certainly false; `at` is the attribute to point at.

    If the policy states no `at`, or it is not written, the finding points at the attribute that
    decided: one of `asked`, which must be so and is not, or of `alternatives`, one of which made
    the policy be about the fact. If several commands write them, it points at what the last one
    writes, as that completes the fault: `at`, one of `asked`, or of `compared`, with which these
    are compared. `cause` is the attribute of the queue manager that is at fault for all facts, so
    that they are one finding; of one in `shared` they are an incident.
    """

    required: Condition
    at: str | None
    stated: bool = False
    asked: Tests = ()
    alternatives: Tests = ()
    compared: tuple[str, ...] = ()
    cause: str | None = None
    shared: str | None = None

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        if self.required(fact) is not False:
            return
        if self.cause is not None:
            owner = qmgr_of(facts.manager)
            yield Violation(owner.where(self.cause), self.cause, {}, cause=owner)
            return
        at = self._attribute(fact)
        related = tuple(Related(place, text) for place, text in places_beside(fact))
        yield Violation(fact.where(at), at, {}, related, self.shared)

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        """Blank, as only the text of the condition has names for its parts."""
        return "" if self.required(fact) is None else None

    def _attribute(self, fact: Fact) -> str | None:
        """The attribute to point at: the first that decided and is written, else `at`."""
        first = [self.at] if self.stated and self.at is not None else []
        failed = [key for key, test in self.asked if test(fact) is False]
        if isinstance(fact, MQObject):
            last = fact.last_written((*first, *failed, *self.compared))
            if last is not None:
                return last
        matched = (key for key, test in self.alternatives if test(fact) is True)
        nowhere = fact.where()
        for key in chain(first, failed, matched):
            if fact.where(key) != nowhere:
                return key
        return self.at
