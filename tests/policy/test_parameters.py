"""Parameters: what users set in mqlint.yaml holds wherever a policy runs, and is checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.loader import load_settings
from mqlint.engine import Input, check
from mqlint.estate.stages.context import WorkerContext
from mqlint.policy.language.parameters import TYPES, fault
from mqlint.policy.load import PolicySource, compile_sources, load_rulebook
from mqlint.policy.rulebook import Rulebook
from tests.estate.stages import setup_of
from tests.policy.making import analyser, policy

TEXT = policy(
    parameters={"most": {"default": 100, "type": "integer", "says": "how many"}},
    check={"attributes": {"MAXDEPTH": {"le": {"param": "most"}}}},
    message="{name} holds more than {param.most}",
)
SETTINGS = load_settings("parameters: {TST001: {most: 10}}", "mqlint.yaml")
FILES = [Input("a.mqsc", data=b"DEFINE QLOCAL(A) MAXDEPTH(10)\nDEFINE QLOCAL(B) MAXDEPTH(11)\n")]


def book() -> Rulebook:
    source = PolicySource("x/tst001.yaml", "x", TEXT)
    return Rulebook(compile_sources([source], analyser().vocabulary))


def messages(rulebook: Rulebook, text: str = "") -> list[str]:
    settings = load_settings(text, "mqlint.yaml")
    return [finding.message for finding in check(FILES, settings, analyser(), rulebook).findings]


def test_a_value_replaces_what_was_worked_out_for_the_default(tmp_path: Path) -> None:
    text = b"DEFINE QLOCAL(APP.IN) NPMCLASS(NORMAL)\n"
    book = load_rulebook(analyser().vocabulary, tmp_path)
    for names, found in (("[APP.*]", 1), ("[OTHER.*]", 0)):
        source = (
            f"{{target: {{platform: linux}}, parameters: {{QUE006: {{kept_queues: {names}}}}}}}"
        )
        settings = load_settings(source, "mqlint.yaml")
        tuned = book.tuned(settings.parameters)
        report = check([Input("a.mqsc", data=text)], settings, analyser(), tuned)
        assert [finding.rule.id for finding in report.findings].count("QUE006") == found


def test_values_ride_with_the_policies_to_other_machines() -> None:
    tuned = book().tuned(SETTINGS.parameters)
    sent = Rulebook(json.loads(json.dumps(tuned.compiled)))
    assert messages(sent) == messages(tuned) == ["B holds more than 10"]
    assert messages(book()) == []


def test_another_value_is_another_setup() -> None:
    compiled = analyser().vocabulary.compiled
    setups = [
        setup_of(compiled, book().tuned(one.parameters), one)
        for one in (SETTINGS, load_settings("parameters: {TST001: {most: 9}}", "mqlint.yaml"))
    ]
    assert setups[0].digest != setups[1].digest
    assert messages(WorkerContext(setups[0]).rulebook(0)) == ["B holds more than 10"]


def test_the_place_of_a_value_is_no_part_of_it() -> None:
    moved = load_settings("# a comment\nparameters: {TST001: {most: 10}}", "other.yaml")
    assert (moved, repr(moved)) == (SETTINGS, repr(SETTINGS))


def test_a_value_that_is_set_can_be_told_from_the_default() -> None:
    (plain,) = book().parameters("TST001")
    (tuned,) = book().tuned(SETTINGS.parameters).parameters("TST001")
    assert (plain.value, plain.is_set) == (100, False)
    assert (tuned.value, tuned.default, tuned.is_set) == (10, 100, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "parameters: {TST002: {most: 1}}",
            "1:29: parameters: rule 'TST002' does not exist: did you",
        ),
        (
            "parameters: {TST001: {mots: 1}}",
            "1:29: parameters: TST001 has no parameter 'mots'",
        ),
        (
            "parameters: {TST001: {most: [1]}}",
            "1:29: parameters: TST001 most: expected a whole",
        ),
    ],
)
def test_a_value_that_cannot_be(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        messages(book(), text)
    assert f"mqlint.yaml:{says}" in str(caught.value)


@pytest.mark.parametrize(
    ("type_word", "right", "wrong"),
    [
        ("integer", 5, True),
        ("boolean", False, 0),
        ("text", "A", 5),
        ("texts", ["A"], []),
        ("texts", ["A", "B"], ["A", 5]),
        ("texts", ["A"], "A"),
        ("regex", "^A[0-9]+$", "(A)\\1"),
        ("regex", "A", 5),
        ("networks", ["10.0.0.0/8", "fd00::/8"], ["10.0.0.1/8"]),
        ("networks", ["10.0.0.0/8"], "10.0.0.0/8"),
        ("release", "9.4", "new"),
        ("release", 940, 9),
    ],
)
def test_types(type_word: str, right: object, wrong: object) -> None:
    assert type_word in TYPES
    assert fault(type_word, right) is None  # type: ignore[arg-type]
    assert fault(type_word, wrong)  # type: ignore[arg-type]
