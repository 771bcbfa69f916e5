"""Every row of the catalogue is covered, refused for a reason, or waits for something named."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from catalogue import (
    Catalogue,
    Coverage,
    Status,
    load_catalogue,
    page,
    read_catalogue,
)

from mqlint.config.errors import ConfigError
from mqlint.finding import Rule
from mqlint.policy.questions import load_questions, rows_asked
from tests.shipped import shipped_rulebook, shipped_vocabulary

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "catalogue.md"

SMALL = """\
needs:
  mqsc: {means: scripts, open: true}
  plan: {means: what people know, open: false}
  not-static: {means: nothing says it, open: false}
groups:
  - prefix: ABC
    title: "Brewing, and tea"
    rows:
      - {id: ABC-001, finds: The pot is empty, needs: [mqsc]}
      - {id: ABC-002, finds: The water is cold, needs: [mqsc], left: milk}
      - {id: ABC-003, finds: The guest dislikes tea, needs: [not-static], refused: Ask.}
      - {id: ABC-004, finds: The cup is cracked, needs: [mqsc, plan], legacy: true}
"""


@cache
def rules() -> tuple[Rule, ...]:
    return tuple(shipped_rulebook().rules.values())


@cache
def shipped() -> Coverage:
    return Coverage(load_catalogue(), rules(), rows_asked(load_questions(shipped_vocabulary())))


def small(text: str = SMALL) -> Catalogue:
    return read_catalogue(text, "catalogue.yaml")


def covering(**rows: str) -> list[Rule]:
    """Rules by id that cover the rows given."""
    return [replace(rules()[0], id=key, covers=tuple(ids.split())) for key, ids in rows.items()]


def test_catalogue_and_policies_fit_together() -> None:
    assert shipped().faults() == []


def test_the_page_in_the_repository_is_up_to_date() -> None:
    if not PAGE.parent.is_dir():
        pytest.skip("no docs here")
    assert PAGE.read_text("utf-8") == page(shipped()), "run `make docs`"


def test_the_page_links_to_files_and_headings() -> None:
    text = page(shipped())
    files = set(re.findall(r"\]\(([^#)]+)\)", text))
    assert {name for name in files if not (PAGE.parent / name).is_file()} == set()
    assert len(re.findall(r"\]\(#", text)) == len(load_catalogue().groups)


@pytest.fixture(scope="module")
def reference() -> str:
    """The page that the first ten groups were made from, where this machine has it."""
    named = os.environ.get("MQLINT_REFERENCE")
    if not named or not (Path(named) / "seed-rules.md").is_file():
        pytest.skip("no page of rows: MQLINT_REFERENCE does not name a folder that has it")
    return (Path(named) / "seed-rules.md").read_text("utf-8")


def test_every_row_of_the_reference_has_one_here(reference: str) -> None:
    there = re.findall(r"^\*\*([A-Z]{3}-\d{3})\*\* \|", reference, re.MULTILINE)
    theirs = {row.partition("-")[0] for row in there}
    here = [row.id for row in load_catalogue().rows() if row.id.partition("-")[0] in theirs]
    assert sorted(here) == sorted(there)
    for prefix, number in re.findall(r"^\| ([A-Z]{3}) \|.*?\| (\d+) \|", reference, re.MULTILINE):
        assert sum(row.startswith(prefix) for row in here) == int(number)


def test_a_row_is_in_our_own_words(reference: str) -> None:
    run = 7
    theirs = _words(reference)
    runs = {tuple(theirs[at : at + run]) for at in range(len(theirs) - run + 1)}
    for row in load_catalogue().rows():
        words = _words(row.finds)
        assert not {tuple(words[at : at + run]) for at in range(len(words) - run + 1)} & runs


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9-]+", text.lower())


def test_the_standing_of_a_row() -> None:
    coverage = Coverage(small(), covering(PAR001="ABC-002", WHO001="ABC-004"))
    assert [coverage.status(row) for row in coverage.catalogue.rows()] == [
        Status.WAITING,
        Status.PARTLY,
        Status.REFUSED,
        Status.COVERED,
    ]
    waits = [coverage.waits_for(row) for row in coverage.catalogue.rows()]
    assert waits == [("mqsc",), ("mqsc",), (), ()]
    assert coverage.faults() == []


def test_a_row_that_is_asked_waits_only_for_what_a_policy_could_find() -> None:
    coverage = Coverage(small(), covering(PAR001="ABC-002"), {"ABC-004": "ASK01"})
    (*_, row) = coverage.catalogue.rows()
    assert coverage.status(row) is Status.ASKED
    assert coverage.waits_for(row) == ("mqsc",)
    assert coverage.faults() == []
    link = "asked: [ASK01](../policies/questions.yaml)"
    assert f"(legacy) | mqsc, plan | {link}; waits for mqsc |" in page(coverage)
    both = Coverage(small(), covering(PAR001="ABC-002", WHO001="ABC-004"), {"ABC-004": "ASK01"})
    assert both.status(row) is Status.COVERED
    assert f"(policies/WHO001.md); {link} |" in page(both)


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"ABC-004": "ASK01", "ABC-009": "ASK02"}, "ASK02: asks ABC-009, which is not a row"),
        ({"ABC-004": "ASK01", "ABC-003": "ASK02"}, "ASK02: asks ABC-003, which is refused"),
        (
            {"ABC-004": "ASK01", "ABC-001": "ASK02"},
            "ASK02: asks ABC-001, which is refused or needs",
        ),
    ],
)
def test_what_a_question_says_wrong_of_the_catalogue(asked: dict[str, str], fault: str) -> None:
    (found,) = Coverage(small(), covering(PAR001="ABC-002"), asked).faults()
    assert found.startswith(fault)


def test_a_row_that_only_people_know_must_be_asked() -> None:
    text = SMALL.replace("needs: [mqsc], left: milk", "needs: [plan]")
    faults = Coverage(small(text), [], {"ABC-002": "ASK01"}).faults()
    assert faults == ["ABC-004: needs plan, and no question asks it"]


@pytest.mark.parametrize(
    ("covers", "fault"),
    [
        ({"ONE001": "ABC-002 ABC-009"}, "ONE001: covers ABC-009, which is not a row"),
        ({"ONE001": "ABC-002 ABC-003"}, "ABC-003: refused, and covered by ONE001"),
        ({"ONE001": "ABC-001"}, "ABC-002: says what is left, and no policy covers it"),
    ],
)
def test_what_a_policy_says_wrong_of_the_catalogue(covers: dict[str, str], fault: str) -> None:
    (found,) = Coverage(small(), covering(**covers)).faults()
    assert found.startswith(fault)


def test_a_row_must_wait_for_something_and_a_need_for_some_row() -> None:
    text = SMALL.replace("open: true", "open: false").replace(
        "people know, open: false", "people know, open: true"
    )
    faults = Coverage(small(text), covering(ONE001="ABC-002 ABC-004")).faults()
    assert [fault.partition(":")[0] for fault in faults] == ["ABC-001", "ABC-002", "plan"]


def test_a_row_on_the_page_says_how_it_stands() -> None:
    coverage = Coverage(small(), covering(PAR001="ABC-002"))
    lines = page(coverage).splitlines()
    link = "[PAR001](policies/PAR001.md)"
    assert "| [ABC](#abc-brewing-and-tea) Brewing, and tea | 4 | 0 | 1 | 0 | 1 | 2 |" in lines
    assert "| `mqsc` | scripts | 3 | 3 |" in lines
    assert "| ABC-001 | The pot is empty | mqsc | waits for mqsc |" in lines
    assert f"| ABC-002 | The water is cold | mqsc | {link}; left: milk |" in lines
    assert "| ABC-003 | The guest dislikes tea | not-static | refused: Ask. |" in lines
    assert "| ABC-004 | The cup is cracked (legacy) | mqsc, plan | waits for mqsc |" in lines


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ("title:", "titel:", "7:5", "titel"),
        ("[mqsc, plan]", "[mqsc, plam]", "12:64", "plan"),
        ("[mqsc, plan]", "[mqsc, mqsc]", "12:57", "none of them twice"),
        ("[mqsc, plan]", "[]", "12:57", "at least one need"),
        ("ABC-002", "ABC-003", "10:14", "row 2 of ABC must come here"),
        ("ABC-002", "ABD-002", "10:14", "row 2 of ABC must come here"),
        ("prefix: ABC", "prefix: abc", "6:13", "capital letters"),
        (", refused: Ask.", "", "11:61", "must be refused"),
        ("refused: Ask.", "refused: Ask., left: sugar", "11:90", "nothing left to find"),
        ("The pot is empty", "p" * 111, "9:30", "at most 110 characters"),
        ("nothing says it, open: false", "nothing, open: true", "4:38", "nothing can wait"),
        ("left: milk", "left: 3", "10:70", "text"),
        ("legacy: true", "legacy: often", "12:79", "true or false"),
        ("finds: The pot is empty, ", "", "9:9", "finds"),
    ],
)
def test_a_catalogue_is_read_strictly(old: str, new: str, where: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        small(SMALL.replace(old, new))
    assert f"catalogue.yaml:{where}" in str(caught.value)


def test_a_group_stands_once() -> None:
    rows = SMALL.partition("groups:\n")[2]
    with pytest.raises(ConfigError, match="the group ABC is repeated"):
        small(SMALL + rows)
