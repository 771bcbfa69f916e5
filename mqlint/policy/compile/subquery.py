"""One hop: whether another fact is there that meets the one that is judged, and is as it should.

How a bounded number of others compare with it tells it of all.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.join import FEW, Link, Met, Others, texts
from mqlint.policy.compile.logic import Truth, all_of, any_of
from mqlint.source.budget import Budget

if TYPE_CHECKING:
    from mqlint.policy.compile.predicate import Condition

_TWO = 2  # of two, one is another than any given one


class _Compared:
    """How others compare with facts of the same values: two of each truth tell it of them all."""

    def __init__(self, met: Met, fact: Fact, compared: Condition, budget: Budget) -> None:
        """Ask `compared` of the facts met and `fact`, until it is settled or the budget spent."""
        sure = ((other, compared(other, fact)) for other in met.sure)
        doubts = ((other, all_of((None, compared(other, fact)))) for other in met.doubtful)
        self._more = False
        self._is: list[Fact] = []
        self._may_be: list[Fact] = []
        for other, truth in chain(sure, doubts):
            if not budget.spend(1, 0):
                self._more = True
                return
            if truth is True:
                self._is.append(other)
            elif truth is None and len(self._may_be) < _TWO:
                self._may_be.append(other)
            if len(self._is) == _TWO:
                return

    def truth(self, fact: Fact) -> Truth:
        """Whether another than `fact` itself compares as it should."""
        if any(other is not fact for other in self._is):
            return True
        return None if self._more or any(other is not fact for other in self._may_be) else False


class Hop:
    """Whether there is a fact of the same queue manager that meets this one and is as it should.

    What does not depend on this one is asked once of each of the others. What compares them with
    it is asked as long as the budget of the queue manager lasts.
    """

    def __init__(
        self,
        link: Link,
        wanted: Condition | None,
        compared: Condition | None,
        this: Iterable[str],
    ) -> None:
        """`wanted` is asked of others alone; `compared` reads the keys `this` of this one too."""
        self._link = link
        self._wanted = wanted
        self._compared = compared
        self._others = Others(link, self._suits)
        self._this = [reader(key) for key in this]

    def __call__(self, fact: Fact, this: Fact | None = None, /) -> Truth:
        """Return whether there is one; None where the text leaves that open."""
        facts = Facts(fact.manager)
        if self._link.meets_all:
            truth = self._met_in("", fact, facts)
            return _unless_left_out(truth, facts.has_all(self._link.other))
        value = self._link.my_value(fact)
        if value is UNKNOWN:
            return None
        return any_of(self._at(text, fact, facts) for text in texts(value))

    def _at(self, text: str, fact: Fact, facts: Facts) -> Truth:
        nobody = self._others.is_nobody(text, facts)
        truth = False if nobody else self._met_in(text, fact, facts)
        if truth is not False:
            return truth
        return _unless_left_out(truth, self._link.none_left_out(text, facts))

    def _met_in(self, text: str, fact: Fact, facts: Facts) -> Truth:
        met = self._others.met_in(text, facts)
        if self._compared is not None:
            return self._compared_with(text, met, fact, self._compared)
        if any(True for _ in met.certain(fact)):
            return True
        return None if any(True for _ in met.possible(fact)) else False

    def _compared_with(self, text: str, met: Met, fact: Fact, compared: Condition) -> Truth:
        """Those that compare with this one as they do with all that have its values."""
        known = fact.manager.once(self._answers)
        key = (text, *(read(fact) for read in self._this))
        found = known.get(key)
        if found is None:
            found = _Compared(met, fact, compared, fact.manager.budget(id(self)))
            if len(met.sure) + len(met.maybe) + len(met.open) > FEW:
                known[key] = found
        return found.truth(fact)

    def _answers(self, manager: QueueManager) -> dict[tuple[Value, ...], _Compared]:
        """What is kept, by the value in which facts meet and those that are compared."""
        return {}

    def _suits(self, other: Fact) -> Truth:
        """An object that a branch may define is not there for certain."""
        there = other.exists if isinstance(other, MQObject) else True
        return all_of((there, True if self._wanted is None else self._wanted(other)))


def _unless_left_out(truth: Truth, settled: bool) -> Truth:
    """What is not found may still be there when the text leaves something out."""
    return None if truth is False and not settled else truth
