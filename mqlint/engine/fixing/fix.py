"""Fixes that policies propose: an edit, what it may change, and its description."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mqlint.config.errors import shortened
from mqlint.dataclass import frozen
from mqlint.engine.fixing.edits import Edit
from mqlint.finding import Finding

_MOST_SHOWN = 60
"""Limit of the characters that are shown of a text before or after an edit."""


@frozen
class Fix:
    """An edit that removes a finding.

    `description` says what the edit does. `sets` are the attributes whose values it changes, and
    `objects` is the number of objects that it may change.
    """

    finding: Finding
    description: str
    edit: Edit
    is_safe: bool = False
    sets: frozenset[str] = frozenset()
    objects: int = 0

    @property
    def path(self) -> str:
        return self.finding.location.path


def split_batch(batch: list[Fix], idle: Collection[Edit]) -> list[list[Fix]]:
    """Split fixes for the next trials: those without effect apart, otherwise in halves."""
    if len(batch) == 1:
        return []
    effective = [fix for fix in batch if fix.edit not in idle]
    if effective and idle:
        return [[fix for fix in batch if fix.edit in idle], effective]
    middle = len(batch) // 2
    return [batch[middle:], batch[:middle]]


def without_overlaps(fixes: Iterable[Fix]) -> Iterator[Fix]:
    starts: list[int] = []
    ends: list[int] = []
    for fix in fixes:
        if any(_overlaps(part, starts, ends) for part in fix.edit.parts):
            continue
        yield fix
        for part in fix.edit.parts:
            at = bisect_left(starts, part.start)
            starts.insert(at, part.start)
            ends.insert(at, max(part.end, part.start + 1))


def _overlaps(edit: Edit, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether an edit overlaps one of those that begin and end at these sorted offsets."""
    at = bisect_left(starts, max(edit.end, edit.start + 1))
    return at > 0 and ends[at - 1] > edit.start


def edits_of(fixes: Iterable[Fix]) -> Iterator[Edit]:
    return (part for fix in fixes for part in fix.edit.parts)


def fix_of(finding: Finding, text: str, edit: Edit, repair: Mapping[str, Any]) -> Fix:
    """Return a fix with its limits; one that separates joined commands may change two objects."""
    is_safe: bool = repair["safe"]
    sets = frozenset(repair["values"]) if repair["edit"] == "set" else frozenset[str]()
    parts = repair["edit"] == "previous" or "\n" in edit.text
    objects = 0 if is_safe else 2 if parts else len(edit.parts)
    return Fix(finding, _description(text, edit), edit, is_safe, sets, objects)


def _description(text: str, edit: Edit) -> str:
    before, after = (
        shortened(" ".join(part.split()), _MOST_SHOWN)
        for part in (text[edit.start : edit.end], edit.text)
    )
    if before and after:
        more = f", at {len(edit.parts):,} places" if edit.also else ""
        return f"{before} -> {after}{more}"
    if after:
        return f"{after} is added"
    return f"{before} is removed" if before else "a line begins here"
