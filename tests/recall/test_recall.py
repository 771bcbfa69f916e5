"""One mutant of each operator, and the clean configurations. `make recall` measures all of them."""

from __future__ import annotations

import pytest
import yaml

from tests.recall.measure import findings_of, measured
from tests.recall.mutant import Mutant
from tests.recall.operators import Operator, operators
from tests.recall.project import FOLDER, projects
from tests.recall.table import section

pytestmark = pytest.mark.slow

OPERATORS = {operator.id: operator for operator in operators()}


KNOWN = frozenset(yaml.safe_load((FOLDER / "missed.yaml").read_text("utf-8")) or ())
"""The operators whose first mistake no rule reports yet."""


def first_mutant(operator: Operator) -> Mutant:
    for project in projects():
        for mutant in operator.mutants(project):
            return mutant
    pytest.fail(f"{operator.id} finds nothing to change in any configuration")


@pytest.mark.parametrize("project", [project.name for project in projects()])
@pytest.mark.parametrize("profile", ["", "production"])
def test_clean_configuration_has_no_finding(project: str, profile: str) -> None:
    assert findings_of(project, profile=profile) == []


@pytest.mark.parametrize("name", [name for name in OPERATORS if name not in KNOWN])
def test_operator(name: str) -> None:
    operator = OPERATORS[name]
    result = measured(first_mutant(operator))
    if operator.legal:
        assert result.silent, result
    else:
        assert result.found, result


def test_known_misses_are_operators() -> None:
    assert OPERATORS.keys() >= KNOWN


def test_each_operator_says_effect_and_source() -> None:
    assert [row.id for row in OPERATORS.values() if not row.effect] == []
    assert [row.id for row in OPERATORS.values() if not row.source and not row.legal] == []


def test_half_of_the_configurations_and_a_third_of_the_operators_are_kept_aside() -> None:
    held = sum(project.held for project in projects())
    assert abs(2 * held - len(projects())) <= 2
    # Operators for mistakes that were found elsewhere come to those in use.
    kept = sum(row.held for row in OPERATORS.values())
    assert len(OPERATORS) / 4 <= kept <= len(OPERATORS) / 3 + 2


def test_section_replaces_what_is_between_its_comments() -> None:
    page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n"
    assert section(page, "x", "new") == "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n"
