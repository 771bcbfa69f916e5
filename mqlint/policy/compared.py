"""How facts compare with one that is judged: a bounded number of them tells it of all."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from mqlint.model.fact import Fact
from mqlint.policy.logic import Truth, all_of
from mqlint.policy.meeting import Met

if TYPE_CHECKING:
    from mqlint.policy.condition import Condition

_LOOKED_AT = 1000
"""More objects than these are not compared with each one that is judged."""

_TWO = 2  # of two, one is another than any given one


class Compared:
    """How others compare with facts of the same values: two of each truth tell it of them all."""

    def __init__(self, met: Met, fact: Fact, compared: Condition) -> None:
        """Ask `compared` of the facts met and `fact`, until it is settled."""
        sure = ((other, compared(other, fact)) for other in met.sure)
        doubts = ((other, all_of((None, compared(other, fact)))) for other in met.doubtful)
        self._more = len(met.sure) + len(met.maybe) + len(met.open) > _LOOKED_AT
        self._is: list[Fact] = []
        self._may_be: list[Fact] = []
        for other, truth in islice(chain(sure, doubts), _LOOKED_AT):
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
