"""The kind `related` with `similar`: is the name that another queue manager lacks a typo?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import Related as RelatedPlace
from mqlint.model.core.fact import Fact
from mqlint.model.core.similar import SimilarNames
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.join import NAMING, SEPARATOR, texts
from mqlint.policy.kinds.related import RelatedFact
from mqlint.policy.policy import Draft, PendingClaim, Violation
from mqlint.policy.run.claim import ASKS, OFFERS, VALUES, Aggregate, Claim

_COMPLETE = "\x1f"  # no name: those have no control characters
_LONGEST = 48
"""Characters of the longest name."""


@frozen
class SimilarFact(RelatedFact):
    """A fact of a queue manager that is named, or of any one, of which not all facts are known.

    A fact that the files lack is missing if its name differs by one typing error from that of a
    fact that they have. A typing error changes the length of a name by one at most, so names go by
    their length: a queue manager with more names of such a length than an aggregate holds is not
    judged.
    """

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        return None

    def claims(self, fact: Fact, draft: Draft) -> Iterable[PendingClaim]:
        """Ask the queue manager that is named for its names of this length."""
        if fact.manager.key.anonymous and fact.type not in NAMING:
            return
        for wanted in texts(self.join.my_value(fact)):
            is_of_one = self.join.at_named_manager
            manager = self.join.manager_in(wanted) if is_of_one else ""
            name = self.join.name_in(wanted)
            if name and not self._is_right(fact, wanted):
                key, at = f"{manager}{SEPARATOR}{len(name)}", self.join.at
                yield draft.claim(fact, key=key, role=ASKS, value=name, attribute=at)

    def offers(
        self, facts: Facts, draft: Draft, asked: Collection[str] | None = None
    ) -> Iterable[PendingClaim]:
        """Offer each name with its length, and one more or less; and that they are all names."""
        if facts.manager.key.anonymous:
            return
        own = (facts.manager.key.name if self.join.at_named_manager else "") + SEPARATOR
        keys = {f"{own}{length}" for length in range(1, _LONGEST + 2)}
        if asked is not None:
            keys.intersection_update(asked)
        if not keys:
            return
        for other, name in self._names(facts):
            lengths = (len(name) + change for change in (-1, 0, 1))
            near = [key for length in lengths if (key := f"{own}{length}") in keys]
            if near:
                yield _offer(other, near, name, draft)
        if self.join.at_named_manager and facts.has_all(self.join.other):
            yield _offer(qmgr_of(facts.manager), sorted(keys), _COMPLETE, draft)

    def _is_right(self, fact: Fact, wanted: str) -> bool:
        """Whether the other is here, or may be outside the files."""
        if self.join.at_named_manager:
            return self._may_be_elsewhere(fact, wanted)
        manager = fact.manager
        here = self.others.matching(wanted, Facts(manager)).certain(fact)
        return any(True for _ in here) or manager.is_external(self.join.other, wanted)

    def _names(self, facts: Facts) -> Iterator[tuple[Fact, str]]:
        for other in facts.of(self.join.other):
            if self.to(other) is not False:
                for found in texts(self.join.their_value(other)):
                    yield other, self.join.name_in(found)

    def finds_fault(self, summary: Aggregate) -> bool:
        names = summary.values
        return bool(names) and _COMPLETE not in names and len(names) < VALUES

    def may_be_open(self, summary: Aggregate) -> bool:
        return False

    def judge(self, claim: Claim, summary: Aggregate) -> Violation | None:
        if claim.value in summary.values or not self.finds_fault(summary):
            return None
        similar = SimilarNames(summary.values).find(claim.value)
        if not similar:
            return None
        data = {"related.name": claim.value, "related.similar": similar}
        places = tuple(
            RelatedPlace(example.place, f"{similar} of {example.queue_manager}")
            for example in summary.examples
            if example.value == similar
        )
        return Violation(claim.place, claim.subject.attribute, data, places[:1])


def _offer(fact: Fact, keys: Sequence[str], value: str, draft: Draft) -> PendingClaim:
    first, *rest = keys
    return draft.claim(fact, key=first, role=OFFERS, value=value, also=tuple(rest))
