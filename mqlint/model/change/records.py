"""The commands about records: channel authentication, message protection, authority."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.model.change.described import DescribedObject, Text, Written

_LISTS = ("BLOCKUSER", "BLOCKADDR")
_WHOLE_WORDS = frozenset({"ALL", "ALLADM", "ALLMQI", "NONE"})


def replacement(
    side: DescribedObject | None, target: DescribedObject, values: Mapping[str, Text | None]
) -> tuple[str, Written]:
    """Return SET with all values of a side.

    For a record that the side does not name, `values` are those of a new queue manager.
    """
    return target.record("REPLACE", values) if side is None else side.record("REPLACE", None)


def removal_of(found: DescribedObject) -> str:
    """Return what removes a record; a list is removed as a whole."""
    is_list = found.subtype in _LISTS
    return found.record("REMOVEALL" if is_list else "REMOVE", {})[0]


def authority_commands(
    a: DescribedObject, b: DescribedObject
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the commands that turn the record `b` into `a`, and their undo; None if unknown.

    The meaning of ALL depends on the type of object, so a record with it is made again.
    """
    before, after = (set(_items(side.value("AUTHADD"))) for side in (a, b))
    if not before or not after:
        return None
    if _WHOLE_WORDS.isdisjoint(before | after):
        more, less = tuple(sorted(after - before)), tuple(sorted(before - after))
        return (b.authority("SET", more, less)[0],), (a.authority("SET", less, more)[0],)
    return _again(b, after), _again(a, before)


def _again(side: DescribedObject, authorities: set[str]) -> tuple[str, ...]:
    made = side.authority("SET", tuple(sorted(authorities)))[0]
    return side.authority("DELETE")[0], made


def _items(value: Text | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else value
