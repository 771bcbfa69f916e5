"""The forms of control commands that the documents behind the tool print, and those documents."""

from __future__ import annotations

import pytest

from tests.languages import script_in
from tests.seeds.forms import ANALYSER, forms, printed, verdict


@pytest.mark.parametrize(("file", "text", "wanted"), list(forms("control.yaml", "a.sh")))
def test_each_form_has_its_verdict(file: str, text: str, wanted: tuple[str, ...]) -> None:
    language = {"sh": "shell"}.get(file[-2:], "cmd")
    assert verdict(file, text) == (set(wanted), [language])


def test_the_printed_commands_are_read() -> None:
    known = ANALYSER.vocabulary.control
    tried = set()
    for text in printed("5.2"):
        word = text.split()[0]
        if word in known and "PORT_NUMBER" not in text:
            tried.add(text)
            steps = script_in("shell", f"{text}\n").steps
            assert [(step.command, step.open) for step in steps] == [(word, False)]
    assert len(tried) >= 20
