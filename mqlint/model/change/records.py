"""The commands about records: channel authentication, message protection, authority."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.model.change.described import DescribedObject, Text, Written
from mqlint.model.core.authorities import expanded
from mqlint.model.core.value import ABSENT, Unknown

_LISTS = ("BLOCKUSER", "BLOCKADDR")


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
    """Return the command that turns the record `a` into `b`, and its undo; None if unknown.

    Only the difference is set, so that no application loses an authority that it keeps.
    """
    before, after = (
        expanded(str(side.value("OBJTYPE")), side.value("AUTHADD") or ABSENT) for side in (a, b)
    )
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return None
    more = tuple(word for word in after if word not in before)
    less = tuple(word for word in before if word not in after)
    return (b.authority("SET", more, less)[0],), (a.authority("SET", less, more)[0],)
