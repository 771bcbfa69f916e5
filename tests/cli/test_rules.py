"""`mqlint rules`, `mqlint explain` and `mqlint policy test`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.conftest import ROOT

Mqlint = Callable[..., Result]

OWN = """\
id: OWN001
name: no-test-queues
summary: A queue for tests is defined
severity: {default: warning, production: error}
confidence: high
why: |
  Tests put messages on production's disks.
fix: |
  Delete the queue.
see: [https://mq.example/house-rules]
messages: [AMQ8006I]
aliases: [OLD001]
match: {object: qlocal, name: {like: TEST.*}}
check:
  attributes: {USAGE: XMITQ}
message: "{name} is a queue for tests"
cases:
  - name: a queue for tests
    files: {QMA/a.mqsc: "* ours\\nDEFINE QLOCAL(TEST.A)\\n"}
    flagged: [QMA/a.mqsc:2]
  - name: any other queue
    files: {QMA/a.mqsc: "DEFINE QLOCAL(ORDERS.A)\\n"}
    flagged: []
"""


@pytest.fixture
def own(project: Path) -> Path:
    folder = project / "house"
    folder.mkdir()
    (folder / "own001.yaml").write_text(OWN)
    return folder


def test_rules_are_listed_by_group(mqlint: Mqlint, own: Path) -> None:
    done = mqlint("rules", "--policies", "house")
    assert done.exit_code == 0
    assert "\nhouse\n  OWN001  no-test-queues  (warning, production: error)\n" in done.output
    assert done.output.index("dr\n") < done.output.index("\nhouse\n")


def test_rules_for_programs(mqlint: Mqlint, own: Path) -> None:
    rules = json.loads(mqlint("rules", "--format", "json", "--policies", "house").output)
    row = next(rule for rule in rules if rule["id"] == "OWN001")
    assert row["severity"] == {"default": "warning", "production": "error"}
    assert row["messages"] == ["AMQ8006I"]


@pytest.mark.parametrize("word", ["OWN001", "own001", "no-test-queues", "OLD001"])
def test_rule_is_explained(mqlint: Mqlint, own: Path, word: str) -> None:
    output = mqlint("explain", word, "--policies", "house").output
    for part in (
        "OWN001 no-test-queues\n",
        "Why\n  Tests put messages on production's disks.\n",
        "What to do\n  Delete the queue.\n",
        "In the logs\n  AMQ8006I\n",
        "Flagged: a queue for tests\n  QMA/a.mqsc\n    * ours\n  > DEFINE QLOCAL(TEST.A)\n",
        "Not flagged: any other queue\n  QMA/a.mqsc\n    DEFINE QLOCAL(ORDERS.A)\n",
        "See\n  https://mq.example/house-rules\n",
    ):
        assert part in output


@pytest.mark.slow
def test_every_rule_can_be_explained(mqlint: Mqlint) -> None:
    rules = [rule["id"] for rule in json.loads(mqlint("rules", "--format", "json").output)]
    done = mqlint("explain", *rules)
    assert done.exit_code == 0
    assert done.output.count("\nWhy\n") == len(rules)


def test_unknown_rule_is_refused_with_the_nearest(mqlint: Mqlint, own: Path) -> None:
    done = mqlint("explain", "no-test-queue", "--policies", "house")
    assert done.exit_code == 2
    assert "did you mean OWN001?" in done.stderr


def test_cases_of_a_policy_pass(mqlint: Mqlint, own: Path) -> None:
    done = mqlint("policy", "test", "house")
    assert done.exit_code == 0
    assert done.output == (
        "OWN001 no-test-queues\n"
        "  pass  a queue for tests\n"
        "  pass  any other queue\n"
        "1 rule, 2 cases: all passed\n"
    )


def test_case_that_fails_is_shown_with_its_places(mqlint: Mqlint, own: Path) -> None:
    wrong = OWN.replace("flagged: []", "flagged: [QMA/a.mqsc:1]").replace(
        "flagged: [QMA/a.mqsc:2]", "flagged: []"
    )
    (own / "own001.yaml").write_text(wrong)
    done = mqlint("policy", "test", "--quiet", "house/own001.yaml")
    assert done.exit_code == 1
    assert "  FAIL  a queue for tests (house/own001.yaml:18)\n" in done.output
    assert "        flagged, and should not be: QMA/a.mqsc:2\n" in done.output
    assert "        not flagged: QMA/a.mqsc:1\n" in done.output
    assert done.output.endswith("1 rule, 2 cases: 2 failed\n")


def test_wrong_policy_is_said_with_its_place(mqlint: Mqlint, own: Path) -> None:
    (own / "own001.yaml").write_text(OWN.replace("USAGE", "USAEG"))
    done = mqlint("policy", "test", "house")
    assert done.exit_code == 2
    assert "own001.yaml:15:16: " in done.stderr
    assert "USAGE" in done.stderr


@pytest.mark.slow
def test_cases_of_a_theme_of_the_tool_pass(mqlint: Mqlint) -> None:
    done = mqlint("policy", "test", "--quiet", str(ROOT / "policies" / "dr"))
    assert done.exit_code == 0, done.output
    assert done.output.endswith(": all passed\n")


@pytest.mark.long  # tests/policy/test_cases.py has them all, without the command
def test_cases_of_the_tools_own_policies_pass(mqlint: Mqlint) -> None:
    done = mqlint("policy", "test", "--quiet")
    assert (done.exit_code, done.output) == (0, done.output), done.output
    assert done.output.endswith(": all passed\n")
