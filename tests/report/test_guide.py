"""What is said about a rule, for a terminal and as Markdown that no case can break."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from policy_pages import RulePage, rendered

from mqlint.finding import Confidence, Rule, Severity
from mqlint.policy.language.parameters import Parameter
from mqlint.report.guide import Example, ExampleFile, Guide, guide, plain
from mqlint.report.markdown import fenced, sections
from tests.docs.markdown import faults

RULE = Rule(
    id="OWN001",
    name="no-test-queues",
    group="house",
    summary="A queue for tests",
    severity={"default": Severity.WARNING, "audit": Severity.NOTE, "production": Severity.ERROR},
    confidence=Confidence.HIGH,
    why="One.\nTwo.\n\n  DEFINE QLOCAL(A_B*C)\nThree.\n",
    fix="- delete it\n",
    message="{name}",
    aliases=("OLD001",),
    ignorable=False,
)
HOSTILE = (
    "</code> ``` <script>alert(1)</script> [a](https://evil.example) `half\n````\n~~~ &lt; \x1b[31m"
)


def blocks(said: Guide) -> list[str]:
    return list(sections(said, 2))


def test_paragraphs_and_code_are_kept_apart() -> None:
    assert blocks(guide(RULE))[1:4] == ["One. Two.", "      DEFINE QLOCAL(A_B*C)", "Three."]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("12. a", "12\\. a"),
        ("12 a", "12 a"),
        ("a `<b>` <b> &lt; `", "a `<b>` \\<b\\> \\&lt; \\`"),
        ("`a\nb`", "`a b`"),
    ],
)
def test_prose_is_no_markup(text: str, shown: str) -> None:
    assert blocks(guide(replace(RULE, why=text)))[1] == shown


def test_details_follow_what_to_do() -> None:
    shown = blocks(guide(replace(RULE, more="First.\n\nSecond.")))
    assert shown[shown.index("## What to do") + 2 :][:3] == ["## Details", "First.", "Second."]
    assert "## Details" not in blocks(guide(RULE))


def test_arrows_stand_only_where_lines_are_flagged() -> None:
    files = (ExampleFile("a", "one\ntwo\n", frozenset({2})), ExampleFile("b", "* three\n"))
    said = guide(RULE, [Example("case", files, is_flagged=True)])
    assert "```text\n  one\n> two\n```" in blocks(said)
    assert "```text\n* three\n```" in blocks(said)
    assert list(plain(said, 80))[-6:] == [
        "Flagged: case",
        "  a",
        "    one",
        "  > two",
        "  b",
        "    * three",
    ]


@pytest.mark.parametrize(("inside", "fence"), [("a", 3), ("``", 3), ("```", 4), ("a ````` b", 6)])
def test_no_content_ends_a_block(inside: str, fence: int) -> None:
    assert fenced((inside,)) == f"{'`' * fence}text\n{inside}\n{'`' * fence}"


def test_a_hostile_case_breaks_no_page(tmp_path: Path) -> None:
    example = Example(HOSTILE, (ExampleFile(HOSTILE, HOSTILE),), is_flagged=False)
    parameter = Parameter("limit", "text", HOSTILE, HOSTILE, HOSTILE)
    rule = replace(RULE, name=HOSTILE, summary=HOSTILE, why=HOSTILE, see=(HOSTILE,))
    said = guide(rule, [example], [parameter], [("ABC-001", HOSTILE)])
    made = rendered([RulePage(said, "own.yaml")])
    (tmp_path / "docs" / "policies").mkdir(parents=True)
    for name in ("own.yaml", "docs/catalogue.md", "docs/writing-policies.md"):
        (tmp_path / name).write_text("")
    for name, text in made.items():
        (tmp_path / "docs" / "policies" / name).write_text(text)
    for text in made.values():
        assert faults(text, tmp_path / "docs" / "policies") == []
        assert "\x1b" not in text


def test_the_index_has_the_severity_that_a_run_would_have() -> None:
    index = rendered([RulePage(guide(RULE), "own.yaml")])["README.md"]
    row = "| [OWN001](OWN001.md) | A queue for tests | warning, audit: note, production: error |"
    assert f"### house\n\n| rule | finds | severity |\n| --- | --- | --- |\n{row}\n" in index
    assert "| OLD001 | [OWN001](OWN001.md) |" in index


def test_facts_name_what_is_unusual() -> None:
    lines = list(plain(guide(RULE), 80))
    assert "  formerly    OLD001" in lines
    assert "  ignorable   comments and waivers cannot suppress it" in lines
    usual = list(plain(guide(replace(RULE, aliases=(), ignorable=True)), 80))
    assert not [line for line in usual if line.startswith(("  formerly", "  ignorable"))]


def test_a_setting_says_its_value_and_that_it_was_changed() -> None:
    set_here = Parameter("most", "integer", 5, 7, "how many")
    blank = Parameter("names", "regex", "", "", "what they look like")
    lines = list(plain(guide(RULE, parameters=[set_here, blank]), 100))
    assert "  most: 7 (integer, default 5): how many" in lines
    assert "  names: empty (regex): what they look like" in lines
