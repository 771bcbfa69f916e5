"""Whose MQSC the files of a project are, by what other files of the project say."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from mqlint.config.settings import Settings
from tests.engine.conftest import Lint, settings_of

CASES = yaml.safe_load(Path(__file__).with_name("owners.yaml").read_text("utf-8"))
_STANZAS = "Channels:\n   MaxChannels=many\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_owners(case: dict[str, Any], lint: Lint) -> None:
    number = count()
    texts = {
        path: re.sub(
            r"\bMQSC\b",
            lambda _: f"DEFINE CHANNEL(C{next(number)}) CHLTYPE(SVRCONN) MCAUSER('mqm')",
            text,
        )
        for path, text in case["files"].items()
    }
    files = {path: text.replace("STANZAS", _STANZAS) for path, text in texts.items()}
    settings = settings_of(case["settings"]) if "settings" in case else Settings()
    found: dict[str, list[str | None]] = {}
    for finding in lint(files, settings).findings:
        if finding.rule.id in ("SEC004", "INI003"):
            place = finding.location
            is_whole = case["files"][place.path] in ("MQSC", "STANZAS")
            name = place.path if is_whole else f"{place.path}:{place.start.line}"
            found.setdefault(name, []).append(finding.subject.queue_manager)
    assert {path: sorted(names, key=str) for path, names in found.items()} == case["owners"]
