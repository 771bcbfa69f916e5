"""Four times as many objects take each policy about four times as long, not sixteen.

Cases of every policy are judged ten times and forty times over, all copies at one queue
manager: their objects have names of their own, all other values are the same. What is counted is
calls, so that a busy machine does not decide the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from cProfile import Profile
from functools import cache
from pathlib import Path

import pytest

from mqlint.config.settings import PROFILES
from mqlint.engine import Analyser, Input
from mqlint.engine.loading.isolation import load_each
from mqlint.engine.project import assembly_of, queue_managers
from mqlint.model.facts.registry import Facts
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.grading import Grading
from mqlint.policy.run.index import Index
from mqlint.policy.run.judge import judge_claims, judge_queue_manager
from mqlint.source.gc_control import gc_paused
from tests.shipped import shipped_rulebook, shipped_vocabulary

FEW, MANY = 10, 40
BOUND = 5.0
"""Linear is 4, quadratic 16; part of the work does not grow at all."""

LEAST = 1000
"""Calls below which nothing is said about growth."""

NAMED = re.compile(r"\b(?:DEF(?:INE)?|ALT(?:ER)?|SET|DELETE)\s+[A-Z]+\s*\(\s*'?([\w./%*]+)", re.I)
GRADING = Grading(frozenset(PROFILES))


@cache
def analyser() -> Analyser:
    return Analyser(shipped_vocabulary())


@cache
def rulebook() -> Rulebook:
    return shipped_rulebook()


def copies(case: Case, number: int) -> list[Input]:
    """The files of a case with their text `number` times, each time with other names."""
    names = {name for _, text in case.files for name in NAMED.findall(text)}
    own = {name for name in names if name != "*" and not name.upper().startswith("SYSTEM.")}
    words = "|".join(map(re.escape, sorted(own, key=len, reverse=True))) or "(?!)"
    pattern = re.compile(rf"(?<![\w./%])({words})(?![\w./%])")
    return [
        Input(path, data="\n".join(_copy(text, pattern, copy) for copy in range(number)).encode())
        for path, text in case.files
    ]


def _copy(text: str, names: re.Pattern[str], number: int) -> str:
    def renamed(match: re.Match[str]) -> str:
        name = match[1]
        generic = name.endswith("*")
        return f"{name[:-1]}{number}.*" if generic else f"{name}.{number}"

    return names.sub(renamed, text)


def described(case: Case, number: int) -> list[list[Facts]]:
    loaded = load_each(copies(case, number), case.settings, analyser())
    readings = {path: document.reading for path, document in loaded if document.reading is not None}
    assembly = assembly_of(case.settings, analyser().vocabulary, readings)
    return list(queue_managers(readings, assembly))


def calls(index: Index, case: Case, number: int) -> int:
    """How many calls it takes to judge so many copies of a case.

    The collector waits: what other tests left behind may call functions when it is collected.
    """
    descriptions = described(case, number)
    profile = Profile()
    with gc_paused(), profile:
        claims: list[Claim] = []
        for each in descriptions:
            claims += judge_queue_manager(index, each, GRADING).claims.values()
        judge_claims({policy.rule.id: policy for policy in index.policies}, claims)
    return sum(entry.callcount for entry in profile.getstats())


def growths(source: PolicySource) -> Iterator[tuple[float, str]]:
    """How many times the calls of few copies many take, for some cases of a policy."""
    rule = Path(source.path).stem.upper()
    policy = rulebook().policies_by_id.get(rule)
    if policy is None:
        return  # a rule that readers report
    cases = cases_of(source)
    flagged = [case for case in cases if case.flagged]
    clean = [case for case in cases if not case.flagged]  # the last ones mostly lack something
    for case in (*flagged[:1], *clean[-2:]):
        few, many = (calls(Index([policy]), case, number) for number in (FEW, MANY))
        yield many / max(few, LEAST), case.name


@pytest.mark.growth
@pytest.mark.sample(30)
@pytest.mark.parametrize("source", builtin_sources(), ids=lambda source: Path(source.path).stem)
def test_a_policy_takes_time_in_line_with_what_it_judges(source: PolicySource) -> None:
    assert [name for growth, name in growths(source) if growth > BOUND] == []
