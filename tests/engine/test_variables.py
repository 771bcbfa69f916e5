"""Projects whose names are in variables: mistakes that are only visible through their values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Lint
from tests.rows import rows_of

CASES = rows_of(Path(__file__).with_name("variables.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
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
