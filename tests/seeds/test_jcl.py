"""The forms of JCL that the documents behind the tool print, and those documents themselves."""

from __future__ import annotations

import re

import pytest

from tests.languages import script_in
from tests.seeds.forms import forms, printed, verdict

_STATEMENT = re.compile(
    r"(?:REPRO|DELETE|VERIFY|COMMAND|COPY QUEUE|LOAD QUEUE|RESETPAGE|NEWLOG|CRESTART)\b.*(?<!-)\Z"
)
"""Whole statements: those printed with a hyphen behind them go on in the next cell."""


@pytest.mark.parametrize(("file", "text", "wanted"), list(forms("jcl.yaml", "a.jcl")))
def test_each_form_has_its_verdict(file: str, text: str, wanted: tuple[str, ...]) -> None:
    assert verdict(file, text) == (set(wanted), ["jcl"])


def test_the_printed_statements_are_read() -> None:
    tried = 0
    for text in printed("5.3"):
        if _STATEMENT.match(text) is None:
            continue
        tried += 1
        program = "CSQJU003" if "DSNAME=" in text or "CRESTART" in text else "IDCAMS"
        if re.match(r"COMMAND|COPY|LOAD|RESETPAGE", text):
            program = "CSQUTIL"
        job = f"//S EXEC PGM={program}\n//SYSIN DD *\n {text}\n/*\n"
        (step,) = script_in("jcl", job).steps
        assert step.action != "fragment"
        assert not step.open
    assert tried >= 10
