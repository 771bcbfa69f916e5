"""The objects of one queue manager by their names: which types share names, and who has which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Generic, TypeVar

from mqlint.grouping import grouped
from mqlint.model.core.action import family, key_words
from mqlint.model.core.object import LayeredObject

T = TypeVar("T", bound=LayeredObject)


class NameSpaces(Generic[T]):
    """Objects by name space and key, including deleted ones.

    Queues of all types share a name space. Client-connection channels have one of their own, apart
    from all other channels. Objects with templates for names are in none.
    """

    def __init__(self) -> None:
        self._spaces: defaultdict[str, dict[str, T]] = defaultdict(dict)
        self._unnamed: dict[str, list[T]] = {}
        self._records: dict[str, dict[str, list[T]]] = {}
        self._existing: dict[str, Sequence[T]] = {}

    def space(self, name_space: str) -> dict[str, T]:
        """Return the objects of one name space by key, to be added to."""
        self._existing.clear()
        return self._spaces[name_space]

    def at(self, name_space: str, key: str) -> T | None:
        return self._spaces.get(name_space, {}).get(key)

    def add_unnamed(self, found: T) -> None:
        """Take in an object whose name a template leaves open."""
        self._existing.clear()
        self._unnamed.setdefault(found.type, []).append(found)

    def of(self, object_type: str) -> list[dict[str, T]]:
        """Return the name spaces in which objects of a type may be, those that have objects."""
        names = self._spaces.get(family(object_type))
        others = self._spaces.get("clntconn") if object_type == "channel" else None
        found = [names] if names else []
        return [*found, others] if others else found

    def families(self) -> Iterator[str]:
        """Yield the families of types of which objects may be here."""
        yield from (name_space for name_space, names in self._spaces.items() if names)
        yield from map(family, self._unnamed)

    def named(self, object_type: str) -> Iterator[T]:
        """Yield the objects of a type, or of the family `queue`, whose names are known."""
        for names in self.of(object_type):
            for found in names.values():
                if found.is_a(object_type):
                    yield found

    def existing(self, object_type: str) -> Sequence[T]:
        """Return the objects of a type that are not deleted: many rules ask for the same ones."""
        found = self._existing.get(object_type)
        if found is None:
            spaces = self.of(object_type)
            if not spaces and not self._unnamed:  # so it is for most types
                self._existing[object_type] = ()
                return ()
            every = [mqobject for names in spaces for mqobject in names.values()]
            if self._unnamed:
                every += self.unnamed(object_type)
            found = self._existing[object_type] = [
                mqobject
                for mqobject in every
                if mqobject.is_a(object_type) and mqobject.exists is not False
            ]
        return found

    def unnamed(self, object_type: str) -> Iterator[T]:
        """Yield the objects with templates for names.

        A caller may ask for authority records meanwhile, which are then made.
        """
        for kind, found in tuple(self._unnamed.items()):
            if object_type in (kind, family(kind)):
                yield from found

    def everything(self) -> Iterator[T]:
        return chain.from_iterable(
            (*(names.values() for names in self._spaces.values()), *self._unnamed.values())
        )

    def called(self, object_type: str, name: str) -> Sequence[T]:
        """Return what has this name where objects of a type are, of whatever type it is.

        There may be several: a client-connection channel beside another channel, or the records of
        one channel. To be asked of records when all are there.
        """
        if not key_words(object_type):
            return [names[name] for names in self.of(object_type) if name in names]
        records = self._records.get(object_type)
        if records is None:
            records = self._records[object_type] = grouped(
                (record.name, record) for names in self.of(object_type) for record in names.values()
            )
        return records.get(name, ())

    def is_open(self, object_type: str) -> bool:
        """Whether something that has a template for a name may have any name of this type."""
        return any(family(unnamed) == family(object_type) for unnamed in self._unnamed)
