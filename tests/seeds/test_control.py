"""The forms of control commands that the documents behind the tool print, and those documents."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, check
from mqlint.policy.load import load_rulebook
from mqlint.syntax.shell import parse_shell
from mqlint.vocabulary.load import load_vocabulary
from tests.engine.conftest import inputs

HERE = Path(__file__).parent
ANALYSER = Analyser(load_vocabulary())
RULEBOOK = load_rulebook(ANALYSER.vocabulary)
_CODE = re.compile(r"`([^`]+)`")


def seeds() -> Iterator[object]:
    path = HERE / "control.yaml"
    for group, rows in read_yaml(path.read_text("utf-8"), path.name).mapping().items():
        for row in rows.sequence():
            found = row.get("found")
            wanted = tuple(found.strings()) if found is not None else ()
            told = (row.require("file").text(), row.require("text").text(), wanted)
            yield pytest.param(*told, id=f"{group}, line {row.line}")


@pytest.mark.parametrize(("file", "text", "wanted"), list(seeds()))
def test_each_form_has_its_verdict(file: str, text: str, wanted: tuple[str, ...]) -> None:
    run = check(inputs({file: text}), Settings(), ANALYSER, RULEBOOK, profiles=PROFILES)
    assert {f"{one.rule.id}:{one.location.start.line}" for one in run.findings} == set(wanted)
    assert [row.language for row in run.coverage.files] == [{"sh": "shell"}.get(file[-2:], "cmd")]


def test_the_printed_commands_are_read() -> None:
    named = os.environ.get("MQLINT_REFERENCE")
    page = Path(named or "") / "seed-rules.md"
    if not named or not page.is_file():
        pytest.skip("no printed commands: MQLINT_REFERENCE is not set, or has none")
    table = page.read_text("utf-8").partition("\n### 5.2 ")[2].partition("\n### ")[0]
    known = ANALYSER.vocabulary.control
    tried = set()
    for text in _CODE.findall(table):
        word = text.split()[0]
        if word in known and "PORT_NUMBER" not in text:
            tried.add(text)
            steps = parse_shell(f"{text}\n", known).steps
            assert [(step.command, step.open) for step in steps] == [(word, False)]
    assert len(tried) >= 20
