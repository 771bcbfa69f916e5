"""Annotations of pull requests: escaped as documented, one command a finding and no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.finding import Confidence, Finding, Location, Rule, Severity, Subject
from mqlint.report import Report, Style, renderer
from mqlint.source.display import display_path
from mqlint.source.lines import Position

Render = Callable[..., str]

RULE = Rule(
    "DR001", "shared-name", "dr", "s", {}, Confidence.HIGH, "why", "Do this,\nat 100 %.", "m"
)


def lines_of(
    message: str = "wrong",
    path: str = "a.mqsc",
    end: tuple[int, int] = (3, 16),
    severity: Severity = Severity.ERROR,
    below: str = "",
) -> list[str]:
    where = Location(path, Position(3, 8), Position(*end))
    one = Finding(RULE, severity, message, where, Subject(), "0" * 32)
    return "".join(renderer("github")(Report([one], below=below), Style())).split("\n")


def test_estate_as_promised(
    render: Render, report: Report, golden: Callable[[str, str], None]
) -> None:
    golden("estate.github", render("github", report))


def test_finding_is_one_command() -> None:
    assert lines_of() == [
        "::error file=a.mqsc,line=3,endLine=3,col=8,endColumn=15,title=DR001 shared-name"
        "::wrong%0ADo this,%0Aat 100 %25.",
        "mqlint: 1 error",
        "",
    ]


def test_columns_are_left_out_over_several_lines() -> None:
    assert lines_of(end=(4, 2))[0].startswith("::error file=a.mqsc,line=3,endLine=4,title=")


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "notice")],
)
def test_severity(severity: Severity, word: str) -> None:
    assert lines_of(severity=severity)[0].startswith(f"::{word} ")


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("a,b:c.mqsc", "a%2Cb%3Ac.mqsc"),
        ("100%.mqsc", "100%25.mqsc"),
        ("a\\n::error::b.mqsc", "a%0A%3A%3Aerror%3A%3Ab.mqsc"),
        ("a\\\\b.mqsc", "a\\b.mqsc"),
        ("a\\u001b[31m.mqsc", "a\\x1b[31m.mqsc"),
    ],
)
def test_path(path: str, written: str) -> None:
    assert lines_of(path=path)[0].startswith(f"::error file={written},line=3,")


def test_path_is_that_of_the_checkout() -> None:
    assert lines_of(below="mq")[0].startswith("::error file=mq/a.mqsc,")


def test_nothing_found() -> None:
    assert "".join(renderer("github")(Report(), Style())) == "mqlint: no findings\n"
    assert "".join(renderer("github")(Report(), Style(quiet=True))) == ""


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_starts_a_command_of_its_own(message: str, path: str) -> None:
    lines = lines_of(f"x\r\n::add-mask::{message}", display_path(f"{path}a", Path("/project")))
    assert len(lines) == 3
    command, last, rest = lines
    assert (command.isprintable() or not command.isascii(), last, rest) == (
        True,
        "mqlint: 1 error",
        "",
    )
    assert "\r" not in command
    assert "\x1b" not in command
    assert command[2:].split("::")[0].count(",") == 5
