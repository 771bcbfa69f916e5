"""Subqueries: whether another fact exists that is joined with this one and fits a condition.

A bounded number of comparisons decides for all others.
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
from mqlint.policy.compile.join import FEW, Join, Joined, Matches, texts
from mqlint.policy.compile.logic import Truth, all_of, any_of
from mqlint.source.budget import Budget

if TYPE_CHECKING:
    from mqlint.policy.compile.predicate import Condition

_TWO = 2  # of two, one is another than any given one


class _Compared:
    """How others compare with facts of the same values: two of each truth tell it of them all."""

    def __init__(self, matches: Matches, fact: Fact, compared: Condition, budget: Budget) -> None:
        """Ask `compared` of the matches and `fact`, until it is settled or the budget spent."""
        sure = ((other, compared(other, fact)) for other in matches.sure)
        doubts = ((other, all_of((None, compared(other, fact)))) for other in matches.doubtful)
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


class Subquery:
    """Whether there is a fact of the same queue manager that matches this one and is as it should.

    What does not depend on this one is asked once of each of the others. What compares them with
    it is asked as long as the budget of the queue manager lasts.
    """

    def __init__(
        self,
        join: Join,
        wanted: Condition | None,
        compared: Condition | None,
        this: Iterable[str],
        *,
        as_read: bool = False,
    ) -> None:
        """`wanted` is asked of others alone; `compared` reads the keys `this` of this one too.

        With `as_read` what no text has does not exist, though more may be elsewhere.
        """
        self._join = join
        self._wanted = wanted
        self._compared = compared
        self._as_read = as_read
        self._others = Joined(join, self._suits, None if compared else _TWO)
        self._this = [reader(key) for key in this]

    def __call__(self, fact: Fact, this: Fact | None = None, /) -> Truth:
        """Return whether there is one; None if the text leaves that open."""
        facts = Facts(fact.manager)
        if self._join.joins_all:
            truth = self._matching("", fact, facts)
            return _unless_left_out(truth, self._as_read or facts.has_all(self._join.other))
        value = self._join.my_value(fact)
        if value is UNKNOWN:
            return None
        return any_of(self._at(text, fact, facts) for text in texts(value))

    def _at(self, text: str, fact: Fact, facts: Facts) -> Truth:
        nobody = self._others.is_nobody(text, facts)
        truth = False if nobody else self._matching(text, fact, facts)
        if truth is not False:
            return truth
        return _unless_left_out(truth, self._as_read or self._join.none_left_out(text, facts))

    def _matching(self, text: str, fact: Fact, facts: Facts) -> Truth:
        matches = self._others.matching(text, facts)
        if self._compared is not None:
            return self._compared_with(text, matches, fact, self._compared)
        if any(True for _ in matches.certain(fact)):
            return True
        return None if any(True for _ in matches.possible(fact)) else False

    def _compared_with(self, text: str, matches: Matches, fact: Fact, compared: Condition) -> Truth:
        """Those that compare with this one as they do with all that have its values."""
        known = fact.manager.cached(self._answers)
        key = (text, *(read(fact) for read in self._this))
        found = known.get(key)
        if found is None:
            found = _Compared(matches, fact, compared, fact.manager.budget(id(self)))
            if len(matches.sure) + len(matches.maybe) + len(matches.open) > FEW:
                known[key] = found
        return found.truth(fact)

    def _answers(self, manager: QueueManager) -> dict[tuple[Value, ...], _Compared]:
        return {}

    def _suits(self, other: Fact) -> Truth:
        """An object that a branch may define is not there for certain."""
        there = other.exists if isinstance(other, MQObject) else True
        return all_of((there, True if self._wanted is None else self._wanted(other)))


def _unless_left_out(truth: Truth, settled: bool) -> Truth:
    """What is not found may still be there when the text leaves something out."""
    return None if truth is False and not settled else truth
