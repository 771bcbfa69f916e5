"""What executors need to judge, and what each of their processes builds from it once."""

from __future__ import annotations

import pickle
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import field, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from mqlint.computed import Computed
from mqlint.config.errors import ConfigError
from mqlint.config.globs import Globs
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.criteria import grading_of
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.io.sources import repositories_of
from mqlint.estate.tables.writer import Sink
from mqlint.finding import Finding
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.build import Compiled
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.grading import Grading, role_and_profiles
from mqlint.policy.run.judge import policies_in_force
from mqlint.source.digest import json_digest
from mqlint.source.gc_control import gc_relaxed
from mqlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from mqlint.policy.run.verdicts import PoliciesForVerdicts, Verdicts


@frozen
class RuleSet:
    """Compiled rules, with the values that repositories give to parameters.

    Where some are of one repository alone `rules` are those, and `shared` is the place, earlier in
    `Setup.rule_sets`, of the others.
    """

    rules: tuple[Compiled, ...]
    shared: int | None = None


@frozen(slots=False)
class RepositorySetup:
    """How one repository is judged: settings, severities, the place of its rules in `rule_sets`.

    If `fault` is set, its settings cannot be read and none of its files is judged. `faults` tell,
    by path, why files of its settings are not used. `digest` differs where judgements do.
    """

    settings: Settings = field(default_factory=Settings)
    grading: Grading = field(default_factory=Grading)
    rule_set: int = 0
    fault: str = ""
    digest: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


@frozen
class OwnPolicies:
    """What one repository has of its own: compiled policies, and files that are not heeded."""

    policies: tuple[Compiled, ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)


@frozen(slots=False)
class Setup:
    """All that judging needs, in a form that can be sent: plain data, no open files.

    Every task of a scan is given one, which a process unpacks once. `repositories` go by their
    names; one that stands alone has none. `reading` and `judging` are digests of what readings and
    judgements depend on besides settings and documents, `digest` differs for setups that differ.
    """

    vocabulary: Mapping[str, Mapping[str, object]]
    rule_sets: tuple[RuleSet, ...]
    repositories: Mapping[str, RepositorySetup]
    reading: str = ""
    judging: str = ""
    digest: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Be sent in one piece, which is the same for each task."""
        return _received, (self.digest, self._packed)

    @cached_property
    def _packed(self) -> bytes:
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return zlib.compress(pickle.dumps(values))


def _received(digest: str, packed: bytes) -> Setup:
    """Return the setup that was sent, or the equal one that this process has unpacked."""
    known = _contexts.get(digest)
    if known is not None:
        return known.setup
    return Setup(**pickle.loads(zlib.decompress(packed)))  # noqa: S301 within what is one already


def setup_for(
    vocabulary: Mapping[str, Mapping[str, object]],
    rulebook: Rulebook,
    settings: Mapping[str, Settings],
    faults: Mapping[str, ConfigError],
    profiles: Sequence[str],
    own: Mapping[str, OwnPolicies] = MappingProxyType({}),
) -> Setup:
    """Return what executors need for an estate of repositories, by their names.

    `faults` are those whose settings cannot be read, and why. Repositories that give parameters
    the same values share their rules; to these come the policies that each has of its `own`.
    ConfigError as of `Rulebook.tuned`.
    """
    rule_sets = _RuleSets(rulebook)
    nothing = OwnPolicies()
    repositories = {name: _unjudged(error) for name, error in faults.items()}
    for name, chosen in settings.items():
        policies = own.get(name, nothing)
        digest = digest_of(repr(chosen), sorted(profiles), policies.policies)
        place = rule_sets.place(chosen, policies)
        grading = grading_of(chosen, profiles)
        repositories[name] = RepositorySetup(chosen, grading, place, "", digest, policies.faults)
    if not rule_sets.sets:
        rule_sets.place(Settings(), nothing)
    reading = digest_of(vocabulary, digest_of_code())
    judging = digest_of(reading, rulebook.digest)
    contents = {
        name: [repository.digest, repository.fault, dict(repository.faults)]
        for name, repository in repositories.items()
    }
    whole = digest_of(judging, contents)
    return Setup(vocabulary, tuple(rule_sets.sets), repositories, reading, judging, whole)


def _unjudged(error: ConfigError) -> RepositorySetup:
    """A repository with wrong settings; only the file at fault has the whole reason."""
    short = f"the settings of its repository are not valid: see {error.path}"
    return RepositorySetup(fault=short, faults={error.path: f"the settings are not valid: {error}"})


class _RuleSets:
    """The rules of all repositories, equal ones once."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._places: dict[str, int] = {}
        self.sets: list[RuleSet] = []

    def place(self, settings: Settings, own: OwnPolicies) -> int:
        ids = {policy["id"] for policy in own.policies}
        own_parameters = [parameter for parameter in settings.parameters if parameter.rule in ids]
        others = [parameter for parameter in settings.parameters if parameter.rule not in ids]
        shared = self._put(None, repr(others), lambda: self._rulebook.tuned(others))
        if not ids:
            return shared
        key = digest_of(repr(own_parameters), own.policies)
        return self._put(shared, key, lambda: Rulebook(own.policies).tuned(own_parameters))

    def _put(self, shared: int | None, key: str, make: Callable[[], Rulebook]) -> int:
        place = self._places.setdefault(f"{shared} {key}", len(self.sets))
        if place == len(self.sets):
            self.sets.append(RuleSet(make().compiled, shared))
        return place


def digest_of(*parts: object) -> str:
    """Return the digest of values that JSON has a form for."""
    return json_digest(parts)


class RepositoryContext(JudgingContext):
    """The inputs of judging the files of one repository; the rules are shared with others."""

    def __init__(
        self,
        setup: RepositorySetup,
        assembly: Assembly,
        rulebook: Rulebook,
        judges: dict[tuple[str, ...], PoliciesForVerdicts],
    ) -> None:
        """`judges` are those of the rulebook that were made, by the ids of their policies."""
        super().__init__(assembly, rulebook, setup.grading)
        self.setup = setup
        self._judges = judges
        self._judges_at: dict[object, PoliciesForVerdicts] = {}
        self._excluding = Globs.of_exclude(setup.settings.exclude)

    def verdicts(
        self,
        facts: Facts,
        findings: Iterable[Finding],
        waiting: Mapping[str, Sequence[str]],
    ) -> Verdicts:
        """Return what the rules make of a queue manager; `waiting` are rules by what they need."""
        role = role_and_profiles(facts.manager)
        judges = self._judges_at.get(role)
        if judges is None:
            judges = self._judges_at[role] = self._judges_of(facts.manager)
        failed = {finding.rule.id for finding in findings}
        keys = {rule: key for key, rules in waiting.items() for rule in rules}
        return judges.verdicts(facts, failed, keys)

    def _judges_of(self, manager: QueueManager) -> PoliciesForVerdicts:
        from mqlint.policy.run.verdicts import PoliciesForVerdicts  # here, as few runs need it

        policies = policies_in_force(self.rulebook.index, self.grading, manager)
        key = tuple(policy.id for policy in policies)
        if key not in self._judges:
            self._judges[key] = PoliciesForVerdicts(policies)
        return self._judges[key]

    def excludes(self, path: str) -> bool:
        """Whether the settings exclude a file."""
        own = self.assembly.placement.own(path)
        return self._excluding.matches(own)


class WorkerContext:
    """The objects that a process builds from a setup: parser, rules and assemblies."""

    def __init__(self, setup: Setup) -> None:
        """Build what all repositories share; the rest is built when it is asked for."""
        self.setup = setup
        self.vocabulary = Vocabulary.from_compiled(setup.vocabulary)
        self.analyser = Analyser(self.vocabulary)
        self._rulebooks = Computed(self._rulebook)
        self._judges: dict[int, dict[tuple[str, ...], PoliciesForVerdicts]] = defaultdict(dict)
        self._repositories = Computed(self._of)

    def of(self, name: str) -> RepositoryContext:
        return self._repositories[name]

    def _of(self, name: str) -> RepositoryContext:
        setup = self.setup.repositories.get(name, RepositorySetup(fault="it is not known"))
        assembly = Assembly(setup.settings, self.vocabulary, repository=name)
        rules = setup.rule_set
        return RepositoryContext(setup, assembly, self._rulebooks[rules], self._judges[rules])

    def excludes(self, repository: str, path: str) -> bool:
        """Whether a repository, or one around it, excludes a file."""
        around = repositories_of(repository, self.setup.repositories)
        return any(self.of(name).excludes(path) for name in (repository, *around))

    def rulebook(self, place: int) -> Rulebook:
        """Return the rules at a place of `Setup.rule_sets`."""
        return self._rulebooks[place]

    def _rulebook(self, place: int) -> Rulebook:
        rule_set = self.setup.rule_sets[place]
        if rule_set.shared is None:
            return Rulebook(rule_set.rules)
        return Rulebook.extended(self._rulebooks[rule_set.shared], rule_set.rules)


_contexts: dict[str, WorkerContext] = {}


def worker_context(setup: Setup) -> WorkerContext:
    """Return this process's context for `setup`, built at the first call."""
    found = _contexts.get(setup.digest)
    if found is None:
        _contexts.clear()
        found = _contexts[setup.digest] = WorkerContext(setup)
    gc_relaxed()  # each time: Spark's Python collects after each task, and a parser thaws
    return found


@frozen(slots=False)
class Job:
    """What the stages of one scan are given.

    That is the setup, the folder of the cache, and where tables are written. `relations` are what
    the documents of each repository say about each other, packed, once that is known. `names` are
    the names of files that documents of a repository use and that it has, as of `names_of_files`.
    """

    setup: Setup
    cache: Path
    sink: Sink
    relations: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Set[str]] = field(default_factory=dict)
