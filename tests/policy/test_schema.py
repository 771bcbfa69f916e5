"""The published JSON Schema says of policies what the loader says."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from policy_reference import page

from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from mqlint.policy.compile import operators
from mqlint.policy.compile.predicate import FACT_OPERATORS
from mqlint.policy.language.kinds import CHECKS
from mqlint.policy.language.schema import policy_schema
from mqlint.policy.language.table import KINDS, OPERATORS, TEXT_OPERATORS
from mqlint.policy.load import builtin_sources, user_sources
from tests.policy.making import policy

ROOT = Path(__file__).parents[2]
ERRORS = Path(__file__).with_name("errors.yaml")
SOURCES = [*builtin_sources(), *user_sources([ROOT / "examples" / "policies"])]
BEYOND = (
    *(
        "has no attribute",
        "is never",
        "is used nowhere",
        "compare with nothing",
        "is not known here",
    ),
    *("not a pattern", "10.0.0.0/99", "expected a release", "no other fact exists here"),
    *("goes one hop", "recall allows", "expected a list of texts", "does not appear to be"),
    *("declares no parameters", "did you mean 'most'?", "of type text", "expected a whole number"),
    *("a group needs a bound", "expected one of", "sequence needs steps", "is looked for"),
    *("as_read needs", "similar needs", "beside is for a forbidden step"),
    *("a repair needs a case", "word needs a check", "has no group", "fixed is for a policy"),
    *("did you mean 'MAXDEPTH'?", "did you mean 'BOQNAME'?", "did you mean 'name'?"),
    *("did you mean 'MAXMSGL'?", "did you mean 'site.role'?", "did you mean 'class'?"),
    *(
        "did you mean 'others.site'?",
        "looked for in the procedure",
        "omit it",
        "across says whether",
    ),
    *("reaches needs channels", "expected a network such as"),
    *("did you mean 'related", "did you mean 'param.most'?", "unknown key 'site': allowed: role"),
)
"""What only the vocabulary, or the policy as a whole, can tell."""


@cache
def validator() -> jsonschema.Draft202012Validator:
    text = files("mqlint.policy").joinpath("policy.schema.json").read_text("utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


def test_what_is_published_is_what_the_loader_goes_by() -> None:
    jsonschema.Draft202012Validator.check_schema(policy_schema())
    assert validator().schema == policy_schema()


def test_the_table_has_the_operators_that_are_compiled() -> None:
    assert {*OPERATORS} == {*TEXT_OPERATORS, *FACT_OPERATORS}
    assert {*TEXT_OPERATORS} == {*operators.OPERATORS}
    assert {*KINDS} == {*CHECKS, "diagnostic"}


def test_the_reference_is_that_of_the_table() -> None:
    assert (ROOT / "docs" / "policy-language.md").read_text("utf-8") == page()


@pytest.mark.slow
def test_every_policy_fits() -> None:
    faults = {
        source.path: [error.message for error in validator().iter_errors(plain)]
        for source in SOURCES
        for plain in [read_yaml(source.text, source.path).plain()]
    }
    assert {path: messages for path, messages in faults.items() if messages} == {}


def rows() -> list[object]:
    table = read_yaml(ERRORS.read_text("utf-8"), ERRORS.name)
    return [pytest.param(row, id=str(row.line)) for row in table.sequence()]


@pytest.mark.parametrize("row", rows())
def test_a_policy_that_is_wrong_does_not_fit(row: Node) -> None:
    changed, left_out = row.get("with"), row.get("without")
    parts: dict[str, Plain] = {} if left_out is None else {left_out.string(): None}
    if changed is not None:
        parts |= {key: part.plain() for key, part in changed.mapping().items()}
    fits = validator().is_valid(read_yaml(policy(**parts), "x.yaml").plain())
    says = row.require("says").string()
    assert not fits or any(words in says for words in BEYOND)
