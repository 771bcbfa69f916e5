"""Every built-in rule is right about its own cases, and none of its cases upsets the tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.engine.analyse import Analyser
from mqlint.engine.cases import judge_cases
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from mqlint.policy.rulebook import Rulebook

SOURCES = builtin_sources()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_the_cases_of_a_rule(source: PolicySource, analyser: Analyser, rulebook: Rulebook) -> None:
    rule = Path(source.path).stem.upper()
    results = list(judge_cases(source, rule, analyser, rulebook))
    failed = {
        result.case.name: (result.found, result.case.flagged)
        for result in results
        if not result.passed
    }
    assert failed == {}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_a_rule_has_a_case_it_flags_and_one_it_does_not(source: PolicySource) -> None:
    flagged = {bool(case.flagged) for case in cases_of(source)}
    too_large_to_read = Path(source.path).stem in ("voc021", "syn022")  # of more than 32 KB
    assert flagged == ({False} if too_large_to_read else {True, False})


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_a_rule_stands_under_its_id(source: PolicySource, rulebook: Rulebook) -> None:
    rule = rulebook.rules[Path(source.path).stem.upper()]
    assert rule.group == Path(source.path).parent.name
