"""Claims of all policies, settled in one shuffle.

The claims of each queue manager are summarised where they are made, and the partial summaries
are sent beside the claims. A summary that groups share is kept once for all of them: a queue makes
equal offers for a dozen policies. Sorted by policy and key with the summaries first, a group is
read once: its summaries are merged, then each claim is judged as it passes. Neither the claims of
a key nor its summaries are ever held together.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b, sha256
from itertools import chain, groupby
from operator import attrgetter
from zlib import crc32

from mqlint.dataclass import NamedTuple
from mqlint.engine.loading.pack import RECORDS
from mqlint.estate.stages.judgements import open_message
from mqlint.estate.stages.messages import Message, finding_message
from mqlint.finding import Finding
from mqlint.grouping import grouped
from mqlint.policy.policy import Policy
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import OFFERS, Aggregate, Claim, aggregate
from mqlint.policy.run.judge import judge_claim

SUMMARY, CLAIM = 0, 1
"""The order within a group."""

_APART = "\x1e"
_TOGETHER = 256

BATCH = 8192
"""Claims that a process summarises together."""


class Shared(NamedTuple):
    """A claim, or a partial summary that is the same for several groups; `order` says which.

    A group is a policy and a key. The repository is the one whose rules judge the claim.
    """

    order: int
    repository: str
    payload: str
    groups: Sequence[tuple[str, str]]


class Combiner:
    """Packs claims, and summarises them in parts of bounded size.

    The key of a policy that only one repository has begins with the repository: those of others
    may have the same id.
    """

    def __init__(self, rulebook: Rulebook, repository: str = "", size: int = BATCH) -> None:
        """Summarise what the kinds of the rules in `rulebook` look for."""
        self._repository = repository
        self._policies = rulebook.policies_by_id
        self._own = rulebook.own
        self._limit = size
        self._number = 0
        self._waiting: dict[tuple[str, str], list[Claim]] = defaultdict(list)

    def add(self, claim: Claim) -> Iterator[Shared]:
        """Yield a claim that can be at fault, and summaries when it is time."""
        groups = self._groups(claim.policy, claim.keys)
        if claim.role != OFFERS:
            yield Shared(CLAIM, self._repository, RECORDS.packed(claim), groups)
        if claim.role == self._policies[claim.policy].kind.looks_for:
            yield from self._wait(claim, groups)

    def offer(self, claim: Claim, under: Iterable[tuple[str, Iterable[str]]]) -> Iterator[Shared]:
        """Take in an offer that policies share, each with its keys; summaries as of `add`."""
        groups = (self._groups(policy, keys) for policy, keys in under)
        return self._wait(claim, [*chain.from_iterable(groups)])

    def _groups(self, policy: str, keys: Iterable[str]) -> list[tuple[str, str]]:
        prefix = f"{_APART}{self._repository}{_APART}" if policy in self._own else ""
        return [(policy, prefix + key) for key in keys]

    def _wait(self, claim: Claim, groups: Sequence[tuple[str, str]]) -> Iterator[Shared]:
        for group in groups:
            self._waiting[group].append(claim)
        self._number += len(groups)
        if self._number >= self._limit:
            yield from self.flush()

    def flush(self) -> Iterator[Shared]:
        """Yield a partial summary for all groups in which the same claims wait."""
        waiting, self._waiting, self._number = self._waiting, defaultdict(list), 0
        alike = grouped((tuple(map(id, claims)), group) for group, claims in waiting.items())
        for groups in alike.values():
            summary = _packed(aggregate(waiting[groups[0]]))
            yield Shared(SUMMARY, self._repository, summary, groups)


def _packed(summary: Aggregate) -> str:
    examples = RECORDS.encode(summary.examples)
    return json.dumps((summary.size, summary.groups, summary.values, examples))


def _merged(summary: Aggregate, waiting: Iterable[str], *, whole: bool) -> Aggregate:
    """Merge packed summaries into one, with their examples if it is to be `whole`."""
    for packed in waiting:
        size, groups, values, shown = json.loads(packed)
        examples = RECORDS.decode(shown) if whole else ()
        summary = summary.merge(Aggregate(size, tuple(groups), tuple(values), examples))
    return summary


Rules = Callable[[str], Mapping[str, Policy]]
"""Gives the policies, by their ids, that a repository is judged by."""


def settle(given: Iterable[Message], rules: Rules, *, with_open: bool = False) -> Iterator[Message]:
    """Judge claims, sorted by policy, key and order; yield findings.

    The repository of a finding is the one whose rules judge the claim, and `order` the digest of
    its group. `with_open` asks for the claims too that the comparison leaves open.
    """
    for (policy_id, _), members in groupby(given, key=attrgetter("policy", "key")):
        summary, waiting = Aggregate(), list[str]()
        totals: Aggregate | None = None
        for row in members:
            if row.order == SUMMARY:
                # Of most keys there are offers only: what nobody asks for need not be unpacked.
                waiting.append(row.payload or "")
                if len(waiting) >= _TOGETHER:
                    summary, waiting = _merged(summary, waiting, whole=True), []
                continue
            totals = totals or _merged(summary, waiting, whole=False)
            policy = rules(row.repository)[policy_id]
            if not policy.kind.finds_fault(totals):
                if with_open and policy.kind.may_be_open(totals):
                    claim: Claim = RECORDS.unpacked(row.payload or "")
                    if policy.kind.is_open(claim, totals):
                        yield _of_group(open_message(claim, row.repository), row)
                continue  # of most keys no claim is at fault: none need be unpacked
            summary, waiting = _merged(summary, waiting, whole=True), []
            finding = judge_claim(policy, RECORDS.unpacked(row.payload or ""), summary)
            if finding is not None:
                yield _of_group(finding_message(_apart(finding, row), row.repository), row)


def digest(*parts: str) -> int:
    """Return a number of 8 bytes, with a sign, for texts; none but the last has a NUL.

    Half a surrogate pair counts as the `?` that it becomes in a batch (`batches`), so that a row
    has the same digest before and after.
    """
    digest = blake2b(_content(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _content(parts: Iterable[str]) -> bytes:
    return "\0".join(parts).encode("utf-8", "replace")


def group_digest(policy: str, key: str) -> int:
    """Return 4 bytes, with a sign, for the group of a claim, which depend on both as in `digest`.

    Groups that share a number are settled together, so that a sum that is quickly made will do.
    """
    return crc32(_content((policy, key))) - (1 << 31)


def _of_group(result: Message, claim: Message) -> Message:
    return result._replace(order=group_digest(claim.policy, claim.key))


def _apart(finding: Finding, row: Message) -> Finding:
    """The finding; one of a repository's own policy shares no incident with another repository."""
    if finding.incident is None or not row.key.startswith(_APART):
        return finding
    text = f"{row.repository}{_APART}{finding.incident}"
    incident = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return replace(finding, incident=incident)
