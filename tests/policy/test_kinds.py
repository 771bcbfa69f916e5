"""The check kinds on small estates: what they flag, with what words, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from tests.policy.making import flagged, policy, run

TABLE = Path(__file__).with_name("kinds.yaml")


def groups() -> list[object]:
    table = read_yaml(TABLE.read_text("utf-8"), TABLE.name)
    return [
        pytest.param(group, case, id=f"{name}: {case.require('name').string()}")
        for name, group in table.mapping().items()
        for case in group.require("cases").sequence()
    ]


@pytest.mark.parametrize(("group", "case"), groups())
def test_a_kind(group: Node, case: Node) -> None:
    parts: dict[str, Plain] = {
        key: part.plain()
        for node in (group, case)
        for key, part in node.mapping().items()
        if key in ("match", "unless", "check", "message", "severity", "parameters")
    }
    files = {path: text.string() for path, text in case.require("files").mapping().items()}
    found = run(policy(**parts), files, case.get("config") or group.get("config"))
    assert flagged(found) == list(case.require("flagged").strings())
    says = case.get("says")
    if says is not None:
        assert [one.message for one in found.findings] == list(says.strings())
    at = case.get("at")
    if at is not None:
        assert [f"{one.location.start.column}" for one in found.findings] == list(at.strings())
