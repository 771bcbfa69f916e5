"""Checks mutants and says which mistakes were found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from multiprocessing import get_context

from mqlint.engine import Analyser
from mqlint.engine.judgement.criteria import Criteria
from mqlint.engine.loading.load import Input, Loaded
from mqlint.engine.project import load_all
from mqlint.engine.run import judge_loaded
from mqlint.finding import Finding
from tests.recall.mutant import Mutant
from tests.recall.operators import Operator, operators
from tests.recall.project import Project, projects
from tests.shipped import shipped_rulebook, shipped_vocabulary


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant.

    `near` are the rules of findings near the change, `elsewhere` those of other findings.
    """

    mutant: Mutant
    near: tuple[str, ...]
    elsewhere: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether a rule that names the mistake reports it near the change."""
        return any(
            fnmatch(rule, right) for rule in self.near for right in _right(self.mutant.operator)
        )

    @property
    def silent(self) -> bool:
        """Whether there is no finding at all: what a legal change must be met with."""
        return not self.near and not self.elsewhere


@cache
def _by_id() -> dict[str, Operator]:
    return {operator.id: operator for operator in operators()}


def _right(operator: str) -> tuple[str, ...]:
    return _by_id()[operator].right


@cache
def _analyser() -> Analyser:
    return Analyser(shipped_vocabulary())


@cache
def _clean(name: str) -> tuple[Project, dict[str, Loaded]]:
    project = next(project for project in projects() if project.name == name)
    return project, _load(project, project.files.items())


def _load(project: Project, files: Iterable[tuple[str, str]]) -> dict[str, Loaded]:
    inputs = [Input(path, data=text.encode()) for path, text in files]
    return load_all(inputs, project.settings, _analyser())


def findings_of(project: str, mutant: Mutant | None = None, profile: str = "") -> list[Finding]:
    """Return the findings of a clean configuration, or of a mutant of it.

    Files that a mutant leaves alone are read once a process.
    """
    clean, loaded = _clean(project)
    if mutant is not None:
        loaded = {**loaded, **_load(clean, mutant.files.items())}
    profiles = [profile] if profile else []
    criteria = Criteria.of(clean.settings, _analyser(), shipped_rulebook(), profiles)
    return judge_loaded(loaded, criteria).findings


def measured(mutant: Mutant) -> Result:
    """Check a mutant in the default profile."""
    near, elsewhere = set(), set()
    for finding in findings_of(mutant.project, mutant):
        places = [(finding.location.path, finding.location.start.line)]
        if any(mutant.is_near(path, line) for path, line in places):
            near.add(finding.rule.id)
        else:
            elsewhere.add(finding.rule.id)
    return Result(mutant, tuple(sorted(near)), tuple(sorted(elsewhere)))


def mutants_of(chosen: Iterable[Operator], on: Sequence[Project]) -> Iterator[Mutant]:
    """Yield the mutants that operators make of projects, by project."""
    chosen = list(chosen)
    for project in on:
        for operator in chosen:
            yield from operator.mutants(project)


def measure(mutants: Sequence[Mutant], processes: int) -> list[Result]:
    """Check mutants in several processes; results are in their order."""
    if processes == 1:
        return [measured(mutant) for mutant in mutants]
    with get_context("fork").Pool(processes) as pool:
        return pool.map(measured, mutants, chunksize=40)
