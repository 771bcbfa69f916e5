"""The waivers file: what an entry may say, what it covers, and what is said of a wrong one."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import date
from importlib.resources import files
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.config.reader import ConfigError, read_yaml
from mqlint.finding import Finding, Location, Position, Subject
from mqlint.finding.waiver import SCHEMA, Finder, Waiver, waivers_from
from tests.finding.test_baseline import RULE, finding
from tests.linear import is_linear_in_steps

OTHER = replace(RULE, id="DR001", name="shared-name", aliases=("DR099",))
STRICT = replace(RULE, id="SEC001", name="open-door", ignorable=False)
RULES = {one.id: one for one in (RULE, OTHER, STRICT)}
SIGNED = "owner: messaging team, reason: agreed"


def read(text: str) -> tuple[Waiver, ...]:
    return waivers_from(read_yaml(text, "w.yaml"), RULES)


def one(scope: str) -> Waiver:
    (waiver,) = read(f"waivers: [{{rule: VOC002, {SIGNED}, {scope}}}]")
    return waiver


def about(name: str | None = "APP.IN", queue_manager: str | None = "QM1") -> Finding:
    subject = Subject("leeds", queue_manager, "qlocal", name)
    where = Location("prod/QM1/a.mqsc", Position(1, 1), Position(1, 2))
    return replace(finding("x"), subject=subject, location=where)


@pytest.mark.parametrize(
    ("scope", "covers"),
    [
        ("object: APP.IN", True),
        ("object: app.in", False),
        ("object: APP.*", True),
        ("object: APP", False),
        ("object: '*'", True),
        ("object: [X, APP.I*]", True),
        ("queue_manager: QM1", True),
        ("queue_manager: QM*", True),
        ("queue_manager: [QM2, QM3]", False),
        ("site: leeds", True),
        ("site: derby", False),
        ("paths: 'prod/**'", True),
        ("paths: prod", True),
        ("paths: ['dr/**', '**/*.ini']", False),
        ("object: APP.*, queue_manager: QM1, site: leeds, paths: 'prod/**'", True),
        ("object: APP.*, queue_manager: QM2", False),
        ("object: APP.*, site: derby", False),
        ("object: APP.*, paths: 'dr/**'", False),
    ],
)
def test_what_an_entry_covers(scope: str, covers: bool) -> None:
    assert one(scope).covers(about()) is covers
    assert bool(list(Finder([one(scope)]).covering(about()))) is covers


def test_another_rule_is_not_covered() -> None:
    assert not replace(one("object: APP.IN"), rules=("DR001",)).covers(about())


def test_what_has_no_name_is_covered_by_no_name() -> None:
    assert not one("object: '*'").covers(about(name=None))
    assert not one("queue_manager: '*'").covers(about(queue_manager=None))


@pytest.mark.parametrize("word", ["DR001", "dr001", "shared-name", "DR099", "[dr001, Shared-Name]"])
def test_rules_go_by_id_name_or_former_id(word: str) -> None:
    (waiver,) = read(f"waivers: [{{rule: {word}, {SIGNED}, site: leeds}}]")
    assert waiver.rules == ("DR001",)


def test_the_last_day_counts() -> None:
    waiver = one("site: leeds, expires: 2026-02-28")
    assert waiver.holds_on(date(2026, 2, 28))
    assert not waiver.holds_on(date(2026, 3, 1))
    assert one("site: leeds").holds_on(date(9999, 12, 31))


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "waivers:\n", "waivers: []\n"])
def test_a_file_may_be_empty(text: str) -> None:
    assert read(text) == ()


ENTRY = f"waivers:\n  - rule: VOC002\n    {SIGNED.replace(', ', chr(10) + '    ')}\n    "
WRONG = {
    "waiver: []": "1:1: unknown key 'waiver': did you mean 'waivers'",
    "[]": "1:1: ",
    "waivers: {rule: VOC002}": "1:10: ",
    "waivers: [VOC002]": "1:11: ",
    ENTRY.rstrip(): "2:5: a waiver is for a site, queue_manager, object or paths",
    ENTRY + "object: []": "5:13: the list is empty",
    ENTRY + "object: A*B": "5:13: in 'A*B' only the last",
    ENTRY + "object: ' '": "5:13: the text is blank",
    ENTRY + "objects: A": "5:5: unknown key 'objects': did you mean 'object'",
    ENTRY + "paths: ../a": "5:12: bad path pattern",
    ENTRY + "site: leeds\n    expires: tomorrow": "6:14: found 'tomorrow', expected a date",
    ENTRY + "site: leeds\n    expires: 2026-02-30": "6:14: found '2026-02-30', expected",
    ENTRY + "site: leeds\n    expires: 20260228": "6:14: found '20260228', expected",
    "waivers: [{rule: VOC002, site: a, reason: b}]": "1:11: the key 'owner' is missing",
    "waivers: [{rule: VOC002, site: a, owner: b}]": "1:11: the key 'reason' is missing",
    "waivers: [{rule: VOC002, site: a, owner: b, reason: }]": "1:",
    "waivers: [{rule: VOC002, site: a, owner: b, reason: ' '}]": "1:53: the text is blank",
    "waivers: [{site: a, owner: b, reason: c}]": "1:11: the key 'rule' is missing",
    "waivers: [{rule: [], site: a, owner: b, reason: c}]": "1:18: the list is empty",
    "waivers: [{rule: VOC003, site: a, owner: b, reason: c}]": (
        "1:18: rule 'VOC003' does not exist; did you mean VOC002 unknown-attribute?"
    ),
    "waivers: [{rule: SEC001, site: a, owner: b, reason: c}]": (
        "1:18: SEC001 open-door cannot be waived"
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_fault_is_said_with_its_place(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert str(caught.value).startswith(f"w.yaml:{WRONG[text]}")


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    text = files("mqlint.finding").joinpath("waivers.schema.json").read_text("utf-8")
    return cast(dict[str, Any], json.loads(text))


@pytest.fixture(scope="module")
def schema(published: dict[str, Any]) -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(published)
    return jsonschema.Draft202012Validator(published)


def fits(schema: jsonschema.Draft202012Validator, text: str) -> bool:
    return schema.is_valid(read_yaml(text, "w.yaml").plain())


def test_the_schema_takes_what_the_reader_takes(schema: jsonschema.Draft202012Validator) -> None:
    scopes = "site: a, queue_manager: [A, B*], object: C, paths: ['a/**']"
    for text in (
        "",
        "waivers:\n",
        f"waivers: [{{rule: [VOC002, DR001], {SIGNED}, {scopes}, ticket: 4711}}]",
        f"waivers: [{{rule: VOC002, {SIGNED}, site: a, expires: 2027-03-31}}]",
    ):
        read(text)
        assert fits(schema, text)


BY_MEANING = (
    "only the last",
    "bad path pattern",
    "cannot be waived",
    "does not exist",
    "2026-02-30",
)
"""What only the reader can tell."""


@pytest.mark.parametrize("text", WRONG)
def test_the_schema_refuses_what_the_reader_refuses(
    schema: jsonschema.Draft202012Validator, text: str
) -> None:
    by_meaning = any(words in WRONG[text] for words in BY_MEANING)
    assert fits(schema, text) is by_meaning


def test_what_is_published_is_what_the_reader_goes_by(published: dict[str, Any]) -> None:
    assert published == SCHEMA


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for body in (text, f"waivers: [{{{text}}}]", f"{ENTRY}object: {text}"):
        with suppress(ConfigError):
            read(body)


@pytest.mark.growth
def test_many_waivers_are_found_quickly() -> None:
    def work(size: int) -> None:
        waivers = [replace(one("object: A"), objects=(f"APP.{n}",)) for n in range(size)]
        finder = Finder(waivers)
        found = [at for n in range(size) for at, _ in finder.covering(about(f"APP.{n}"))]
        assert found == list(range(size))

    assert is_linear_in_steps(work, 200)
