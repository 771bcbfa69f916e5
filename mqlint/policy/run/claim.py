"""Claims: what facts of different queue managers say to each other.

A policy that looks across queue managers turns each fact into claims under a key. Claims of one
key are summarised; the summary is associative, commutative and bounded, so that it can be made
in any order and on any number of machines; then each claim is judged against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mqlint.finding import Location, Severity, Subject

if TYPE_CHECKING:
    from mqlint.policy.policy import Saying

PAIRS = 10
EACH = 4
VALUES = 64


@dataclass(frozen=True, slots=True)
class Claim:
    """One fact under one key of one policy.

    `role` is `member`, or `asks` and `offers` where one side looks for the other. `group` is
    what the policy compares between (a role, a site, a queue manager), `value` what must agree.
    `member` identifies the fact. `data` fills the message.
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

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Equal for claims of one fact that two descriptions of a queue manager both make."""
        return (self.policy, self.key, self.role, self.member)


@dataclass(frozen=True, slots=True, order=True)
class Witness:
    """A claim as others see it."""

    group: str
    value: str
    member: str
    place: Location
    site: str
    queue_manager: str
    name: str


@dataclass(slots=True)
class Summary:
    """What all claims of one policy and key say together, for the claims of one role.

    `groups` and `values` hold the smallest distinct ones, `witnesses` the smallest of each pair
    of group and value; `size` counts the claims.
    """

    size: int = 0
    groups: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    witnesses: tuple[Witness, ...] = ()

    def merge(self, other: Summary) -> Summary:
        """Return the summary of both."""
        return Summary(
            self.size + other.size,
            _smallest(self.groups + other.groups, VALUES),
            _smallest(self.values + other.values, VALUES),
            _witnesses(self.witnesses + other.witnesses),
        )


def summarise(claims: Iterable[Claim]) -> Summary:
    """Return the summary of claims of one policy, key and role."""
    summary = Summary()
    batch: list[Claim] = []
    for claim in claims:
        batch.append(claim)
        if len(batch) >= 1024:
            summary, batch = summary.merge(_summary(batch)), []
    return summary.merge(_summary(batch)) if batch else summary


def _summary(claims: Sequence[Claim]) -> Summary:
    summary = outline(claims)
    summary.witnesses = _witnesses(map(_witness, claims))
    return summary


def outline(claims: Sequence[Claim] | Sequence[Saying]) -> Summary:
    """Return the summary of claims, or of what is to be claimed, less its witnesses."""
    groups = _smallest((claim.group for claim in claims), VALUES)
    values = _smallest((claim.value for claim in claims), VALUES)
    return Summary(len(claims), groups, values)


def _smallest(texts: Iterable[str], limit: int) -> tuple[str, ...]:
    return tuple(sorted(set(texts))[:limit])


def _witnesses(witnesses: Iterable[Witness]) -> tuple[Witness, ...]:
    """The smallest few of each of the smallest pairs of group and value.

    Bounding the pairs first and each pair on its own keeps merging associative, and no large
    group crowds out the one that disagrees with it.
    """
    pairs: dict[tuple[str, str], list[Witness]] = {}
    for witness in sorted(set(witnesses)):
        pairs.setdefault((witness.group, witness.value), []).append(witness)
    kept = sorted(pairs)[:PAIRS]
    return tuple(witness for pair in kept for witness in pairs[pair][:EACH])


def _witness(claim: Claim) -> Witness:
    return Witness(
        claim.group,
        claim.value,
        claim.member,
        claim.place,
        claim.subject.site or "",
        claim.subject.queue_manager or "",
        claim.subject.object_name or "",
    )
