"""Each condition on each value is true, false or unknown: nothing else, and never a guess."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
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
