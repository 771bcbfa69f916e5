"""`mqlint why`: what decides, of which value, and what a rule waits for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.conftest import Mqlint

QUEUES = """DEFINE QLOCAL(APP.IN) +
       BOQNAME(APP.BACKOUT)
DEFINE QLOCAL(APP.OUT) BOTHRESH(3)
ALTER QLOCAL(APP.LATER) BOQNAME(APP.BACKOUT)
"""
RULE = """id: OWN001
name: backout-threshold
summary: A queue has a backout queue and no threshold
severity: {default: warning}
confidence: high
why: Nothing is moved to it.
fix: Set BOTHRESH.
match: {object: qlocal, BOQNAME: {blank: false}}
unless: {name: {like: TMP.*}}
check: {attributes: {BOTHRESH: {ge: 1}}}
message: "{name} has no BOTHRESH"
cases:
  - {name: none, files: {a.mqsc: "DEFINE QLOCAL(A) BOQNAME(B)"}, flagged: ["a.mqsc:1"]}
  - {name: three, files: {a.mqsc: "DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(3)"}, flagged: []}
"""


@pytest.fixture
def queues(project: Path) -> Path:
    (project / "queues.mqsc").write_text(QUEUES)
    (project / "own.yaml").write_text(RULE)
    return project


def words(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


ANSWERS = {
    1: "APP.IN: the rule reports it",
    2: "APP.IN: the rule reports it",  # the second line of the command
    3: "APP.OUT: the rule does not apply: `match` is false",
    4: "APP.LATER: the rule reports nothing because a value is unknown",
}


@pytest.mark.parametrize("line", ANSWERS)
def test_a_line_tells_the_object(queues: Path, mqlint: Mqlint, line: int) -> None:
    done = mqlint("why", "OWN001", f"queues.mqsc:{line}", "--policies", "own.yaml")
    assert ANSWERS[line] in words(done)


def test_each_part_is_shown_with_its_value(queues: Path, mqlint: Mqlint) -> None:
    text = words(mqlint("why", "OWN001", "queues.mqsc:1", "--policies", "own.yaml"))
    assert 'match true BOQNAME: {"blank": false} (value: APP.BACKOUT)' in text
    assert 'unless false name: {"like": "TMP.*"} (value: APP.IN)' in text
    assert 'check false BOTHRESH: {"ge": 1} (value: 0)' in text
    assert "reported: queues.mqsc:1 warning: APP.IN has no BOTHRESH" in text
    later = words(mqlint("why", "OWN001", "queues.mqsc:4", "--policies", "own.yaml"))
    assert 'check unknown BOTHRESH: {"ge": 1} (value: unknown)' in later
    assert "no finding here" in later


OTHERS = RULE.replace(
    "BOQNAME: {blank: false}", "exists: {object: qlocal, by: {name: BOQNAME}, USAGE: XMITQ}"
)
OPEN = {
    "DEFINE QLOCAL(A) BOQNAME(B)\n": "unknown whether a file that is not here has qlocal B",
    "DEFINE QLOCAL(A) BOQNAME({{ b }})\n": "unknown BOQNAME: (value: unknown)",
    "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QLOCAL(B) MAXDEPTH(7) USAGE({{ u }})\n": (
        "unknown queues.mqsc:2 qlocal B: unknown USAGE: XMITQ (value: unknown)"
    ),
}


@pytest.mark.parametrize("text", OPEN)
def test_what_leaves_a_part_about_others_open(queues: Path, mqlint: Mqlint, text: str) -> None:
    (queues / "own.yaml").write_text(OTHERS)
    (queues / "queues.mqsc").write_text(text)
    answer = words(mqlint("why", "OWN001", "queues.mqsc:1", "--policies", "own.yaml"))
    assert "match unknown exists: qlocal whose name is BOQNAME of this one" in answer
    assert OPEN[text] in answer


def test_programs_get_the_same(queues: Path, mqlint: Mqlint) -> None:
    done = mqlint("why", "OWN001", "--policies", "own.yaml", "--format", "json")
    answer = json.loads(done.stdout)
    assert [fact["verdict"] for fact in answer["facts"]] == ["fault", "unknown", "not-about"]
    assert answer["facts"][0]["clauses"]["check"][0]["truth"] is False
    assert len(answer["findings"]) == 1


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("VOC002", "it is reported when the file is read"),
        ("DR001", "it needs `sites` in mqlint.yaml"),
        ("DR001", "it compares several queue managers"),
    ],
)
def test_what_holds_for_the_whole_project_is_said(
    project: Path, mqlint: Mqlint, rule: str, reason: str
) -> None:
    (project / "a.mqsc").write_text("DEFINE CHANNEL(A) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME(h)\n")
    assert reason in words(mqlint("why", rule))


def test_a_rule_that_does_not_run_says_in_which_profiles(queues: Path, mqlint: Mqlint) -> None:
    (queues / "own.yaml").write_text(RULE.replace("{default:", "{audit:"))
    text = words(mqlint("why", "OWN001", "--policies", "own.yaml"))
    assert "it runs in the profiles audit, and this run has default" in text
    (queues / "mqlint.yaml").write_text("severity: {OWN001: off}\npolicies: [own.yaml]\n")
    assert "`severity` in the configuration turns it off" in words(mqlint("why", "OWN001"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("OWN009",), "does not exist"),
        (("VOC002", "gone.mqsc"), "no such file: gone.mqsc"),
        (("VOC002", "gone.mqsc:3"), "no such file: gone.mqsc"),
    ],
)
def test_wrong_words_are_refused(
    project: Path, mqlint: Mqlint, arguments: tuple[str, ...], message: str
) -> None:
    done = mqlint("why", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
