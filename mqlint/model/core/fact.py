"""Facts: everything that a policy can match.

MQ objects are facts themselves. All others are a `DerivedFact`: one record, whose `FactType` holds
the functions that read its attributes. docs/writing-policies.md says what each attribute is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from mqlint.dataclass import NamedTuple, frozen
from mqlint.finding import Location
from mqlint.grouping import grouped
from mqlint.model.core.key import Numbered, numbered
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, Value

S = TypeVar("S")


class Fact(Protocol):
    """Something a policy can match: it has a type, a name, values and places."""

    @property
    def type(self) -> str:
        """The lower-case word of its type."""

    @property
    def name(self) -> str:
        """Its name, a `Templated` string when that is not known."""

    @property
    def key(self) -> str:
        """Its identity among the facts of its type in one queue manager."""

    @property
    def manager(self) -> QueueManager:
        """The queue manager it belongs to."""

    def value(self, attribute: str) -> Value:
        """The value of an attribute, decoded."""

    def where(self, attribute: str | None = None) -> Location:
        """The place that gives an attribute, else that of the fact."""


class FormedFact:
    """A fact of a type of which there may be many that differ in few values."""

    __slots__ = ()

    @property
    def form(self) -> object:
        """Equal for facts that write the same attributes, and have equal values of all others.

        This is about the attributes that are fast to read (see `FactType`).
        """
        return type(self)

    def writes(self, attribute: str) -> bool:
        """Whether facts of its form may have different values of an attribute."""
        return False


def complete(manager: QueueManager) -> bool:
    """Whether all objects are here, and with them what follows from objects."""
    return manager.complete


def never(_: QueueManager) -> bool:
    """The `has_all` of types for which no file shows every fact."""
    return False


@frozen(eq=False)
class FactType:
    """A type of facts other than MQ objects, by the word that policies use.

    `find` returns those of a queue manager to which every command was applied; it is called once.
    `attributes` are the additional ones of such a fact, in lower case; a trailing `*` means all
    that begin so. `has_all` says whether no fact is missing. `cheap` are the attributes that are
    fast to read, with a trailing `*` too.
    """

    type: str
    find: Callable[[QueueManager], Sequence[Fact]]
    attributes: tuple[str, ...] = ()
    has_all: Callable[[QueueManager], bool] = complete
    cheap: tuple[str, ...] = ()

    def by_name(self, manager: QueueManager) -> Mapping[str, Sequence[Fact]]:
        return grouped((fact.name, fact) for fact in manager.cached(self.find))


Places = Sequence[tuple[Location, str]]
"""Places, each with a description."""


def _numbered_key(fact: DerivedFact[S]) -> str:
    return numbered(fact.name, fact.number)


@frozen(eq=False)
class Readers(Generic[S]):
    """The functions that read facts of one type from their sources.

    `place` returns the place that gives an attribute. `values` have a function for each attribute,
    and `other` reads all other attributes. `beside` returns other places of a fact.
    """

    type: str
    place: Callable[[DerivedFact[S], str | None], Location]
    values: Mapping[str, Callable[[DerivedFact[S]], Value]]
    other: Callable[[DerivedFact[S], str], Value] = lambda _, __: ABSENT
    key: Callable[[DerivedFact[S]], str] = _numbered_key
    beside: Callable[[DerivedFact[S]], Places] = lambda _: ()


class DerivedFact(Generic[S]):
    """A fact that follows from the files of a queue manager.

    Values are computed from `source` on demand, because there may be as many facts as a text has
    lines. `number` distinguishes facts with the same name.
    """

    __slots__ = ("manager", "name", "number", "readers", "source")

    def __init__(
        self, readers: Readers[S], manager: QueueManager, name: str, source: S, number: int = 1
    ) -> None:
        self.readers = readers
        self.manager = manager
        self.name = name
        self.source = source
        self.number = number

    @property
    def type(self) -> str:
        return self.readers.type

    @property
    def key(self) -> str:
        return self.readers.key(self)

    def value(self, attribute: str) -> Value:
        """Return the value of an attribute; absent for one that facts of this type lack."""
        readers = self.readers
        read = readers.values.get(attribute)
        return readers.other(self, attribute) if read is None else read(self)

    def where(self, attribute: str | None = None) -> Location:
        return self.readers.place(self, attribute)


def derived_facts(
    readers: Readers[S], manager: QueueManager, sources: Iterable[tuple[str, S]]
) -> tuple[DerivedFact[S], ...]:
    """Return a fact for each name with its source; facts of one name are numbered."""
    keys = Numbered()
    return tuple(
        DerivedFact(readers, manager, name, source, keys.count(name)) for name, source in sources
    )


def derived_type(
    readers: Readers[S],
    sources: Callable[[QueueManager], Iterable[tuple[str, S]]],
    attributes: tuple[str, ...] | None = None,
    has_all: Callable[[QueueManager], bool] = complete,
    cheap: tuple[str, ...] = (),
) -> FactType:
    """Return the type of the facts whose names and sources `sources` returns.

    Without `attributes`, the additional ones are those for which there is a function.
    """
    return FactType(
        readers.type,
        lambda manager: derived_facts(readers, manager, sources(manager)),
        tuple(readers.values) if attributes is None else attributes,
        has_all,
        cheap,
    )


class Statement(NamedTuple):
    """A source whose values are known when the fact is made, with their places.

    `beside` are other places of the fact, each with a description.
    """

    values: Mapping[str, Value]
    place: Location
    places: Mapping[str, Location] = {}
    key: str = ""
    beside: Sequence[tuple[Location, str]] = ()


NamedStatement = tuple[str, Statement]


def statements(fact_type: str) -> Readers[Statement]:
    return Readers(
        fact_type,
        place=lambda fact, attribute: fact.source.places.get(attribute or "", fact.source.place),
        values={},
        other=lambda fact, attribute: fact.source.values.get(attribute, ABSENT),
        key=lambda fact: fact.source.key or _numbered_key(fact),
        beside=lambda fact: fact.source.beside,
    )


def stated_type(
    word: str,
    sources: Callable[[QueueManager], Iterable[NamedStatement]],
    attributes: tuple[str, ...],
    has_all: Callable[[QueueManager], bool] = never,
) -> FactType:
    """Return the type of the facts whose names and statements `sources` returns."""
    return derived_type(statements(word), sources, attributes, has_all)


def places_beside(fact: Fact) -> Places:
    """Return the other places of a fact, each with a description."""
    return fact.readers.beside(fact) if isinstance(fact, DerivedFact) else ()
