"""Judging: policies over one queue manager, then over the claims of all of them.

One process and Spark both go this way, so that they cannot disagree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import islice

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Finding, Location, Related, Rule, Severity, Subject
from mqlint.grouping import grouped
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.policy.policy import Draft, PendingClaim, Policy, Violation, subject_of, words_of
from mqlint.policy.run.claim import ASKS, OFFERS, Aggregate, Claim, aggregate, totals
from mqlint.policy.run.grading import Graded, Grading, role_of
from mqlint.policy.run.index import Index
from mqlint.policy.run.message import finding_of
from mqlint.policy.run.waiting import Waiting
from mqlint.source.digest import hex_digest
from mqlint.source.gc_control import freeing
from mqlint.source.masking import shown

_PLACES = 5
"""How many effects of one cause a finding names."""

Pending = dict[tuple[str, str, str, str], PendingClaim]
"""Claims that facts make towards other queue managers, by their identities."""


@mutable
class Judgement:
    """Findings of one queue manager, and its claims to compare with those of others.

    The key of a finding is its fingerprint and its number among those of that fingerprint in one
    description of the queue manager: a finding in two descriptions counts once. The claims are
    `pending` until they are asked for, which must be before the queue manager is released.
    """

    findings: dict[tuple[str, int], Finding] = field(default_factory=dict)
    pending: Pending = field(default_factory=dict)

    @property
    def claims(self) -> dict[tuple[str, str, str, str], Claim]:
        """All claims by their identities, made again each time."""
        return {claim.identity: claim for claim in self.made_claims()}

    def made_claims(self) -> Iterator[Claim]:
        """Yield the claims, one at a time, offers last."""
        yield from self.questions()
        for first, *others in self.offers():
            offer = first.claim()
            yield offer
            yield from (other.claim(offer) for other in others)

    def questions(self) -> Iterator[Claim]:
        """Yield the claims apart from offers; of facts that ask the same at one place, one asks.

        All claims of a fact about one attribute share its place, which is worked out once.
        """
        alike = _asking_alike(self.pending.values())
        questions: set[tuple[object, ...]] = set()
        known: dict[tuple[int, str | None], Claim] = {}
        for pending in self.pending.values():
            if pending.role == OFFERS:
                continue
            about = id(pending.fact), pending.attribute
            claim = pending.claim(known.get(about))
            known.setdefault(about, claim)
            if _question(pending) in alike:
                question = (claim.policy, claim.key, claim.role, claim.place, claim.data)
                if question in questions:
                    continue
                questions.add(question)
            yield claim

    def offers(self) -> Iterable[Sequence[PendingClaim]]:
        """Return what facts offer, equal offers of a fact for several policies and keys together.

        A large queue manager makes a dozen of each queue.
        """
        return grouped(
            ((id(pending.fact), pending.group, pending.value), pending)
            for pending in self.pending.values()
            if pending.role == OFFERS
        ).values()


def _asking_alike(pending: Collection[PendingClaim]) -> Set[int]:
    """Return the questions that several claims may ask: others need not be compared."""
    counted = Counter(_question(claim) for claim in pending if claim.role != OFFERS)
    return {question for question, number in counted.items() if number > 1}


def _question(claim: PendingClaim) -> int:
    """Return a number that claims that ask the same have in common."""
    return hash((claim.draft.policy, claim.key, claim.role))


def judge_queue_manager(
    index: Index,
    descriptions: Sequence[Facts],
    grading: Grading,
    suppositions: Iterable[Facts] = (),
    *,
    alone: bool = False,
    offering: bool = True,
    waiting: Waiting | None = None,
    asked_by_others: Mapping[str, Set[str]] | None = None,
) -> Judgement:
    """Judge one queue manager by the policies of `index`.

    It is described by its scripts, its dump or both. The first description with a finding is
    the one that is reported. `suppositions` are texts that may not run, each by itself: they make
    no claims, and what was found at the same place is not found again. With `alone` there is no
    other queue manager: claims that only another one could answer are not made, which changes no
    finding. Without `offering` it answers nobody: most offers meet no question, so they are best
    made when all questions are known. `waiting` collects the rules that are silent for want of
    configuration. With `asked_by_others`, keys of claims by policy, nothing is reported about this
    queue manager: it only makes claims, those under these keys.
    """
    offering = offering and not alone
    judgement = Judgement()
    is_context = asked_by_others is not None
    if asked_by_others is not None:
        index = _of_ids(index, asked_by_others)
    pending: Pending = {}
    for facts in descriptions:
        # Without a name, rules that only two can break may wait for one.
        is_named = not facts.manager.key.anonymous
        policies = _policies_for(index, grading, facts, alone=alone and is_named)
        matched = policies.index.matched(facts)
        if waiting is not None and not is_context:
            waiting.note(policies.index, matched, facts)
        seen: Counter[str] = Counter()
        for policy, found, severity in policies.asking(matched, offering=offering):
            for finding in () if is_context else _found(policy, found, facts, severity):
                seen[finding.fingerprint] += 1
                which = (finding.fingerprint, seen[finding.fingerprint])
                judgement.findings.setdefault(which, finding)
            keys = None if asked_by_others is None else asked_by_others[policy.id]
            _claim(policy, found, facts, severity, pending, keys, offering=offering)
            policy.kind.forget(facts.manager)
        if not is_context and facts.manager.undecided:
            _report_limits(index.limits(), policies, judgement)
    if not is_context:
        _suppose(index, suppositions, grading, judgement)
        _omit_effects(judgement.findings)
    if alone:
        _offer_what_is_asked(index, descriptions, pending)
    pending = _in_question(pending, index, alone=alone)
    judgement.pending = _claims_under(asked_by_others, pending)
    return judgement


@frozen
class _Policies:
    """The policies that may find fault with one description of a queue manager.

    `severity` is that of a rule there, None if it does not run.
    """

    facts: Facts
    index: Index
    severity: Callable[[Graded], Severity | None]

    def asking(
        self, matched: Mapping[str, Sequence[Fact]], *, offering: bool
    ) -> Iterator[tuple[Policy, Sequence[Fact], Severity]]:
        """Yield those to ask, each with its facts among those that `matched` has by policy."""
        for policy in self.index.to_ask(matched, offering=offering):
            severity = self.severity(policy)
            if severity is not None:
                yield policy, matched.get(policy.id, ()), severity


def _policies_for(index: Index, grading: Grading, facts: Facts, *, alone: bool) -> _Policies:
    """The policies that run there; with `alone` less those that only two queue managers break."""
    role = role_of(facts.manager)
    profiles = grading.profiles_at(role, facts.manager.profiles)
    chosen = index.only(
        lambda policy: (
            grading.runs(policy.id, policy.severity, profiles) and not (alone and policy.needs_two)
        ),
        (profiles, alone, grading.identity(profiles)),
    )
    return _Policies(facts, chosen, lambda rule: grading.severity_in(profiles, rule, role))


def _of_ids(index: Index, ids: Iterable[str]) -> Index:
    wanted = frozenset(ids)
    return index.only(lambda policy: policy.id in wanted, wanted)


def offers_of(
    index: Index, descriptions: Sequence[Facts], grading: Grading, asked: Mapping[str, Set[str]]
) -> Judgement:
    """Return what a queue manager that was judged offers under the keys asked of each policy.

    No policy is matched with its facts again: what they claim is known.
    """
    index = _of_ids(index, asked)
    pending: Pending = {}
    for facts in descriptions:
        policies = _policies_for(index, grading, facts, alone=False)
        for policy, _, severity in policies.asking({}, offering=True):
            draft = Draft(policy.id, policy.words, severity)
            _add(policy.kind.offers(facts, draft, asked[policy.id]), pending)
    return Judgement(pending=_claims_under(asked, pending))


def policies_in_force(index: Index, grading: Grading, manager: QueueManager) -> tuple[Policy, ...]:
    policies = _policies_for(index, grading, Facts(manager), alone=False)
    return tuple(
        policy for policy in policies.index.policies if policies.severity(policy) is not None
    )


def _report_limits(rule: Rule | None, policies: _Policies, judgement: Judgement) -> None:
    """Say which policies had more to compare than the budget of the queue manager allows."""
    facts = policies.facts
    severity = policies.severity(rule) if rule is not None and facts.manager.undecided else None
    if rule is None or severity is None:
        return
    names = {id(policy.kind): policy.id for policy in policies.index.policies}
    undecided = {
        question if isinstance(question, str) else names.get(question, "conditions")
        for question in facts.manager.undecided
    }
    listed = ", ".join(sorted(undecided))
    what = f"too much to compare for the number of commands: not everything is checked ({listed})"
    fact = qmgr_of(facts.manager)
    finding = finding_of(rule, severity, {"what": what}, fact.where(), subject_of(fact, None))
    judgement.findings.setdefault((finding.fingerprint, 1), finding)


def _suppose(
    index: Index, suppositions: Iterable[Facts], grading: Grading, judgement: Judgement
) -> None:
    """Add what is found in texts that may not run, unless it was found at the same place."""
    numbers = Counter(fingerprint for fingerprint, _ in judgement.findings)
    places = {(found.fingerprint, found.location) for found in judgement.findings.values()}
    for facts in freeing(suppositions):
        policies = _policies_for(index, grading, facts, alone=True)
        matched = policies.index.matched(facts)
        for policy, found, severity in policies.asking(matched, offering=False):
            for finding in _found(policy, found, facts, severity):
                place = (finding.fingerprint, finding.location)
                if place not in places:
                    places.add(place)
                    numbers[finding.fingerprint] += 1
                    which = (finding.fingerprint, numbers[finding.fingerprint])
                    judgement.findings[which] = finding


def _omit_effects(findings: dict[tuple[str, int], Finding]) -> None:
    """Omit what another rule reports, which has the same cause."""
    by_rule = grouped((finding.rule.id, finding) for finding in findings.values())
    effects = [
        which
        for which, finding in findings.items()
        if (yields := finding.rule.yields) is not None
        and any(
            yields.within == "queue_manager" or _is_about_same(finding, other)
            for rule in yields.to
            for other in by_rule.get(rule, ())
        )
    ]
    for which in effects:
        del findings[which]


def _is_about_same(finding: Finding, other: Finding) -> bool:
    """Whether two findings are about one object, or on one line."""
    own, theirs = finding.subject, other.subject
    if own.object_name and (own.object_type, own.object_name) == (
        theirs.object_type,
        theirs.object_name,
    ):
        return True
    place, their_place = finding.location, other.location
    return (place.path, place.start.line) == (their_place.path, their_place.start.line)


def _found(
    policy: Policy, matched: Iterable[Fact], facts: Facts, severity: Severity
) -> Iterator[Finding]:
    """Let one policy judge the facts it is about.

    A loop that runs a statement several times makes several facts of it: equal findings at one
    place are reported once. What has one cause is one finding.
    """
    reported: set[tuple[Location, str]] = set()
    effects: dict[Location, list[tuple[Fact, Violation]]] = {}
    judge = policy.kind.local
    for fact in matched:
        for violation in judge(fact, facts):
            if violation.cause is not None:
                effects.setdefault(violation.place, []).append((fact, violation))
                continue
            finding = _finding(policy, fact, violation, severity)
            place = finding.location, finding.message
            if place not in reported:
                reported.add(place)
                yield finding
    yield from (_of_cause(policy, found, severity) for found in effects.values())


def _of_cause(
    policy: Policy, effects: Sequence[tuple[Fact, Violation]], severity: Severity
) -> Finding:
    """The finding about one cause: its message tells of the first effect, and of how many."""
    fact, violation = effects[0]
    finding = _finding(policy, fact, violation, severity)
    affected = {(other.type, other.key): other for other, _ in effects}
    more = f" (and {len(affected) - 1:,} more)" if len(affected) > 1 else ""
    places = [
        Related(other.where(), f"{other.type} {shown(other.name)}")
        for other in islice(affected.values(), _PLACES)
    ]
    return replace(finding, message=finding.message + more, related=tuple(places))


def _claim(
    policy: Policy,
    matched: Iterable[Fact],
    facts: Facts,
    severity: Severity,
    pending: Pending,
    asked: Set[str] | None,
    *,
    offering: bool,
) -> None:
    """Let one policy say what concerns other queue managers; `asked` as of `Kind.offers`."""
    kind = policy.kind
    if not kind.looks_for:
        return
    draft = Draft(policy.id, policy.words, severity)
    for fact in matched:
        _add(kind.claims(fact, draft), pending)
    if offering:
        _add(kind.offers(facts, draft, asked), pending)


def _offer_what_is_asked(
    index: Index,
    descriptions: Iterable[Facts],
    pending: Pending,
) -> None:
    """Let a queue manager answer itself: one description of it asks, another may offer."""
    asked: dict[str, set[str]] = defaultdict(set)
    drafts: dict[str, Draft] = {}
    for value in pending.values():
        if value.role == ASKS:
            asked[value.draft.policy].add(value.key)
            drafts[value.draft.policy] = value.draft
    for policy in index.of_ids(asked):
        for facts in descriptions:
            _add(policy.kind.offers(facts, drafts[policy.id], asked[policy.id]), pending)


def _in_question(pending: Pending, index: Index, *, alone: bool) -> Pending:
    """The claims less those that no other queue manager meets and that are not at fault.

    With `alone` the run has one queue manager.
    """
    speaking = index.of_ids({policy for policy, *_ in pending})
    kinds = {policy.id: policy.kind for policy in speaking if alone or policy.kind.is_own}
    by_key: dict[tuple[str, str], list[PendingClaim]] = {}
    for (policy, _, role, _), claim in pending.items():
        if policy in kinds:
            for key in claim.keys:
                under = by_key.setdefault((policy, key), [])
                if role == kinds[policy].looks_for:
                    under.append(claim)
    faulty = {under for under, them in by_key.items() if kinds[under[0]].finds_fault(totals(them))}
    return {
        identity: claim
        for identity, claim in pending.items()
        if identity[0] not in kinds or any((identity[0], key) in faulty for key in claim.keys)
    }


def _claims_under(asked: Mapping[str, Set[str]] | None, pending: Pending) -> Pending:
    """Return the claims under the keys asked of each policy; all with None."""
    if asked is None:
        return pending
    return {
        identity: claim
        for identity, claim in pending.items()
        if any(key in asked[claim.draft.policy] for key in claim.keys)
    }


def _add(claims: Iterable[PendingClaim], pending: Pending) -> None:
    for claim in claims:
        pending.setdefault(claim.identity, claim)


def _finding(policy: Policy, fact: Fact, violation: Violation, severity: Severity) -> Finding:
    subject = subject_of(violation.cause or fact, violation.attribute)
    data = {**words_of(fact, policy.words), **violation.data}
    owner = fact.manager.key
    where = (owner.repository, owner.folder, owner.site, owner.name)
    return _reported(policy, severity, data, subject, violation, where)


def _reported(
    policy: Policy,
    severity: Severity,
    data: Mapping[str, str],
    subject: Subject,
    violation: Violation,
    where: Sequence[str] = (),
) -> Finding:
    """The finding about a violation; all members of one group `where` it is share an incident."""
    incident = None
    if violation.incident is not None:
        text = "\x1f".join((policy.id, *where, violation.incident))
        incident = hex_digest(text.encode("utf-8", "surrogatepass"))[:16]
    return finding_of(
        policy.rule,
        severity,
        data,
        violation.place,
        subject,
        related=violation.related,
        incident=incident,
    )


def judge_claims(policies: Mapping[str, Policy], claims: Iterable[Claim]) -> list[Finding]:
    """Summarise claims by policy and key, and judge each against its summary."""
    claims = tuple(claims)
    asked = {(claim.policy, claim.key) for claim in claims if claim.role != OFFERS}
    groups = grouped(
        ((claim.policy, key), claim)
        for claim in claims
        for key in claim.keys
        if (claim.policy, key) in asked
    )
    findings = []
    for (policy_id, _), members in groups.items():
        policy = policies[policy_id]
        wanted = policy.kind.looks_for
        summary = aggregate(claim for claim in members if claim.role == wanted)
        for claim in members:
            finding = judge_claim(policy, claim, summary)
            if finding is not None:
                findings.append(finding)
    return findings


def judge_claim(policy: Policy, claim: Claim, summary: Aggregate) -> Finding | None:
    """Judge one claim against the summary of those it looks for; offers are never at fault."""
    violation = policy.kind.judge(claim, summary) if claim.role != OFFERS else None
    if violation is None:
        return None
    data = {**dict(claim.data), **violation.data}
    return _reported(policy, claim.severity, data, claim.subject, violation)
