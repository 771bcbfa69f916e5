"""Projects with names in variables, or with several sites in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Lint
from tests.rows import rows_of

FILES = (
    *("variables.yaml", "stretches.yaml", "tables.yaml"),
    *("lookups.yaml", "releases.yaml", "single_values.yaml"),
)
CASES = [case for name in FILES for case in rows_of(Path(__file__).with_name(name))]
MISTAKES = [case for case in CASES if "silent" not in case]
LEGAL = [case for case in CASES if "silent" in case]


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: case["name"])
def test_no_mistake_is_found_in_a_legal_project(case: dict[str, Any], lint: Lint) -> None:
    rules = {finding.rule.id for finding in lint(case["files"]).findings}
    assert rules.isdisjoint(case["silent"])


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: case["name"])
def test_a_mistake_is_found_and_its_legal_twin_is_silent(case: dict[str, Any], lint: Lint) -> None:
    legal = dict(case["files"])
    for path, (mistake, correct, *after) in case["legal"].items():
        at = legal[path].index(after[0]) if after else 0
        before, rest = legal[path][:at], legal[path][at:]
        assert mistake in rest
        legal[path] = before + rest.replace(mistake, correct)
    expected = set() if case.get("left") else set(case["found"])
    assert {finding.rule.id for finding in lint(case["files"]).findings} & {
        *case["found"]
    } == expected
    assert {finding.rule.id for finding in lint(legal).findings}.isdisjoint(case["found"])


def test_releases_in_several_processes_are_judged_as_in_one(lint: Lint) -> None:
    """The process that judges a queue manager may have read no file of the release."""
    case = next(case for case in MISTAKES if "argocd/prod/mq.yaml" in case["files"])
    queues = "".join(f"DEFINE QLOCAL(ORDERS.{number})\n" for number in range(400))
    script = f"runmqsc ORDQM1 <<EOF\n{queues}EOF\n"
    first = ("argocd/prod/mq.yaml", "charts/mq/templates/mq.yaml", "sites/prod.yaml")
    files = {**{path: case["files"][path] for path in first}, "prod/more.sh": script}
    files |= case["files"]
    alone, together = lint(files), lint(files, jobs=2)
    assert {finding.rule.id for finding in alone.findings} >= {*case["found"]}
    assert [*map(str, together.findings)] == [*map(str, alone.findings)]


def test_a_value_that_all_sites_share_is_reported_once(lint: Lint) -> None:
    case = next(case for case in MISTAKES if case["found"] == ["VOC007"])
    values = {
        "charts/mq/values.yaml": "queue: ORDERS\ndepth: 9999999999\n",
        "charts/mq/values-dr.yaml": "qm: ORDQMD\n",
    }
    found = lint({**case["files"], **values}).findings
    places = [each.location.path for each in found if each.rule.id == "VOC007"]
    assert places == ["charts/mq/values.yaml"]
