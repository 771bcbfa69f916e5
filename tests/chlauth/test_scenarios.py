"""IBM's scenarios, and each step by which a queue manager decides."""

from __future__ import annotations

import pytest

from mqlint.vocabulary.chlauth import evaluation_steps
from tests.chlauth.scenarios import SCENARIOS, Scenario

STEPS = evaluation_steps()

NOT_ASKED = {"channel", "client-users", "ignored-case", "names", "patterns"}
NOT_ASKED |= {"queue-manager-map", "user-map"}
"""Steps that decide whether a record fits, and leave no line in what was asked."""


@pytest.mark.parametrize("one", SCENARIOS, ids=lambda one: one.name)
def test_a_scenario(one: Scenario) -> None:
    assert one.result() == (one.verdict, one.user, one.record)


@pytest.mark.parametrize("one", SCENARIOS, ids=lambda one: one.name)
def test_a_scenario_is_about_steps_that_were_taken(one: Scenario) -> None:
    answer = one.answer()
    asked = {check.step for check in answer.outcome.checks}
    assert set(one.steps) - NOT_ASKED <= asked
    assert asked <= STEPS.keys()


def test_every_step_has_a_scenario() -> None:
    told = {step for scenario in SCENARIOS for step in scenario.steps}
    assert told == STEPS.keys()


def test_a_recalled_step_is_named_and_makes_the_answer_less_sure() -> None:
    for scenario in SCENARIOS:
        outcome = scenario.answer().outcome
        recalled = [STEPS[check.step] for check in outcome.checks if not STEPS[check.step].read]
        assert (outcome.confidence == "medium") == bool(recalled)
        for step in recalled:
            assert any(step.source in said for said in outcome.assumptions)
