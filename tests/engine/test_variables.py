"""Projects whose names are in variables: mistakes that are only visible through their values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Lint
from tests.rows import rows_of

CASES = rows_of(Path(__file__).with_name("variables.yaml"))
MISTAKES = [case for case in CASES if "silent" not in case]
LEGAL = [case for case in CASES if "silent" in case]


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: case["name"])
def test_no_mistake_is_found_in_a_legal_project(case: dict[str, Any], lint: Lint) -> None:
    rules = {finding.rule.id for finding in lint(case["files"]).findings}
    assert rules.isdisjoint(case["silent"])


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: case["name"])
def test_a_mistake_is_found_and_its_legal_twin_is_silent(case: dict[str, Any], lint: Lint) -> None:
    legal = dict(case["files"])
    for path, (mistake, correct) in case["legal"].items():
        assert mistake in legal[path]
        legal[path] = legal[path].replace(mistake, correct)
    expected = set() if case.get("left") else set(case["found"])
    assert {finding.rule.id for finding in lint(case["files"]).findings} & {
        *case["found"]
    } == expected
    assert {finding.rule.id for finding in lint(legal).findings}.isdisjoint(case["found"])
