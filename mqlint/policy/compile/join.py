"""Joins of facts of one queue manager: by values that both have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import chain, product

from mqlint.dataclass import NamedTuple, mutable
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.chlauth_accessors import Reader
from mqlint.policy.compile.logic import Truth

SEPARATOR = "\x1f"
"""Separates the parts of a value that is read from several keys."""

NAMING = frozenset({"client_channel"})
"""Types of facts that name the queue manager they are about, whosever file they are in."""
TWIN = "queue_manager.mirror"
"""The key of a fact by which it asks the twin of its queue manager."""

FEW = 4
"""An answer about more facts than this is cached; one about fewer is quickly found again."""

_MANY_OF_A_NAME = frozenset(
    {
        *("authority", "authrec", "chlauth", "conflict", "difference", "document", "stanza"),
        *("step", "client_channel", "manifest", "data_set", "log_entry", "system_parameters"),
        *("connection", "use", "topic_use", "agent"),
    }
)
"""Types of facts of which several may have one name."""


class Join:
    """How a fact matches others of one type: each key in `theirs` equals that of `mine`.

    Without keys it matches them all. `at` is the attribute of this fact to point at: where none is
    given the one that speaks of the other, None for its name.
    """

    def __init__(
        self, other: str, theirs: Sequence[str], mine: Sequence[str], at: str | None = None
    ) -> None:
        self.other = other
        self.mine = tuple(mine)
        self.theirs = tuple(theirs)
        self.joins_all = not theirs
        self.by_name = self.theirs == ("name",)
        self.has_name = "name" in theirs
        self.at_named_manager = len(theirs) == 2 and "queue_manager" in theirs
        self.at_twin = TWIN in mine
        is_manager_first = self.at_named_manager and theirs[0] == "queue_manager"
        self._name_at = theirs.index("name") if "name" in theirs else int(is_manager_first)
        self.their_value = together(theirs)
        self.my_value = together(mine)
        attribute = mine[0].split(".")[0] if mine else ""
        self.at = at or (attribute if attribute.isupper() else None)

    def name_in(self, wanted: str) -> str:
        """Return the name of the other fact in a joined value, else the first part."""
        return wanted.split(SEPARATOR)[self._name_at]

    def manager_in(self, wanted: str) -> str:
        """Return the queue manager in a value of `queue_manager` and another key."""
        return wanted.split(SEPARATOR)[1 - self._name_at]

    def candidates(self, wanted: str, facts: Facts) -> tuple[Iterable[Fact], Iterable[Fact]]:
        """Return the facts that have the value `wanted`, and those whose value is not known."""
        if self.joins_all:
            return facts.of(self.other), ()
        if self.by_name:
            return facts.named(self.other, wanted), ()
        table = self.table(facts.manager)
        return table.known.get(wanted, ()), table.open

    def none_left_out(self, wanted: str, facts: Facts) -> bool:
        """Whether the text settles which facts have the value `wanted`, if any."""
        if not self.by_name:
            return facts.has_all(self.other)
        exists = facts.exists(self.other, wanted)
        if exists is not True:
            return exists is False
        is_only_one = self.other not in _MANY_OF_A_NAME or facts.has_all(self.other)
        # One that only the configuration names can be anything.
        return is_only_one and any(True for _ in facts.named(self.other, wanted))

    def table(self, manager: QueueManager) -> _Table:
        """Return the others by their values: one table for all joins by the same keys."""
        tables = manager.cached(_tables)
        key = self.other, self.theirs
        table = tables.get(key)
        if table is None:
            table = tables[key] = self._new_table(manager)
        return table

    def _new_table(self, manager: QueueManager) -> _Table:
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


class Matches(NamedTuple):
    """The facts of one value: those that suit for certain, and those that may.

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
        return chain(self.maybe, self.open)


class Joined:
    """The facts of a join that suit, by their values.

    Each is asked once for a queue manager, however many facts look for it.
    """

    def __init__(
        self, join: Join, suits: Callable[[Fact], Truth], enough: int | None = None
    ) -> None:
        """With `enough`, no more are asked when so many of a value suit for certain."""
        self._join = join
        self._suits = suits
        self._enough = enough

    def matching(self, wanted: str, facts: Facts) -> Matches:
        known = facts.manager.cached(self._sorted)
        return known.get(wanted) or self._find(wanted, facts, known)

    def is_nobody(self, wanted: str, facts: Facts) -> bool:
        """Whether the table shows that no fact has the value `wanted`, and none may have it."""
        join = self._join
        if join.joins_all or join.by_name:
            return False
        table = join.table(facts.manager)
        return not table.open and wanted not in table.known

    def _sorted(self, manager: QueueManager) -> dict[str | None, Matches]:
        """The cache, by value; under None those whose value is not known."""
        return {}

    def _find(self, wanted: str, facts: Facts, known: dict[str | None, Matches]) -> Matches:
        here, unknown = self._join.candidates(wanted, facts)
        here = list(here)
        if None not in known:
            open_ = [fact for fact in unknown if self._suits(fact) is not False]
            known[None] = Matches((), (), open_)
        sure: list[Fact] = []
        maybe: list[Fact] = []
        for other in here:
            truth = self._suits(other)
            if truth is not False:
                (sure if truth else maybe).append(other)
                if len(sure) == self._enough:
                    break
        matches = Matches(sure, maybe, known[None].open)
        if len(here) > FEW:
            known[wanted] = matches
        return matches


@mutable
class _Table:
    """Facts by their values, and those whose value is unknown."""

    known: dict[str, list[Fact]] = field(default_factory=dict)
    open: list[Fact] = field(default_factory=list)


def _tables(manager: QueueManager) -> dict[tuple[str, tuple[str, ...]], _Table]:
    """The cache of tables, by the type of the facts and the keys of the value."""
    return {}


def together(keys: Sequence[str]) -> Reader:
    """Return what reads one key, or each combination of the values of several."""
    readers = [reader(key) for key in keys]
    if len(readers) == 1:
        return readers[0]

    def read(fact: Fact) -> Value:
        values = [read_part(fact) for read_part in readers]
        if any(value is UNKNOWN for value in values):
            return UNKNOWN
        return tuple(SEPARATOR.join(parts) for parts in product(*map(texts, values)))

    return read


def texts(value: Value) -> tuple[str, ...]:
    """Return the values that facts are joined by: none if unknown, absent or blank."""
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if value is UNKNOWN or value is ABSENT:
        return ()
    return tuple(text for text in value if text.strip())
