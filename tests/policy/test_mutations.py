"""A condition that no case proves may be wrong, or lost tomorrow, without anyone noticing."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from mqlint.model.facts.registry import FACT_TYPES
from mqlint.policy.load import PolicySource
from tests.policy.mutants import Laboratory, Specimen, equivalent, sources


@pytest.fixture(scope="module")
def laboratory() -> Laboratory:
    return Laboratory()


@pytest.fixture(scope="module", params=sources(), ids=lambda source: Path(source.path).stem)
def source(request: pytest.FixtureRequest) -> PolicySource:
    """Each policy in turn, with all tests of it together."""
    return cast(PolicySource, request.param)


@pytest.fixture(scope="module")
def specimen(source: PolicySource, laboratory: Laboratory) -> Specimen:
    return laboratory.specimen(source)


@pytest.mark.mutants
def test_the_cases_tell_a_policy_from_all_its_mutants(
    source: PolicySource, specimen: Specimen
) -> None:
    rule = Path(source.path).stem.upper()
    assert {*specimen.survivors()} == {*equivalent().get(rule, {})}


@pytest.mark.mutants
def test_no_fact_of_the_cases_is_skipped(specimen: Specimen) -> None:
    """Types of facts whose inputs a queue manager lacks are skipped: it must have none of them.

    Else a type that is made of more than its `inputs` say would have facts that no rule sees.
    """
    for prepared in specimen.cases:
        for descriptions in prepared.described:
            for facts in descriptions:
                skipped = FACT_TYPES.keys() - {*facts.possible(FACT_TYPES)}
                found = {kind for kind in skipped if any(True for _ in facts.of(kind))}
                assert not found, (prepared.case.name, facts.inputs)


def test_a_mutant_no_case_proves_survives(laboratory: Laboratory) -> None:
    source = PolicySource("x/tst001.yaml", "x", WEAK)
    assert laboratory.specimen(source).survivors() == [
        "dropping match.name",
        "dropping attributes.MAXDEPTH.any[1]",
        "attributes.MAXDEPTH.any[0].gt: 11",
    ]


def test_hops_and_parameters_have_mutants(laboratory: Laboratory) -> None:
    source = PolicySource("x/tst001.yaml", "x", HOP)
    assert laboratory.specimen(source).survivors() == [
        "dropping match.MAXDEPTH",
        "dropping attributes.none.MAXMSGL",
        "attributes.none.MAXMSGL.lt.plus: 9",
        "attributes.none.MAXMSGL.lt.plus: 11",
        "dropping attributes.none.by.name",
        "parameters.most: 99",
        "parameters.most: 101",
    ]


def test_a_case_that_fails_is_told_alone(laboratory: Laboratory) -> None:
    source = PolicySource("x/tst001.yaml", "x", WEAK.replace("[a.mqsc:1]", "[a.mqsc:2]"))
    assert laboratory.specimen(source).survivors() == [
        "case 'low' fails as it is: flagged ['a.mqsc:1']"
    ]


WEAK = """
id: TST001
name: shallow-queue
summary: A queue is shallow
severity: {default: note}
confidence: high
why: It fills.
fix: Make it deeper.
match: {object: qlocal, name: {like: APP.*}}
check: {attributes: {MAXDEPTH: {any: [{gt: 10}, {is: "0"}]}}}
message: "{name} is shallow"
cases:
  - name: low
    files: {a.mqsc: "DEFINE QLOCAL(APP.A) MAXDEPTH(10)\\nDEFINE QLOCAL(APP.B) MAXDEPTH(12)\\n"}
    flagged: [a.mqsc:1]
"""
HOP = """
id: TST001
name: shallow-queue
summary: A queue is shallow
severity: {default: note}
confidence: high
why: It fills.
fix: Make it deeper.
parameters: {most: {default: 100, type: integer, says: x}}
match: {object: qlocal, MAXDEPTH: {lt: {param: most}}}
check:
  attributes:
    none: {object: qlocal, by: {name: BOQNAME}, MAXMSGL: {lt: {key: this.MAXMSGL, plus: 10}}}
message: "{name} is shallow"
cases:
  - name: one
    files:
      a.mqsc: "DEFINE QLOCAL(A) MAXDEPTH(1) BOQNAME(B) MAXMSGL(9)\\nDEFINE QLOCAL(B) MAXMSGL(1)\\n"
    flagged: [a.mqsc:1]
"""
