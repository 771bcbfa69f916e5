"""Texts whose queue manager is not known are one model only where something says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.conftest import Lint

CASES = yaml.safe_load(Path(__file__).with_name("models.yaml").read_text("utf-8"))
_RULES = ("DRF006", "DRF008")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_one_model(case: dict[str, Any], lint: Lint) -> None:
    run = lint({case["path"]: case["text"]})
    found = [
        [finding.rule.id, finding.location.start.line]
        for finding in run.findings
        if finding.rule.id in _RULES
    ]
    assert found == case["found"]
