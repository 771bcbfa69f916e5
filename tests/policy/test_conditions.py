"""Each condition on each value is true, false or unknown: nothing else, and never a guess."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from tests.linear import steps
from tests.policy.making import flagged, policy, run

TABLE = Path(__file__).with_name("conditions.yaml")
FILES = read_yaml(TABLE.read_text("utf-8"), TABLE.name).require("files")
CONFIG = read_yaml(TABLE.read_text("utf-8"), TABLE.name).require("config")
NEVER: Plain = {"attributes": {"name": {"all": ["", {"not": ""}]}}}


def rows() -> list[object]:
    table = read_yaml(TABLE.read_text("utf-8"), TABLE.name).require("table")
    return [
        pytest.param(name, row.require("if"), row.require("is").text(), id=f"{name} {row.line}")
        for name, group in table.mapping().items()
        for row in group.sequence()
    ]


@pytest.mark.parametrize(("name", "condition", "wanted"), rows())
def test_a_condition_on_a_fact(name: str, condition: Node, wanted: str) -> None:
    kind, _, name = name.partition(" ")
    about: dict[str, Plain] = {"object": kind, "name": name}
    holds: Plain = {**about, "all": [condition.plain()]}
    fails: Plain = {**about, "not": condition.plain()}
    files = {path: text.string() for path, text in FILES.mapping().items()}
    found = [
        bool(flagged(run(policy(match=match, check=NEVER), files, CONFIG)))
        for match in (holds, fails)
    ]
    assert (
        found == {"true": [True, False], "false": [False, True], "unknown": [False, False]}[wanted]
    )


@pytest.mark.parametrize(
    ("queues", "sought", "places"),
    [
        (1001, "sought", ["QMA/a.mqsc:1"]),
        (1001, {"key": "this.DESCR"}, ["QMA/a.mqsc:1"]),
    ],
)
def test_a_hop_without_keys_compares_with_all(
    queues: int, sought: Plain, places: list[str]
) -> None:
    lines = ["DEFINE CHANNEL(C) CHLTYPE(SVRCONN) DESCR(sought)"]
    lines += [f"DEFINE QLOCAL(Q{number})" for number in range(queues)]
    match: Plain = {"object": "channel", "none": {"object": "qlocal", "DESCR": {"is": sought}}}
    config: Plain = {"inventory": {"objects": "complete"}, "queue_managers": "{queue_manager}/*"}
    text = policy(match=match, check=NEVER)
    found = run(text, {"QMA/a.mqsc": "\n".join(lines)}, read_yaml(json.dumps(config), "c"))
    assert flagged(found) == places


def test_two_facts_that_suit_are_enough() -> None:
    """Each of 300 more records that suit takes as many steps, however long the condition is."""

    def added(tests: int) -> int:
        unlike: list[Plain] = [{"not": {"like": f"{number}*"}} for number in range(tests)]
        wanted: Plain = {"object": "authority", "name": {"all": unlike}}
        text = policy(match={"object": "qlocal", "exists": wanted}, check=NEVER)
        of_few, of_many = (steps(partial(run, text, _records(number))) for number in (100, 400))
        return of_many - of_few

    assert flagged(run(policy(match={"object": "qlocal"}, check=NEVER), _records(1)))
    added(1)  # so that no import counts
    assert added(40) - added(1) < 300 * 39


def _records(number: int) -> dict[str, str]:
    record = "SET AUTHREC PROFILE(Q{}) OBJTYPE(QUEUE) GROUP(g) AUTHADD(PUT)"
    lines = ("DEFINE QLOCAL(Q1)", *map(record.format, range(number)))
    return {"QMA/a.mqsc": "\n".join(lines)}
