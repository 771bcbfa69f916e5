"""Values that are computed from their keys when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Set
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Source = TypeVar("Source")
Value = TypeVar("Value")


class Computed(dict[Key, Value]):
    """A dictionary that computes the value of a key at `computed[key]`, and keeps it.

    `get` and `in` compute nothing. If the function is a method of the object that has the
    dictionary, they form a circle of references, so it is not for objects of which a document has
    many.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[Key], Value]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: Key) -> Value:
        value = self[key] = self._compute(key)
        return value


class LazyMapping(Mapping[str, Value], Generic[Source, Value]):
    """A mapping with a value for each of some sources, computed when it is first asked for."""

    def __init__(self, sources: Mapping[str, Source], compute: Callable[[Source], Value]) -> None:
        self._sources = sources
        self._computed = Computed[str, Value](lambda key: compute(sources[key]))

    def __getitem__(self, key: str) -> Value:
        return self._computed[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __contains__(self, key: object) -> bool:
        """Whether there is such a key; nothing is computed for that."""
        return key in self._sources

    @property
    def computed(self) -> Set[str]:
        """The keys whose values were asked for."""
        return self._computed.keys()
