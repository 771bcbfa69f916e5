"""The commands about records: channel authentication, message protection, authority."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from mqlint.model.change.described import DescribedObject, Text, Written
from mqlint.model.facts.security.oam_profile import fits, is_generic, rank
from mqlint.vocabulary.effects import Effect

_PRIORITIES: Final = (
    "https://www.ibm.com/support/knowledgecenter/en/SSFKSJ_9.1.0/com.ibm.mq.sec.doc/q013520_.html"
)
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
    before, after = a.authorities, b.authorities
    if before is None or after is None:
        return None
    more = tuple(word for word in after if word not in before)
    less = tuple(word for word in before if word not in after)
    return (b.authority("SET", more, less)[0],), (a.authority("SET", less, more)[0],)


def with_wider_profile(
    effect: Effect, record: DescribedObject, others: Iterable[DescribedObject], *, is_made: bool
) -> Effect:
    """Return the effect of a record that is made or deleted, with what a generic profile grants.

    Only the most specific profile applies, so a narrower one takes away what a wider one grants.
    `others` are records of generic profiles for the same user or group.
    """
    wider = [other for other in others if fits(other.name, record.name)]
    if record.type != "authrec" or is_generic(record.name) or not wider:
        return effect
    other = min(wider, key=lambda found: rank(found.name))
    own, instead = record.authorities, other.authorities
    if own is None or instead is None:
        return effect
    words = ", ".join(word for word in instead if word not in own)
    verb = (
        "no longer applies to it, which takes away"
        if is_made
        else "applies to it again, which grants"
    )
    return (
        replace(effect, then=f"{other.name} {verb} {words}", see=_PRIORITIES) if words else effect
    )
