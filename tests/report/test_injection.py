"""Names come from files of strangers: none of them may steer what reads the report."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest

from mqlint.finding import Coverage, FileCoverage, Location, Related, Subject
from mqlint.report import FORMATS, Report
from mqlint.report.topology import (
    Channel,
    Connection,
    Membership,
    Place,
    QueueManager,
    Topology,
)
from mqlint.source.lines import Position

Render = Callable[..., str]

HOSTILE = [
    "\x1b[2J\x1b[31mred",
    "\x1b]8;;https://evil.example\x07link",
    "\x9b31mred",
    "two\nlines: error FORGED",
    "back\r\x08\x08over",
    "\u202eesrever\u2066",
    "\u2028line\u2029paragraph",
    "zero\u200bwidth\ufeff",
    "tag\U000e0041",
    "lost\udc80byte",
    "nul\x00del\x7f",
    "</script><script>alert(1)</script><!--",
    "=HYPERLINK(1)",
    "+1",
    "@SUM(A1)",
    "{{ 7 * 7 }}",
    "%s %(x)d {0}",
    "##vso[task.complete result=Succeeded]",
    "###[error]",
    "##teamcity[buildStatus status='SUCCESS']",
    "::stop-commands::x",
    "a ::Error file=a,line=1::b",
    "::ERROR file=a :: b",
]

COMMAND = re.compile(r"##\w*\[|^[ \t]*::[A-Za-z-]+( .*)?::", re.MULTILINE)
"""What the logs of Azure DevOps, GitHub and TeamCity run; of GitHub's form no word is listed here,
so that it need not be one of today's."""


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"azure", "github"}))
@pytest.mark.parametrize("width", [40, 200])
def test_the_log_of_a_pipeline_runs_nothing(
    render: Render, report: Report, name: str, form: str, width: int
) -> None:
    assert COMMAND.findall(render(form, poisoned(report, name), width)) == []


def poisoned(report: Report, name: str) -> Report:
    """The report with a hostile name at every place where a file's own words can stand."""
    where = Location(name, Position(1, 1), Position(1, 3))
    findings = [
        replace(
            finding,
            message=f"queue {name} is odd",
            location=replace(finding.location, path=name),
            repository=name,
            subject=Subject(name, name, name, name + finding.fingerprint, name),
            related=(Related(where, name),),
        )
        for finding in report.findings
    ]
    rows = (FileCoverage(name, "unreadable", reason=name),)
    text = f"* {name}\n" * 9
    return Report(
        findings, Coverage(rows), [name], lambda path: text, topology=lambda: hostile(name)
    )


def hostile(name: str) -> Topology:
    """Two queue managers, and applications that call one of them and an unknown one."""
    place, other = Place(name, name), Place(f"other {name}", name)
    managers = [
        QueueManager(each, name, name, name, name, name, [name], name) for each in (place, other)
    ]
    ends = (place, other, None)
    return Topology(
        managers,
        [Channel(name, place, other, is_clustered=False, path=name, line=1)],
        [Membership(name, place, is_full=True)],
        [
            Connection(name, name, end, name, name, name, name, "missing", name, "", name, 1)
            for end in ends
        ],
    )


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("width", [60, 200])
def test_text_holds_no_control_character(
    render: Render, report: Report, name: str, width: int
) -> None:
    text = render("text", poisoned(report, name), width)
    assert [c for c in text if c != "\n" and unicodedata.category(c) in CONTROL] == []
    assert not any(line.startswith("lines: error") for line in text.splitlines())
    text.encode("utf-8")


CONTROL = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize("name", HOSTILE)
def test_json_is_ascii_and_safe_in_a_page(render: Render, report: Report, name: str) -> None:
    text = render("json", poisoned(report, name))
    assert text.isascii()
    assert all(c == "\n" or c.isprintable() for c in text)
    assert "<" not in text
    path = json.loads(text)["findings"][0]["path"]
    assert path == name.replace("\udc80", "\\udc80")
    path.encode("utf-8")


@pytest.mark.parametrize("name", HOSTILE)
def test_json_lines_are_ascii_and_one_for_each_finding(
    render: Render, report: Report, name: str
) -> None:
    text = render("jsonl", poisoned(report, name))
    assert text.isascii()
    assert [json.loads(line)["path"] for line in text.splitlines()] == [
        name.replace("\udc80", "\\udc80")
    ] * len(report.findings)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_spreadsheet_works_out_nothing(render: Render, report: Report, name: str) -> None:
    text = render("csv", poisoned(report, name))
    text.encode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == len(report.findings)
    for row in rows:
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())
        assert not any(unicodedata.category(c) in CONTROL for cell in row.values() for c in cell)
        assert name[-3:].strip() in row["path"] or "\\" in row["path"]


def test_color_adds_only_its_own_escapes(render: Render, report: Report) -> None:
    text = render("text", poisoned(report, "\x1b[31m"), color=True)
    plain = render("text", poisoned(report, "\x1b[31m"))
    assert text.count("\x1b") == render("text", poisoned(report, "x"), color=True).count("\x1b")
    assert "\\x1b[31m" in plain
