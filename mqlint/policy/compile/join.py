"""How facts of one queue manager meet: by values that both have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from typing import NamedTuple

from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.accessors import Reader, reader
from mqlint.policy.compile.logic import Truth, all_of

JOIN = "\x1f"
"""Stands between the parts of a value that is read from several keys."""

FEW = 4
"""So many facts are soon asked again: an answer about more is kept."""

_MANY_OF_A_NAME = frozenset(
    {
        *("authority", "authrec", "chlauth", "conflict", "difference", "document", "stanza"),
        *("step", "client_channel", "manifest", "data_set", "log_entry", "system_parameters"),
    }
)
"""Types of facts of which several may have one name."""


class Link:
    """How a fact meets others of one type: each key in `theirs` equals its like in `mine`.

    Without keys it meets them all. `at` is the attribute of this fact to point at: where none is
    given the one that speaks of the other, None for its name.
    """

    def __init__(
        self, other: str, theirs: Sequence[str], mine: Sequence[str], at: str | None = None
    ) -> None:
        """`other` is the type of the other facts."""
        self.other = other
        self.meets_all = not theirs
        self.by_name = tuple(theirs) == ("name",)
        self.at_named_manager = sorted(theirs) == ["name", "queue_manager"]
        self._name_at = theirs.index("name") if "name" in theirs else 0
        self.their_value = together(theirs)
        self.my_value = together(mine)
        attribute = mine[0].split(".")[0] if mine else ""
        self.at = at or (attribute if attribute.isupper() else None)

    def name_in(self, wanted: str) -> str:
        """Return the name of the other fact in a value in which it is met, else its first part."""
        return wanted.split(JOIN)[self._name_at]

    def manager_in(self, wanted: str) -> str:
        """Return the queue manager in a value of `queue_manager` and `name`."""
        return wanted.split(JOIN)[1 - self._name_at]

    def candidates(self, wanted: str, facts: Facts) -> tuple[Iterable[Fact], Iterable[Fact]]:
        """Return the facts that are met in `wanted`, and those whose value is not known."""
        if self.meets_all:
            return facts.of(self.other), ()
        if self.by_name:
            return facts.named(self.other, wanted), ()
        table = facts.manager.once(self.table)
        return table.known.get(wanted, ()), table.open

    def meets(self, other: Fact, wanted: str) -> Truth:
        """Whether another fact has the value `wanted`."""
        if self.meets_all:
            return True
        theirs = self.their_value(other)
        return None if theirs is UNKNOWN else wanted in texts(theirs)

    def none_left_out(self, wanted: str, facts: Facts) -> bool:
        """Whether the text settles which facts are met in `wanted`, if any."""
        if not self.by_name:
            return facts.has_all(self.other)
        exists = facts.exists(self.other, wanted)
        if exists is not True:
            return exists is False
        is_only_one = self.other not in _MANY_OF_A_NAME or facts.has_all(self.other)
        # One that only the configuration names can be anything.
        return is_only_one and any(True for _ in facts.named(self.other, wanted))

    def table(self, manager: QueueManager) -> _Table:
        """Return all facts of the type by the values they are met in."""
        table = _Table()
        for fact in Facts(manager).of(self.other):
            value = self.their_value(fact)
            if isinstance(value, str):
                if value.strip():
                    table.known.setdefault(value, []).append(fact)
                continue
            if value is UNKNOWN:
                table.open.append(fact)
            for text in dict.fromkeys(texts(value)):
                table.known.setdefault(text, []).append(fact)
        return table


class Met(NamedTuple):
    """The facts that are met in one value: those that suit for certain, and those that may.

    `open` are those that may suit and whose value is not known, the same for every value.
    """

    sure: Sequence[Fact]
    maybe: Sequence[Fact]
    open: Sequence[Fact]

    def certain(self, fact: Fact) -> Iterable[Fact]:
        """Return those that suit for certain, other than `fact` itself."""
        return (other for other in self.sure if other is not fact)

    def possible(self, fact: Fact) -> Iterable[Fact]:
        """Return those that may suit, other than `fact` itself."""
        return (other for other in self.doubtful if other is not fact)

    @property
    def doubtful(self) -> Iterable[Fact]:
        """All that may suit."""
        return chain(self.maybe, self.open)


class Others:
    """The facts of a link that suit, sorted by the values in which they are met.

    Each is asked once for a queue manager, however many facts look for it.
    """

    def __init__(self, link: Link, suits: Callable[[Fact], Truth]) -> None:
        """`suits` tells whether another fact is one that is looked for."""
        self._link = link
        self._suits = suits

    def met_in(self, wanted: str, facts: Facts) -> Met:
        """Return those that suit and are met in `wanted`."""
        known = facts.manager.once(self._sorted)
        return known.get(wanted) or self._met(wanted, facts, known)

    def is_nobody(self, wanted: str, facts: Facts) -> bool:
        """Whether a look at the table tells that none is met in `wanted`, and none may be."""
        link = self._link
        if link.meets_all or link.by_name:
            return False
        table = facts.manager.once(link.table)
        return not table.open and wanted not in table.known

    def _sorted(self, manager: QueueManager) -> dict[str | None, Met]:
        """What is kept, by value; under None those whose value is not known."""
        return {}

    def _met(self, wanted: str, facts: Facts, known: dict[str | None, Met]) -> Met:
        here, unknown = self._link.candidates(wanted, facts)
        here = list(here)
        if None not in known:
            open_ = [one for one in unknown if self._suits(one) is not False]
            known[None] = Met((), (), open_)
        sure: list[Fact] = []
        maybe: list[Fact] = []
        for other in here:
            truth = all_of((self._link.meets(other, wanted), self._suits(other)))
            if truth is not False:
                (sure if truth else maybe).append(other)
        met = Met(sure, maybe, known[None].open)
        if len(here) > FEW:
            known[wanted] = met
        return met


@dataclass(slots=True)
class _Table:
    """Facts by their values, and those whose value is unknown."""

    known: dict[str, list[Fact]] = field(default_factory=dict)
    open: list[Fact] = field(default_factory=list)


def together(keys: Sequence[str]) -> Reader:
    """Return what reads one key, or each combination of the values of several."""
    readers = [reader(key) for key in keys]
    if len(readers) == 1:
        return readers[0]

    def read(fact: Fact) -> Value:
        values = [one(fact) for one in readers]
        if any(value is UNKNOWN for value in values):
            return UNKNOWN
        return tuple(JOIN.join(parts) for parts in product(*map(texts, values)))

    return read


def texts(value: Value) -> tuple[str, ...]:
    """Return the values under which facts may meet: none when unknown, absent or blank."""
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if value is UNKNOWN or value is ABSENT:
        return ()
    return tuple(text for text in value if text.strip())
