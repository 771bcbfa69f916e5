"""A partition of the documents of a run: what one process reads and judges.

Each partition may be in a process of its own. Relations between documents are found from the links
of all of them; documents are sent only if several partitions have one queue manager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, partial
from typing import Any

from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.building import described, suppose
from mqlint.engine.assembly.contribution import Contribution
from mqlint.engine.assembly.links import Links, links_of
from mqlint.engine.assembly.relations import Relations
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.criteria import Criteria, OwnResults
from mqlint.engine.judgement.document_findings import document_findings
from mqlint.engine.loading.load import Loaded
from mqlint.engine.project import contributions_of, readings_of
from mqlint.finding import Awaited, FileCoverage, Finding, Suppression
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.judge import judge_queue_manager, offers_of
from mqlint.policy.run.waiting import Waiting
from mqlint.source.fault import why_unjudged
from mqlint.source.gc_control import gc_between

AskedKeys = Mapping[str, Set[str]]
"""The keys under which claims ask, by policy."""

Sent = tuple[str, Any, Set[QueueManagerKey]]
"""A document for another partition: its path, its reading, packed, and the queue managers."""


class Outcome(NamedTuple):
    """The result of one document: `is_read` if it has a reading, and what was reported of it."""

    coverage: FileCoverage
    text: str
    is_read: bool
    findings: Sequence[Finding]
    suppressions: Sequence[Suppression]
    awaited: Sequence[Awaited] = ()


class Described(NamedTuple):
    """A summary of what documents contain about a queue manager.

    `commands` is the number of their MQSC commands. `is_judged` is true if one of them is reported
    on, `has_content` if one has MQSC, declarations or stanzas.
    """

    commands: int
    is_judged: bool
    has_content: bool

    def joined(self, other: Described) -> Described:
        """Return the same for the documents of both."""
        return Described(
            self.commands + other.commands,
            self.is_judged or other.is_judged,
            self.has_content or other.has_content,
        )


class PartialJudgement(NamedTuple):
    """The findings and claims of some queue managers.

    `waiting` holds the ids of rules by the setting that they need. `faults` say why something could
    not be judged, by the paths of its documents.
    """

    findings: list[Finding]
    claims: list[Claim]
    faults: dict[str, str]
    waiting: Mapping[str, tuple[str, ...]]


class Partition:
    """Documents of a project, and the queue managers that it judges."""

    def __init__(
        self, load: Callable[[], Mapping[str, Loaded]], criteria: Criteria, judged: Set[str]
    ) -> None:
        """`load` reads the documents, by path; `judged` are those reported on."""
        self._load = load
        self._criteria = criteria
        self._judged = judged
        self._waiting = Waiting(criteria.settings)
        self._assembly = Assembly(criteria.settings, criteria.analyser.vocabulary)
        self._given: dict[QueueManagerKey, list[Contribution]] = {}
        self._alone = False

    @cached_property
    def _loaded(self) -> Mapping[str, Loaded]:
        return self._load()

    def links(self) -> dict[str, Links]:
        """Return what other documents may need of each of these, by path."""
        readings = readings_of(self._loaded).items()
        return {path: links_of(path, reading, self._assembly) for path, reading in readings}

    def describe(self, relations: Relations) -> dict[QueueManagerKey, Described]:
        """Return the queue managers that the documents are about, given all relations."""
        criteria = self._criteria
        self._assembly = self._assembly.related(relations)
        if criteria.known is not None:
            criteria.known.about(self._assembly)
        self._given = contributions_of(readings_of(self._loaded), self._assembly)
        return {key: self._described(given) for key, given in self._given.items()}

    def _described(self, given: Iterable[Contribution]) -> Described:
        return Described(
            sum(len(each.part.commands) for each in given if each.part is not None),
            any(each.source in self._judged for each in given),
            any(each.declared or each.part or each.stanzas for each in given),
        )

    def sent(self, keys: Set[QueueManagerKey]) -> list[Sent]:
        """Return the documents about queue managers that another partition judges."""
        from mqlint.engine.document.pack import pack  # here, as most runs are in one process

        of_path: dict[str, set[QueueManagerKey]] = {}
        for key in keys:
            for contribution in self._given.pop(key, ()):
                of_path.setdefault(contribution.source, set()).add(key)
        readings = readings_of({path: self._loaded[path] for path in of_path})
        return [(path, pack(reading), of_path[path]) for path, reading in readings.items()]

    def receive(self, sent: Iterable[Sent]) -> None:
        """Take in documents that other partitions give."""
        from mqlint.engine.document.pack import unpack

        for path, packed, keys in sent:
            reading = unpack(packed, self._criteria.analyser.parser)
            for key, contribution in self._assembly.contributions(path, reading):
                if key in keys:
                    self._given[key].append(contribution)

    def judge(self, alone: bool, keys: Iterable[QueueManagerKey]) -> PartialJudgement:
        """Judge queue managers; none answers another one, as most offers meet no question.

        `alone` if the run is about one queue manager.
        """
        self._alone = alone
        return self._part(keys, self._judgement)

    def claims(self, asked: AskedKeys, keys: Iterable[QueueManagerKey]) -> PartialJudgement:
        """Return what queue managers that are not judged claim under the keys that are asked."""
        return self._part(keys, partial(self._judgement, asked=asked), asked)

    def offers(self, asked: AskedKeys, keys: Iterable[QueueManagerKey]) -> PartialJudgement:
        """Return what queue managers that were judged offer to those that ask."""
        return self._part(keys, partial(self._offers, asked), asked, "offers")

    def outcomes(self) -> dict[str, Outcome]:
        """Return what became of the documents that are reported on, by path."""
        return dict(self._outcomes())

    def _outcomes(self) -> Iterator[tuple[str, Outcome]]:
        for path, document in self._loaded.items():
            if path not in self._judged:
                continue
            reading = document.reading
            if reading is None:
                yield path, Outcome(document.coverage, "", False, (), ())
            else:
                findings = document_findings(path, reading, self._context)
                comments = reading.suppressions
                yield (
                    path,
                    Outcome(
                        *(document.coverage, document.text, True, findings, comments),
                        awaited=reading.awaited,
                    ),
                )

    @property
    def _context(self) -> JudgingContext:
        criteria = self._criteria
        return JudgingContext(
            self._assembly, criteria.rulebook, criteria.grading, criteria.checkout
        )

    def _part(
        self,
        keys: Iterable[QueueManagerKey],
        judge: Callable[[QueueManagerKey], OwnResults],
        asked: AskedKeys | None = None,
        role: str = "",
    ) -> PartialJudgement:
        """`judge` judges each; its result depends on the documents, `asked` and `role` alone."""
        findings: list[Finding] = []
        claims: list[Claim] = []
        faults: dict[str, str] = {}
        question = self._alone, role, None if asked is None else _frozen(asked)
        known, given = self._criteria.known, self._given
        with gc_between() as free_models:
            for key in keys:
                try:
                    if known is None:
                        results = judge(key)
                    else:
                        results = known.of(key, given[key], question, partial(judge, key))
                except Exception as error:  # costs this queue manager, and not the others
                    reason = why_unjudged(key.name, error)
                    faults |= {contribution.path: reason for contribution in given[key]}
                    continue
                findings.extend(results.findings)
                claims.extend(results.claims)
                free_models()
        return PartialJudgement(findings, claims, faults, self._waiting.rules())

    def _offers(self, asked: AskedKeys, key: QueueManagerKey) -> OwnResults:
        index, grading = self._criteria.rulebook.index, self._criteria.grading
        with described(self._assembly, key, self._given[key]) as descriptions:
            return OwnResults.of(offers_of(index, descriptions, grading, asked))

    def _judgement(self, key: QueueManagerKey, asked: AskedKeys | None = None) -> OwnResults:
        assembly, given = self._assembly, self._given[key]
        with described(assembly, key, given) as descriptions:
            judgement = judge_queue_manager(
                self._criteria.rulebook.index,
                descriptions,
                self._criteria.grading,
                suppose(assembly, key, given) if asked is None else (),
                alone=self._alone,
                offering=asked is not None,
                waiting=self._waiting,
                asked_by_others=asked,
            )
            return OwnResults.of(judgement)


def _frozen(asked: AskedKeys) -> frozenset[tuple[str, frozenset[str]]]:
    return frozenset((policy, frozenset(keys)) for policy, keys in asked.items())
