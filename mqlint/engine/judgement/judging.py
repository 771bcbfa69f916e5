"""Queue managers judged: each on its own, then by what they say of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from mqlint.config.settings import Settings, Twins
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.relate import related_assembly
from mqlint.engine.judgement.partition import (
    AskedKeys,
    Described,
    PartialJudgement,
    Partition,
    Sent,
)
from mqlint.engine.judgement.shares import Shares
from mqlint.finding.finding import Finding, rules_waiting
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import ASKS, OFFERS, Claim
from mqlint.policy.run.judge import judge_claims
from mqlint.vocabulary import Vocabulary


def judge(
    partitions: Shares[Partition],
    paths: Iterable[str],
    settings: Settings,
    vocabulary: Vocabulary,
    rulebook: Rulebook,
) -> tuple[PartialJudgement, Assembly]:
    """Judge the queue managers of all partitions, each on its own and then together.

    `paths` are the documents in their order. Only queue managers of judged files are judged;
    others answer their questions. A queue manager that cannot be judged is omitted, and `faults` of
    the result has the reason. The assembly is that of all documents.
    """
    found = {
        path: links for part in partitions.ask(Partition.links) for path, links in part.items()
    }
    links = {path: found[path] for path in paths if path in found}
    assembly = related_assembly(settings, vocabulary, links)
    judging = _Judging(partitions, assembly)
    del found, links  # of thousands of queue managers in one script, each has its address here
    parts = judging.found()
    claims = [claim for part in parts for claim in part.claims]
    asked = _asked(claim for claim in claims if claim.role != OFFERS)
    if asked and judging.context:
        able = _able(asked, judging.context, rulebook, assembly.settings.twins)
        parts += judging.answers(Partition.claims, asked, able)
    asked = _asked(claim for claim in claims if claim.role == ASKS)
    if asked and (len(judging.own) > 1 or not judging.alone):
        able = _able(asked, judging.own, rulebook, assembly.settings.twins)
        parts += judging.answers(Partition.offers, asked, able)
    together = PartialJudgement(
        [finding for part in parts for finding in part.findings],
        [claim for part in parts for claim in part.claims],
        {path: fault for part in parts for path, fault in part.faults.items()},
        rules_waiting(part.waiting for part in parts),
    )
    together.findings.extend(judge_claims(rulebook.policies_by_id, together.claims))
    together.findings[:] = once(together.findings)
    return together, assembly


def once(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Return the findings, of those that are equal for several sites or folders only one."""
    found: dict[object, Finding] = {}
    for finding in findings:
        subject = finding.subject
        key = (finding.fingerprint, finding.location, finding.message, subject.queue_manager)
        other = found.setdefault(key, finding)
        if other.subject.site != subject.site:
            worst = max(other, finding, key=lambda each: each.severity)
            found[key] = replace(worst, subject=replace(subject, site=None))
    return found.values()


class _Judging:
    """The queue managers of a run, each judged by one of the partitions.

    `own` are those that are judged, `context` the others, in order. `alone` if there is one, and no
    nameless file that may be for it or another, or if there is only such a file.
    """

    def __init__(self, partitions: Shares[Partition], assembly: Assembly) -> None:
        """Let each queue manager be judged where most of its commands are."""
        self._partitions = partitions
        described = partitions.ask(Partition.describe, assembly.relations)
        every: dict[QueueManagerKey, Described] = {}
        self._owner: dict[QueueManagerKey, int] = {}
        most: dict[QueueManagerKey, int] = {}
        for number, of_partition in enumerate(described):
            for key, about in of_partition.items():
                every[key] = every[key].joined(about) if key in every else about
                if about.commands > most.get(key, -1):
                    most[key], self._owner[key] = about.commands, number
        self._exchange(described)
        keys = sorted(every)
        self.own = [key for key in keys if every[key].is_judged]
        self.context = [key for key in keys if not every[key].is_judged]
        self.alone = sum(not key.anonymous or every[key].has_content for key in keys) == 1

    def _exchange(self, described: Sequence[Iterable[QueueManagerKey]]) -> None:
        """Send documents to the partition that judges their queue manager."""
        given = [
            {key for key in keys if self._owner[key] != number}
            for number, keys in enumerate(described)
        ]
        if not any(given):
            return
        taken: list[list[Sent]] = [[] for _ in given]
        for sent in self._partitions.ask_each(Partition.sent, [(keys,) for keys in given]):
            for path, packed, keys in sent:
                for number in {self._owner[key] for key in keys}:
                    mine = {key for key in keys if self._owner[key] == number}
                    taken[number].append((path, packed, mine))
        self._partitions.ask_each(Partition.receive, [(sent,) for sent in taken])

    def found(self) -> list[PartialJudgement]:
        """Judge each queue manager on its own."""
        keys = self._dealt(self.own)
        return self._partitions.ask_each(Partition.judge, [(self.alone, mine) for mine in keys])

    def answers(
        self,
        question: Callable[[Partition, AskedKeys, Iterable[QueueManagerKey]], PartialJudgement],
        asked: AskedKeys,
        keys: Iterable[QueueManagerKey],
    ) -> list[PartialJudgement]:
        return self._partitions.ask_each(question, [(asked, mine) for mine in self._dealt(keys)])

    def _dealt(self, keys: Iterable[QueueManagerKey]) -> list[list[QueueManagerKey]]:
        dealt: list[list[QueueManagerKey]] = [[] for _ in range(len(self._partitions))]
        for key in keys:
            dealt[self._owner[key]].append(key)
        return dealt


def _able(
    asked: AskedKeys, keys: Sequence[QueueManagerKey], rulebook: Rulebook, twins: Twins
) -> Sequence[QueueManagerKey]:
    """Return the queue managers that can claim under the keys, as far as their names tell."""
    names: set[str] = set()
    for policy, of_policy in asked.items():
        claimants = rulebook.policies_by_id[policy].kind.claimants(of_policy)
        if claimants is None:
            return keys
        names |= claimants
    return [key for key in keys if not names.isdisjoint(_names_of(key, twins))]


def _names_of(key: QueueManagerKey, twins: Twins) -> Iterator[str]:
    """Yield the names by which `Kind.claimants` may mean a queue manager."""
    yield key.name
    yield twins.first(key.name) or key.name


def _asked(claims: Iterable[Claim]) -> AskedKeys:
    asked: dict[str, set[str]] = {}
    for claim in claims:
        asked.setdefault(claim.policy, set()).add(claim.key)
    return asked
