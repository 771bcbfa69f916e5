"""`mqlint rules`, `mqlint explain` and `mqlint policy test`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint
from tests.conftest import ROOT

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
    line = "  OWN001  warning A queue for tests is defined (production: error)\n"
    assert f"\nhouse\n{line}" in done.output
    assert done.output.index("dr\n") < done.output.index("\nhouse\n")
    assert mqlint("policy", "list", "--policies", "house").output == done.output


def test_rules_that_are_named_are_listed(mqlint: Mqlint) -> None:
    listed = json.loads(mqlint("rules", "DR00", "unknown-attribute", "--format", "json").output)
    assert {rule["id"] for rule in listed} == {*(f"DR00{n}" for n in range(1, 10)), "VOC002"}
    few = mqlint("rules", "dr00", "--severity", "note", "--profile", "default").output
    assert "  DR007   note" in few
    assert "DR001" not in few
    refused = mqlint("rules", "DR1")
    assert refused.exit_code == 2
    assert "did you mean 'DR001'?" in refused.output


def test_long_list_has_names_and_severities(mqlint: Mqlint, own: Path) -> None:
    done = mqlint("rules", "--long", "--policies", "house")
    assert "\nhouse\n  OWN001  no-test-queues  (warning, production: error)\n" in done.output


# options, ids that must be listed, ids that must not
FILTERS = [
    (["--group", "house"], {"OWN001"}, {"DR001"}),
    (["--group", "house", "--group", "dr"], {"OWN001", "DR001"}, {"CLU001"}),
    (["--severity", "note"], {"NAM006"}, {"OWN001", "VOC001"}),
    (["--severity", "error"], {"OWN001", "VOC001"}, {"NAM006"}),
    (["--severity", "error", "--profile", "default"], {"VOC001"}, {"OWN001"}),
    (["--profile", "cluster-review"], {"NAM006"}, {"OWN001"}),
    (["--search", "Production's   disks"], {"OWN001"}, {"DR001"}),
    (["--search", "amq8006i"], {"OWN001"}, {"DR001"}),
    (["--search", "old001", "--search", "DR001"], {"OWN001", "DR001"}, {"CLU001"}),
    (["--search", "OWN001", "--group", "dr"], set(), {"OWN001", "DR001"}),
]


@pytest.mark.parametrize(("words", "listed", "absent"), FILTERS)
def test_rules_are_filtered(
    mqlint: Mqlint, own: Path, words: list[str], listed: set[str], absent: set[str]
) -> None:
    done = mqlint("rules", "--format", "json", "--policies", "house", *words)
    found = {rule["id"] for rule in json.loads(done.output)}
    assert listed <= found
    assert found.isdisjoint(absent)


def test_rules_are_filtered_by_the_files_of_their_examples(mqlint: Mqlint, own: Path) -> None:
    words = ("rules", "--format", "json", "--policies", "house", "--group", "house")
    mqsc = json.loads(mqlint(*words, "--file-kind", "mqsc").output)
    assert [rule["id"] for rule in mqsc] == ["OWN001"]
    assert json.loads(mqlint(*words, "--file-kind", "ini").output) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--group", "clustr"), "unknown group 'clustr': did you mean 'cluster'?"),
        (("--file-kind", "mqcs"), "unknown kind of file 'mqcs': did you mean 'mqsc'?"),
        (("--severity", "fatal"), "'fatal' is not one of"),
        (("--profile", "prod"), "'prod' is not one of"),
    ],
)
def test_unknown_filters_are_refused(mqlint: Mqlint, words: tuple[str, ...], message: str) -> None:
    done = mqlint("rules", *words)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize("word", ["house", "own", "AMQ8006I", "amq8006", "AMQ8006E"])
def test_rules_of_a_group_or_a_code_are_listed(mqlint: Mqlint, own: Path, word: str) -> None:
    output = mqlint("explain", word, "--policies", "house").output
    assert "  OWN001  warning A queue for tests is defined (production: error)\n" in output
    assert "DR001" not in output


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("AMQ9456", "DR001"),
        ("2085", "DR001"),
        ("CSQX526", "PRC002"),
        ("MQRC_PAGESET_ERROR", "ZOS018"),
        ("mqrc_unknown_xmit_q", "REF001"),
    ],
)
def test_rules_that_foresee_a_code_are_listed(mqlint: Mqlint, code: str, rule: str) -> None:
    output = mqlint("explain", code).output
    assert output.startswith(f"{code.upper()}: rules that foresee it\n")
    assert f"\n  {rule:<7} " in output


# Neither is a port a reason code, nor the year of a fix.
@pytest.mark.parametrize("code", ["AMQ0001", "1414", "2021", "MQRC_NO_SUCH_REASON"])
def test_code_without_a_rule_is_refused(mqlint: Mqlint, code: str) -> None:
    done = mqlint("explain", code)
    assert done.exit_code == 2
    assert f"no rule foresees {code}" in done.stderr


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
    assert "did you mean 'no-test-queues'?" in done.stderr


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
    done = mqlint("policy", "test", "--quiet", str(ROOT / "policies" / "migration"))
    assert done.exit_code == 0, done.output
    assert done.output.endswith(": all passed\n")


@pytest.mark.long  # tests/policy/test_cases.py has them all, without the command
def test_cases_of_the_tools_own_policies_pass(mqlint: Mqlint) -> None:
    done = mqlint("policy", "test", "--quiet")
    assert (done.exit_code, done.output) == (0, done.output), done.output
    assert done.output.endswith(": all passed\n")


@pytest.mark.parametrize(("word", "near"), [("DR1", "DR001"), ("voc02", "VOC002")])
def test_an_id_with_too_few_digits_is_recognised(mqlint: Mqlint, word: str, near: str) -> None:
    assert f"did you mean '{near}'?" in mqlint("explain", word).stderr
