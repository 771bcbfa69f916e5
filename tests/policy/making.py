"""Policies written for one question, and what they flag."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache

from mqlint.config.loader import settings_from
from mqlint.config.node import Node, Plain
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, Run, check
from mqlint.policy.load import PolicySource, compile_sources
from mqlint.policy.rulebook import Rulebook
from tests.shipped import shipped_rulebook, shipped_vocabulary


@cache
def analyser() -> Analyser:
    return Analyser(shipped_vocabulary())


@lru_cache(maxsize=1)
def alone(rule: str) -> Rulebook:
    """One policy, with the rules that readers report: the findings of others take most time."""
    rules = shipped_rulebook().compiled
    return Rulebook(each for each in rules if each["id"] == rule or each["kind"] == "diagnostic")


def policy(**parts: Plain) -> str:
    """The text of a policy that has everything it needs, with some of it as given.

    JSON is YAML too, and every part stands on a line of its own.
    """
    whole: dict[str, Plain] = {
        "id": "TST001",
        "name": "for-a-test",
        "summary": "A summary",
        "severity": {"default": "note"},
        "confidence": "high",
        "why": "A reason",
        "fix": "A cure",
        "match": {"object": "qlocal"},
        "check": {"attributes": {"MAXDEPTH": {"gt": 10}}},
        "message": "{name}",
        "cases": [{"name": "one", "files": {}, "flagged": []}],
        **parts,
    }
    return "\n".join(
        f"{key}: {json.dumps(part)}" for key, part in whole.items() if part is not None
    )


def run(text: str, files: Mapping[str, str], config: Node | None = None) -> Run:
    """Check files under one policy and nothing else."""
    compiled = compile_sources([PolicySource("x/tst001.yaml", "x", text)], analyser().vocabulary)
    settings = Settings() if config is None else settings_from(config)
    inputs = [Input(path, data=text.encode()) for path, text in files.items()]
    return check(inputs, settings, analyser(), Rulebook(compiled))


def flagged(run: Run) -> list[str]:
    """The places of the findings, as `path:line`."""
    return [f"{finding.location.path}:{finding.location.start.line}" for finding in run.findings]
