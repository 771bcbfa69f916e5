"""Files in, procedures out: which steps, in which order, and which of them are certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.engine.document.analyse import Analyser
from mqlint.model.core.value import UNKNOWN
from mqlint.model.facts.registry import Facts
from mqlint.model.procedure.procedure import procedures
from mqlint.model.procedure.step_facts import StepFact
from mqlint.model.procedure.steps import all_steps
from tests.model.test_model import build

CASES = Path(__file__).with_name("procedures.yaml")


def cases() -> list[object]:
    return [
        pytest.param(case, id=case.require("name").string())
        for case in read_yaml(CASES.read_text("utf-8"), CASES.name).sequence()
    ]


def shown(step: StepFact) -> str:
    if step.value("maybe") is UNKNOWN:
        return "..."
    name = step.value("object")
    noun = step.name.partition(" ")[2]
    words = [str(step.value("class")), noun, name if isinstance(name, str) else ""]
    return " ".join(filter(None, words)) + ("" if step.certain else "?")


def steps_of(facts: Facts) -> list[list[str]]:
    every = procedures(facts.manager)
    return [[shown(step) for step in procedure.cached(all_steps)] for procedure in every]


@pytest.mark.parametrize("case", cases())
def test_steps_in_order(case: Node, analyser: Analyser) -> None:
    described = build(case, analyser)
    assert {name: steps_of(facts) for name, facts in described.items()} == case.require(
        "steps"
    ).plain()
    facts = case.get("facts")
    if facts is not None:
        keys = {
            name: [fact.key.replace("\x1f", " ") for fact in one.of("step")]
            for name, one in described.items()
        }
        assert keys == facts.plain()
