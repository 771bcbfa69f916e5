"""The formats of one line a finding: what counts, what is suppressed, what was known."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace

from mqlint.finding import Excuse
from mqlint.report import Known, Report

Render = Callable[..., str]


def divided(report: Report) -> Report:
    """The report with its second finding suppressed and its third one known."""
    first, second, third, *rest = report.findings
    waived = replace(second, ignored=Excuse("agreed", "waiver"))
    known = [Known("baseline", "mqlint-baseline.json", [third])]
    return replace(report, findings=[first, *rest], ignored=[waived], known=known)


def test_json_lines_tell_what_does_not_count(render: Render, report: Report) -> None:
    lines = [json.loads(line) for line in render("jsonl", divided(report)).splitlines()]
    assert len(lines) == len(report.findings)
    assert [one["fingerprint"] for one in lines if "suppression" in one] == [
        report.findings[1].fingerprint
    ]
    assert [one["known"] for one in lines if "known" in one] == ["baseline"]
    assert "suppression" not in lines[0]


def test_a_line_of_a_spreadsheet_says_where_and_what(render: Render, report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(render("csv", divided(report)), newline="")))
    first = report.findings[0]
    assert [row["state"] for row in rows] == [
        *["counts"] * (len(report.findings) - 2),
        "suppressed",
        "known",
    ]
    assert rows[0]["rule"] == first.rule.id
    assert (rows[0]["path"], int(rows[0]["line"])) == (
        first.location.path,
        first.location.start.line,
    )
    assert rows[0]["message"] == first.message
    assert render("csv", report).splitlines()[0].startswith("state,severity,rule,")
