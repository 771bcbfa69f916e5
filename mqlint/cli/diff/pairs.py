"""Which queue manager of A is compared with which of B."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from mqlint.cli.diff.sides import Side
from mqlint.dataclass import frozen
from mqlint.model.comparison.difference import Difference, Ignored
from mqlint.model.comparison.managers import Comparison, compared
from mqlint.model.comparison.written import SAME_TEXT, Rename
from mqlint.model.core.queue_manager import QueueManager

@frozen
class Result:
    """The comparison of two sides.

    `alone` are queue managers and files that only one side has, `same_gaps` the number of files
    that are equal on both sides and not understood as a whole. `left_out` are the attributes and
    objects that the configuration leaves out.
    """

    comparisons: list[Comparison]
    alone: list[Difference]
    same_gaps: int
    left_out: tuple[str, ...] = ()

    @property
    def differences(self) -> list[Difference]:
        return [
            *self.alone,
            *(found for comparison in self.comparisons for found in comparison.differences),
        ]


def compare_sides(a: Side, b: Side, ignored: Ignored, rename: Rename) -> Result:
    """Compare all queue managers of two sides, and what of the files was not read."""
    ignored, left_out = a.without(ignored), a.left_out
    pairs, only_a, only_b = _paired(a, b, rename)
    alone = [_alone(manager, a, in_a=True) for manager in only_a]
    alone += [_alone(manager, b, in_a=False) for manager in only_b]
    same = _same_gaps(a, b)
    for side, in_a in ((a, True), (b, False)):
        alone += [
            Difference("undecided", "file", gap.path, why=f"{'A' if in_a else 'B'}: {gap.why}")
            for gap in side.gaps
            if (side.inner(gap.path), gap.digest) not in same
        ]
    found = [
        _without_same_text(compared(left, right, ignored, rename), a, b) for left, right in pairs
    ]
    return Result(found, alone, len(same), left_out)


def _without_same_text(comparison: Comparison, a: Side, b: Side) -> Comparison:
    """A comparison without stanzas that a template leaves open in files of the same bytes."""
    remaining = [
        found
        for found in comparison.differences
        if found.state != "undecided"
        or found.type != "stanza"
        or found.place_a is None
        or found.place_b is None
        or a.digests.get(found.place_a.path) != b.digests.get(found.place_b.path)
    ]
    left_out = len(comparison.differences) - len(remaining)
    notes = dict(comparison.notes)
    if left_out:
        notes[SAME_TEXT] = notes.get(SAME_TEXT, 0) + left_out
    return replace(comparison, differences=tuple(remaining), notes=tuple(sorted(notes.items())))


def _same_gaps(a: Side, b: Side) -> set[tuple[str, str]]:
    """Files not understood that have the same name and bytes on both sides."""

    def keys(side: Side) -> set[tuple[str, str]]:
        return {(side.inner(gap.path), gap.digest) for gap in side.gaps if gap.digest}

    return keys(a) & keys(b)


def _paired(
    a: Side, b: Side, rename: Rename
) -> tuple[list[tuple[QueueManager, QueueManager]], list[QueueManager], list[QueueManager]]:
    """Pairs by site and name, by name alone, by path; the only ones of both sides."""
    left, right = list(a.managers), list(b.managers)
    pairs: list[tuple[QueueManager, QueueManager]] = []
    if len(left) == 1 and len(right) == 1:
        return [(left[0], right[0])], [], []
    for with_site in (True, False):
        theirs = _by_identity(right, b, str, with_site=with_site)
        for identity, managers in _by_identity(left, a, rename, with_site=with_site).items():
            others = theirs.get(identity, [])
            if len(managers) == 1 and len(others) == 1:
                pairs.append((managers[0], others[0]))
                left.remove(managers[0])
                right.remove(others[0])
    pairs.sort(key=lambda pair: pair[1].key)
    return pairs, left, right


def _by_identity(
    managers: Iterable[QueueManager], side: Side, rename: Rename, *, with_site: bool
) -> dict[tuple[str, ...], list[QueueManager]]:
    found: dict[tuple[str, ...], list[QueueManager]] = {}
    for manager in managers:
        found.setdefault(tuple(_identity(manager, side, rename, with_site)), []).append(manager)
    return found


def _identity(manager: QueueManager, side: Side, rename: Rename, with_site: bool) -> Iterator[str]:
    key = manager.key
    if key.anonymous:
        yield from ("file", side.inner(key.name), key.model)
        return
    yield from ("name", rename(key.name))
    if with_site:
        yield from (key.site, side.inner(f"{key.folder}/") if key.folder else "")


def _alone(manager: QueueManager, side: Side, *, in_a: bool) -> Difference:
    return Difference(
        "only-in-a" if in_a else "only-in-b",
        "file" if manager.key.anonymous else "queue manager",
        side.inner(manager.key.name) if manager.key.anonymous else title(manager),
    )


def title(manager: QueueManager) -> str:
    """Return the queue manager as people call it: its name and site, or its file."""
    key = manager.key
    return f"{key.name} at {key.site}" if key.site and not key.anonymous else key.name
