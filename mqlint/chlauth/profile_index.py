"""Profiles by their literal parts, so that a name is compared with few of many profiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from mqlint.grouping import grouped
from mqlint.language.mqsc import Templated

T = TypeVar("T")


class _Prefix:
    """The profiles whose parts before an asterisk are alike: by their next part, by their last."""

    __slots__ = ("inner", "inner_lengths", "last", "last_lengths")

    def __init__(self) -> None:
        self.inner: dict[str, _Prefix] = {}
        self.inner_lengths: set[int] = set()
        self.last: dict[str, list[int]] = {}
        self.last_lengths: set[int] = set()


class ProfileIndex(Generic[T]):
    """Items by profile; a profile with an asterisk fits as `generic_fits` tells.

    Asterisks divide a profile into parts. A tree leads from part to part, and the parts are looked
    up among the substrings of a name: so the cost of a name depends on its length and on the
    profiles that fit a part of it, but not on the number of profiles.
    """

    def __init__(self, items: Iterable[tuple[str, T]]) -> None:
        """Take items with their profiles; items of one profile stay together, in this order."""
        self.groups: list[tuple[T, ...]] = []
        self._open: list[int] = []
        self._exact: dict[str, int] = {}
        self._first: dict[str, _Prefix] = {}
        self._first_lengths: set[int] = set()
        by_profile = grouped((_key(profile), item) for profile, item in items)
        for (profile, is_open), members in by_profile.items():
            self._add(profile, is_open, len(self.groups))
            self.groups.append(tuple(members))
        self._numbers = {key: number for number, key in enumerate(by_profile)}

    def group_of(self, profile: str) -> int:
        return self._numbers[_key(profile)]

    def _add(self, profile: str, is_open: bool, group: int) -> None:
        first, *inner = profile.split("*")
        if is_open:
            self._open.append(group)
        elif not inner:
            self._exact[profile] = group
        else:
            last = inner.pop()
            self._first_lengths.add(len(first))
            prefix = self._first.setdefault(first, _Prefix())
            for part in filter(None, inner):
                prefix.inner_lengths.add(len(part))
                prefix = prefix.inner.setdefault(part, _Prefix())
            prefix.last_lengths.add(len(last))
            prefix.last.setdefault(last, []).append(group)  # A*B and A**B are two profiles

    def fitting(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the groups whose profile fits, or may fit, a name."""
        groups = [*self._open]
        if name in self._exact:
            groups.append(self._exact[name])
        prefixes = [
            (self._first[start], len(start))
            for start in (name[:length] for length in self._first_lengths if length <= len(name))
            if start in self._first
        ]
        while prefixes:
            prefix, at = prefixes.pop()
            for length in prefix.last_lengths:
                if at + length <= len(name):
                    groups += prefix.last.get(name[len(name) - length :], ())
            prefixes += _inner_prefixes(prefix, name, at)
        return tuple(sorted(groups))

    def names(self, names: Iterable[str]) -> Mapping[int, list[str]]:
        """Return, by the number of their group, the names that its profile fits or may fit."""
        return grouped((group, name) for name in names for group in self.fitting(name))


def _key(profile: str) -> tuple[str, bool]:
    """A profile, and whether a template leaves it open: then it may fit any name."""
    return profile, isinstance(profile, Templated)


def _inner_prefixes(prefix: _Prefix, name: str, at: int) -> Iterator[tuple[_Prefix, int]]:
    """The next prefixes of a name, each with the first place after its part.

    The first occurrence of a part leaves most of the name for the parts after it.
    """
    for length in prefix.inner_lengths:
        seen: set[str] = set()
        for start in range(at, len(name) - length + 1):
            part = name[start : start + length]
            if part in prefix.inner and part not in seen:
                seen.add(part)
                yield prefix.inner[part], start + length
