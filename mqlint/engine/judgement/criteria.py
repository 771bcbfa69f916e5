"""What documents are judged by: the settings, the rules, and what suppresses their findings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from mqlint.config.settings import Settings
from mqlint.dataclass import NamedTuple, frozen
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.contribution import Contribution
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.judgement.context import JudgingContext
from mqlint.finding import Finding, Severity
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.grading import CustomProfile, Grading
from mqlint.policy.run.judge import Judgement
from mqlint.source.checkout import Checkout

if TYPE_CHECKING:
    from mqlint.finding.waiver import Waivers


class OwnResults(NamedTuple):
    """The findings and claims of one queue manager; they outlive its model."""

    findings: Sequence[Finding]
    claims: Sequence[Claim]

    @classmethod
    def of(cls, judgement: Judgement) -> OwnResults:
        return cls([*judgement.findings.values()], [*judgement.made_claims()])


class JudgementCache:
    """Judgements of earlier runs with the same settings and rules.

    A queue manager is judged alone, and others are compared by its claims. So the same documents
    give the same judgement while the relations between all documents of the project do not change.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, OwnResults] = {}
        self._assembly: Assembly | None = None

    def about(self, assembly: Assembly) -> None:
        """Empty the cache if the relations between documents differ from those of the last run."""
        if self._assembly is None or assembly.relations != self._assembly.relations:
            self._known.clear()
        self._assembly = assembly

    def of(
        self,
        key: QueueManagerKey,
        given: Sequence[Contribution],
        question: Hashable,
        judge: Callable[[], OwnResults],
    ) -> OwnResults:
        """Return the judgement of a queue manager; call `judge` if the cache does not have it.

        `question` is what the judgement depends on besides the documents.
        """
        token = key, question, tuple((each.path, each.digest) for each in given)
        if token not in self._known:
            self._known[token] = judge()
        return self._known[token]


@frozen
class Suppressing:
    """What may suppress findings of a run."""

    comments: bool = True
    waivers: Waivers | None = None


@frozen(eq=False)
class Criteria:
    """What judges documents.

    `checkout` has the files that documents may name, None if that is not known. With `known`,
    judgements of earlier runs, coverage does not list all rules that wait for
    configuration, and only one process may judge.
    """

    settings: Settings
    analyser: Analyser
    rulebook: Rulebook
    grading: Grading
    suppressing: Suppressing
    known: JudgementCache | None = None
    checkout: Checkout | None = None

    @classmethod
    def of(
        cls,
        settings: Settings,
        analyser: Analyser,
        rulebook: Rulebook,
        profiles: Iterable[str] = (),
        suppressing: Suppressing | None = None,
    ) -> Criteria:
        """Return the criteria of a configuration; `profiles` override those of the settings."""
        grading = grading_of(settings, profiles)
        rulebook = rulebook.tuned(settings.parameters)
        return cls(settings, analyser, rulebook, grading, suppressing or Suppressing())

    @property
    def context(self) -> JudgingContext:
        """The inputs of judging a document apart from all others."""
        assembly = Assembly(self.settings, self.analyser.vocabulary)
        return JudgingContext(assembly, self.rulebook, self.grading)


def grading_of(settings: Settings, profiles: Iterable[str]) -> Grading:
    """Return how severe rules are under the settings; `profiles` override theirs."""
    custom = {}
    if settings.own_profiles:
        from mqlint.config.profiles import resolved  # here, as most projects define none

        custom = {
            name: CustomProfile(built_in, _severities(severity))
            for name, (built_in, severity) in resolved(settings.own_profiles).items()
        }
    return Grading(frozenset(profiles), _severities(settings.severity), custom)


def _severities(words: Mapping[str, str]) -> dict[str, Severity | None]:
    return {key: None if word == "off" else Severity.of(word) for key, word in words.items()}
