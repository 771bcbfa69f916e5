"""Claims: what facts of different queue managers have to be compared by.

A policy that looks across queue managers turns each fact into claims under a key. Claims of one
key are aggregated; the aggregate is associative, commutative and bounded, so that it can be made
in any order and on any number of machines; then each claim is judged against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Location, Severity, Subject
from mqlint.grouping import grouped

PAIRS = 10
EACH = 4
VALUES = 64
ASKS = "asks"
"""The role of claims that look for what others offer."""
OFFERS = "offers"
"""The role of claims that answer others: none of them is at fault."""

NO_SITE = "another place"
"""The words of a message for an unknown site."""


@frozen
class Claim:
    """One fact under one key of one policy.

    `role` is `member`, or `asks` and `offers` where one side looks for the other. `group` is
    what the policy compares between (a role, a site, a queue manager), `value` what must agree.
    `member` identifies the fact. `data` fills the message. `also` are further keys of an offer.
    """

    policy: str
    key: str
    role: str
    group: str
    value: str
    member: str
    place: Location
    subject: Subject
    severity: Severity
    data: tuple[tuple[str, str], ...] = ()
    also: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key, *self.also)

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Equal for claims of one fact that two descriptions of a queue manager both make."""
        return (self.policy, self.key, self.role, self.member)


@frozen(order=True)
class Example:
    """A claim as the findings of other claims show it."""

    group: str
    value: str
    member: str
    place: Location
    site: str
    queue_manager: str
    name: str


@mutable
class Aggregate:
    """The aggregate of the claims of one policy, key and role.

    `groups` and `values` hold the smallest distinct ones, `examples` the smallest of each pair
    of group and value; `size` counts the claims.
    """

    size: int = 0
    groups: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()

    def merge(self, other: Aggregate) -> Aggregate:
        return Aggregate(
            self.size + other.size,
            _smallest(self.groups + other.groups),
            _smallest(self.values + other.values),
            _examples(self.examples + other.examples),
        )


def aggregate(claims: Iterable[Claim]) -> Aggregate:
    total = Aggregate()
    batch: list[Claim] = []
    for claim in claims:
        batch.append(claim)
        if len(batch) >= 1024:
            total, batch = total.merge(_aggregate(batch)), []
    if batch:
        return total.merge(_aggregate(batch)) if total.size else _aggregate(batch)
    return total


def _aggregate(claims: Sequence[Claim]) -> Aggregate:
    if len(claims) == 1:  # most keys have one, and there may be a million
        return Aggregate(1, (claims[0].group,), (claims[0].value,), (_example(claims[0]),))
    total = totals(claims)
    total.examples = _examples(map(_example, claims))
    return total


class _Comparable(Protocol):
    @property
    def group(self) -> str: ...
    @property
    def value(self) -> str: ...


def totals(claims: Sequence[_Comparable]) -> Aggregate:
    """Return the aggregate of claims, or of what is to be claimed, less its examples."""
    groups = _smallest(claim.group for claim in claims)
    values = _smallest(claim.value for claim in claims)
    return Aggregate(len(claims), groups, values)


def _smallest(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(texts))[:VALUES])


def _examples(examples: Iterable[Example]) -> tuple[Example, ...]:
    """The smallest few of each of the smallest pairs of group and value.

    Bounding the pairs first and each pair on its own keeps merging associative, and no large
    group crowds out the one that disagrees with it.
    """
    pairs = grouped(((example.group, example.value), example) for example in sorted(set(examples)))
    smallest = sorted(pairs)[:PAIRS]
    return tuple(example for pair in smallest for example in pairs[pair][:EACH])


def _example(claim: Claim) -> Example:
    return Example(
        claim.group,
        claim.value,
        claim.member,
        claim.place,
        claim.subject.site or "",
        claim.subject.queue_manager or "",
        claim.subject.object_name or "",
    )
