"""The check kinds on small estates: what they flag, with what words, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.config.loader import settings_from
from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine import Input
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.loading.load import load
from mqlint.engine.project import queue_managers
from mqlint.policy.load import PolicySource, compile_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.grading import Grading
from mqlint.policy.run.judge import judge_claims, judge_queue_manager
from tests.policy.making import analyser, flagged, policy, run

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
        assert [finding.message for finding in found.findings] == list(says.strings())
    at = case.get("at")
    if at is not None:
        assert [f"{finding.location.start.column}" for finding in found.findings] == list(
            at.strings()
        )


SAME_NODE: dict[str, Plain] = {"within": "site", "by": "name", "agree": ["resource"]}


def over_repositories(settings: Settings) -> list[str]:
    """What is found of one node that two repositories speak of."""
    text = policy(match={"object": "drbd_host"}, check={"grouped": SAME_NODE})
    source = PolicySource("x/tst001.yaml", "x", text)
    rulebook = Rulebook(compile_sources([source], analyser().vocabulary))
    claims: list[Claim] = []
    for repository, resource in (("one", "a"), ("two", "b")):
        assembly = Assembly(settings, analyser().vocabulary, repository=repository)
        path = f"{repository}/prod/x.res"
        given = Input(path, data=f"resource {resource} {{ on h {{ }} }}\n".encode())
        reading = load(given, assembly, analyser()).reading
        assert reading is not None
        for descriptions in queue_managers({path: reading}, assembly):
            judgement = judge_queue_manager(rulebook.index, descriptions, Grading())
            claims.extend(judgement.claims.values())
    return [claim.location.path for claim in judge_claims(rulebook.policies_by_id, claims)]


def test_hosts_of_two_repositories_are_one_only_where_a_site_says_so() -> None:
    assert over_repositories(Settings()) == []
    said = read_yaml(
        "sites: {leeds: {role: production, paths: ['*/prod/**', 'prod/**']}}", "c.yaml"
    )
    assert sorted(over_repositories(settings_from(said))) == ["one/prod/x.res", "two/prod/x.res"]
