"""The forms of CL that the documents behind the tool print, and those documents themselves."""

from __future__ import annotations

import pytest

from tests.languages import script_in
from tests.seeds.forms import ANALYSER, forms, printed, verdict


@pytest.mark.parametrize(("file", "text", "wanted"), list(forms("cl.yaml", "a.clle")))
def test_each_form_has_its_verdict(file: str, text: str, wanted: tuple[str, ...]) -> None:
    assert verdict(file, text) == (set(wanted), ["cl"])


def test_the_printed_commands_are_read() -> None:
    vocabulary = ANALYSER.vocabulary
    tried = 0
    for text in printed("5.4"):
        name = text.split()[0] if text.split() else ""
        if name not in vocabulary.cl.commands:
            continue
        tried += 1
        found = script_in("cl", text)
        assert len(found.steps) == 1, text
        assert not found.calls, text
    assert tried >= 20
