"""The forms of JCL that the documents behind the tool print, and those documents themselves."""

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
from mqlint.syntax.jcl import parse_jcl
from mqlint.vocabulary.load import load_vocabulary
from tests.engine.conftest import inputs

HERE = Path(__file__).parent
ANALYSER = Analyser(load_vocabulary())
RULEBOOK = load_rulebook(ANALYSER.vocabulary)
_CODE = re.compile(r"`([^`]+)`")
_STATEMENT = re.compile(
    r"(?:REPRO|DELETE|VERIFY|COMMAND|COPY QUEUE|LOAD QUEUE|RESETPAGE|NEWLOG|CRESTART)\b.*(?<!-)\Z"
)
"""Whole statements: those printed with a hyphen behind them go on in the next cell."""


def lint(text: str) -> Run:
    return check(inputs({"a.jcl": text}), Settings(), ANALYSER, RULEBOOK, profiles=PROFILES)


def seeds() -> Iterator[object]:
    path = HERE / "jcl.yaml"
    for group, rows in read_yaml(path.read_text("utf-8"), path.name).mapping().items():
        for row in rows.sequence():
            found = row.get("found")
            wanted = tuple(found.strings()) if found is not None else ()
            yield pytest.param(row.require("text").text(), wanted, id=f"{group}, line {row.line}")


@pytest.mark.parametrize(("text", "wanted"), list(seeds()))
def test_each_form_has_its_verdict(text: str, wanted: tuple[str, ...]) -> None:
    run = lint(text)
    assert {f"{one.rule.id}:{one.location.start.line}" for one in run.findings} == set(wanted)
    assert [row.language for row in run.coverage.files] == ["jcl"]


def test_the_printed_statements_are_read() -> None:
    named = os.environ.get("MQLINT_REFERENCE")
    page = Path(named or "") / "seed-rules.md"
    if not named or not page.is_file():
        pytest.skip("no printed statements: MQLINT_REFERENCE is not set, or has none")
    table = page.read_text("utf-8").partition("\n### 5.3 ")[2].partition("\n### ")[0]
    tried = 0
    for text in _CODE.findall(table):
        if _STATEMENT.match(text) is None:
            continue
        tried += 1
        program = "CSQJU003" if "DSNAME=" in text or "CRESTART" in text else "IDCAMS"
        if re.match(r"COMMAND|COPY|LOAD|RESETPAGE", text):
            program = "CSQUTIL"
        job = f"//S EXEC PGM={program}\n//SYSIN DD *\n {text}\n/*\n"
        (step,) = parse_jcl(job, ANALYSER.vocabulary.zos).steps
        assert step.action != "fragment"
        assert not step.open
    assert tried >= 10
