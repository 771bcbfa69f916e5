"""Every built-in rule is right about its own cases, and none of its cases upsets the tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.engine.cases import judge_cases
from mqlint.engine.document.analyse import Analyser
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
    # What one policy calls clean, no other calls wrong, unless the case says so.
    clean = [result for result in results if not result.case.flagged]
    raised = {result.case.name: {*result.besides} for result in clean}
    assert raised == {result.case.name: {*result.case.also} for result in clean}


@pytest.mark.slow
def test_a_rule_has_a_case_it_flags_and_one_it_does_not() -> None:
    flagged = {source.path: {bool(case.flagged) for case in cases_of(source)} for source in SOURCES}
    assert {path: kinds for path, kinds in flagged.items() if kinds != {True, False}} == {
        "policies/syntax/syn022.yaml": {False},  # of files too large for a case
        "policies/vocabulary/voc021.yaml": {False},
    }


def test_a_rule_stands_under_its_id(rulebook: Rulebook) -> None:
    groups = {
        source.path: rulebook.rules[Path(source.path).stem.upper()].group for source in SOURCES
    }
    assert groups == {path: Path(path).parent.name for path in groups}
