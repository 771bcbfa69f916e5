"""Queue managers judged: each on its own, then by what they say of each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

from mqlint.dataclass import frozen
from mqlint.engine.assemble import Standard
from mqlint.engine.contribution import Contribution
from mqlint.engine.judgement_cache import JudgementCache
from mqlint.engine.project import contributions_of
from mqlint.engine.reading import Reading
from mqlint.engine.shares import in_shares
from mqlint.finding import Finding
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.run.claim import ASKS, OFFERS, Claim
from mqlint.policy.run.judge import Judgement, judge_claims, judge_queue_manager
from mqlint.policy.run.waiting import Waiting
from mqlint.source.fault import why_unjudged
from mqlint.source.gc_control import gc_between

Given = dict[QueueManagerKey, list[Contribution]]
"""What documents say of each queue manager."""

Asked = Mapping[str, Set[str]]
"""The keys under which claims ask, by policy."""


class _Part(NamedTuple):
    """What was found about some queue managers, and the rules that wait, as of `Waiting`.

    `faults` say why something could not be judged, by the paths of its documents.
    """

    findings: list[Finding]
    claims: list[Claim]
    faults: dict[str, str]
    waiting: Mapping[str, Set[str]]


def judge(
    readings: Mapping[str, Reading],
    standard: Standard,
    faults: dict[str, str] | None = None,
    waiting: Waiting | None = None,
    judged: Set[str] | None = None,
    *,
    jobs: int = 1,
    known: JudgementCache | None = None,
) -> list[Finding]:
    """Build the queue managers and judge them, each on its own and then together.

    With `judged`, only queue managers of these files are judged; others answer their questions.
    Judgements in `known` are not made again, in runs of one process.

    A queue manager that cannot be judged is omitted; `faults` gets the reason, by the paths of its
    documents. `waiting` collects the rules that need configuration. Up to `jobs` processes
    share the work.
    """
    given = contributions_of(readings, standard.assembly)
    context = frozenset() if judged is None else _without(given, judged)
    own = sorted(given.keys() - context)
    if known is not None:
        known.about(standard.assembly)
    judging = _Judging(given, standard, _is_alone(given), waiting, known)
    parts = in_shares(judging.found, own, jobs)
    claims = [claim for part in parts for claim in part.claims]
    asked = _asked(claim for claim in claims if claim.role != OFFERS)
    if asked and context:
        parts += in_shares(
            partial(judging.claims, asked), judging.able(asked, sorted(context)), jobs
        )
    asked = _asked(claim for claim in claims if claim.role == ASKS)
    if asked and not judging.alone:
        able = judging.able(asked, own)
        parts += in_shares(partial(judging.offers, asked), able, jobs)
    for part in parts:
        if faults is not None:
            faults |= part.faults
        if waiting is not None:
            waiting.add(part.waiting)
    policies = standard.rulebook.policies_by_id
    findings = [finding for part in parts for finding in part.findings]
    return findings + judge_claims(policies, (claim for part in parts for claim in part.claims))


@frozen
class _Judging:
    """The queue managers of a run and what they are judged by; `alone` if there is one."""

    given: Given
    standard: Standard
    alone: bool
    waiting: Waiting | None
    known: JudgementCache | None

    def found(self, keys: Iterable[QueueManagerKey]) -> _Part:
        """Judge queue managers; none answers another one, as most offers meet no question."""
        return self._part(keys, None)

    def claims(self, asked: Asked, keys: Iterable[QueueManagerKey]) -> _Part:
        """Return what queue managers that are not judged claim under the keys that are asked."""
        return self._part(keys, asked)

    def offers(self, asked: Asked, keys: Iterable[QueueManagerKey]) -> _Part:
        """Return what queue managers that were judged offer to those that ask."""
        part = self._part(keys, asked)
        return part._replace(claims=[claim for claim in part.claims if claim.role == OFFERS])

    def able(self, asked: Asked, keys: Sequence[QueueManagerKey]) -> Sequence[QueueManagerKey]:
        """Return the queue managers that can claim under the keys, as far as their names tell."""
        policies = self.standard.rulebook.policies_by_id
        names: set[str] = set()
        for policy, of_policy in asked.items():
            claimants = policies[policy].kind.claimants(of_policy)
            if claimants is None:
                return keys
            names |= claimants
        return [key for key in keys if key.name in names]

    def _part(self, keys: Iterable[QueueManagerKey], asked: Asked | None) -> _Part:
        findings: list[Finding] = []
        claims: list[Claim] = []
        faults: dict[str, str] = {}
        question = self.alone, None if asked is None else _frozen(asked)
        with gc_between() as free_models:
            for key in keys:
                judge_it = partial(self._judgement, key, asked)
                try:
                    if self.known is None:
                        judgement = judge_it()
                    else:
                        judgement = self.known.of(key, self.given[key], question, judge_it)
                except Exception as error:  # costs this queue manager, and not the others
                    reason = why_unjudged(key.name, error)
                    faults |= {contribution.path: reason for contribution in self.given[key]}
                    continue
                findings.extend(judgement.findings.values())
                claims.extend(judgement.claims.values())
                free_models()
        return _Part(findings, claims, faults, self.waiting.found if self.waiting else {})

    def _judgement(self, key: QueueManagerKey, asked: Asked | None) -> Judgement:
        assembly, given = self.standard.assembly, self.given[key]
        return judge_queue_manager(
            self.standard.rulebook.index,
            assembly.describe(key, given),
            self.standard.grading,
            assembly.suppose(key, given) if asked is None else (),
            alone=self.alone,
            offering=asked is not None,
            waiting=self.waiting,
            asked_by_others=asked,
        )


def _frozen(asked: Asked) -> frozenset[tuple[str, frozenset[str]]]:
    return frozenset((policy, frozenset(keys)) for policy, keys in asked.items())


def _asked(claims: Iterable[Claim]) -> Asked:
    asked: dict[str, set[str]] = {}
    for claim in claims:
        asked.setdefault(claim.policy, set()).add(claim.key)
    return asked


def _without(given: Given, judged: Set[str]) -> Set[QueueManagerKey]:
    """The queue managers that no file in `judged` is about."""
    return {key for key, found in given.items() if all(each.path not in judged for each in found)}


def _is_alone(given: Given) -> bool:
    """Whether there is one queue manager, and no nameless file that may be for it or another."""
    nameless = (found for key, found in given.items() if key.anonymous)
    has_content = any(each.declared or each.part for found in nameless for each in found)
    return sum(not key.anonymous for key in given) == 1 and not has_content
