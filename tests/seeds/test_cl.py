"""The forms of CL that the documents behind the tool print, and those documents themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, Run, check
from mqlint.policy.load import load_rulebook
from mqlint.syntax.cl import parse_cl
from mqlint.vocabulary.load import load_vocabulary
from tests.engine.conftest import inputs

HERE = Path(__file__).parent
ANALYSER = Analyser(load_vocabulary())
RULEBOOK = load_rulebook(ANALYSER.vocabulary)
_CODE = re.compile(r"`([^`]+)`")


def lint(text: str) -> Run:
    return check(inputs({"a.clle": text}), Settings(), ANALYSER, RULEBOOK, profiles=PROFILES)


def seeds() -> Iterator[object]:
    path = HERE / "cl.yaml"
    for group, rows in read_yaml(path.read_text("utf-8"), path.name).mapping().items():
        for row in rows.sequence():
            found = row.get("found")
            wanted = tuple(found.strings()) if found is not None else ()
            yield pytest.param(row.require("text").text(), wanted, id=f"{group}, line {row.line}")


@pytest.mark.parametrize(("text", "wanted"), list(seeds()))
def test_each_form_has_its_verdict(text: str, wanted: tuple[str, ...]) -> None:
    run = lint(text)
    assert {f"{one.rule.id}:{one.location.start.line}" for one in run.findings} == set(wanted)
    assert [row.language for row in run.coverage.files] == ["cl"]


def test_the_printed_commands_are_read() -> None:
    named = os.environ.get("MQLINT_REFERENCE")
    page = Path(named or "") / "seed-rules.md"
    if not named or not page.is_file():
        pytest.skip("no printed commands: MQLINT_REFERENCE is not set, or has none")
    table = page.read_text("utf-8").partition("\n### 5.4 ")[2].partition("\n### ")[0]
    vocabulary = ANALYSER.vocabulary
    tried = 0
    for text in _CODE.findall(table):
        name = text.split()[0] if text.split() else ""
        if name not in vocabulary.cl.commands:
            continue
        tried += 1
        found = parse_cl(text, vocabulary.cl, vocabulary.control)
        assert len(found.steps) == 1, text
        assert not found.calls, text
    assert tried >= 20
