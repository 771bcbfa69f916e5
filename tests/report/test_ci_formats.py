"""The formats that other tools show: what they read is all there, and no name breaks it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from mqlint.finding import Severity
from mqlint.report import Report
from mqlint.source.lines import Position
from tests.linear import is_linear_in_time
from tests.report.test_injection import HOSTILE, poisoned

Render = Callable[..., str]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314  our own text


CI_FORMATS = ("azure", "checkstyle", "concise", "gitlab", "junit", "markdown", "rdjson")


@pytest.mark.parametrize("name", [*CI_FORMATS, "statistics"])
def test_estate_as_promised(
    render: Render, report: Report, golden: Callable[[str, str], None], name: str
) -> None:
    golden(f"estate.{name}", render(name, report))


@pytest.mark.parametrize("name", CI_FORMATS)
def test_nothing_found(render: Render, name: str) -> None:
    text = render(name, Report())
    assert "error" not in text.replace('errors="0"', "")
    {"gitlab": json.loads, "rdjson": json.loads}.get(name, str)(text)


@pytest.mark.parametrize("name", CI_FORMATS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_name_breaks_a_document_or_shows_a_control_character(
    render: Render, report: Report, name: str, hostile: str
) -> None:
    text = render(name, poisoned(report, hostile))
    text.encode("utf-8")
    assert all(c == "\n" or c.isprintable() or not c.isascii() for c in text)
    if name in ("gitlab", "rdjson"):
        json.loads(text)
    elif name in ("junit", "checkstyle"):
        parsed(text)
    elif name in ("azure", "concise"):
        assert len(text.splitlines()) == len(report.findings) + 1


NAMES_OF_COMMANDS = ["##vso[task.setvariable variable=x]y", "a]b;type=warning", "50%3B"]


@pytest.mark.parametrize("hostile", NAMES_OF_COMMANDS)
def test_an_azure_line_is_one_command_of_ours(render: Render, report: Report, hostile: str) -> None:
    *lines, _ = render("azure", poisoned(report, hostile)).splitlines()
    for line in lines:
        found = re.match(r"##vso\[(task\.(?:logissue|debug))( [^]]*)?\]", line)
        assert found is not None
        words = [word.partition("=")[0] for word in (found[2] or "").split(";")]
        assert words in ([""], [" type", "sourcepath", "linenumber", "columnnumber", "code"])


REFERENCES = ["@mona", "see https://evil.example", "www.evil.example", ":tada:", "#1", "![x](y)"]


@pytest.mark.parametrize("hostile", REFERENCES)
def test_no_name_is_a_mention_or_a_link_on_a_pull_request(
    render: Render, report: Report, hostile: str
) -> None:
    text = render("markdown", poisoned(report, hostile))
    table = text[: text.index("<details>")]
    assert not re.search(r"@\w|://|www\.|:tada:|[^\\&]#\d|[^\\]\[x|<script", table)


def test_a_bar_inside_code_does_not_end_the_cell(render: Render, report: Report) -> None:
    text = render("markdown", poisoned(report, "`x|<img src=y>`"))
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert rows
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == 5
        assert "\\<img" in row


def test_a_comment_on_a_pull_request_holds_as_much_as_fits(render: Render, report: Report) -> None:
    many = [
        replace(finding, message=f"{number} {finding.message * 9}")
        for number in range(900)
        for finding in report.findings
    ]
    text = render("markdown", replace(report, findings=many))
    assert len(text) <= 65_536
    assert re.search(r"^[\d,]+ more findings: see the log\.$", text, re.MULTILINE)
    first = text.splitlines().index("|---|---|---|---|") + 1
    assert text.splitlines()[first].startswith("| error |")


def test_gitlab_gets_a_fingerprint_of_its_own_for_each_issue(
    render: Render, report: Report
) -> None:
    twice = replace(report, findings=[*report.findings, *report.findings])
    issues = json.loads(render("gitlab", twice))
    prints = [issue["fingerprint"] for issue in issues]
    assert len(set(prints)) == len(prints) == 2 * len(report.findings)
    first = issues[0]
    assert {"description", "check_name", "fingerprint", "severity", "location"} <= first.keys()
    assert first["location"]["lines"]["begin"] == report.findings[0].location.start.line


def test_junit_counts_what_fails(render: Render, report: Report) -> None:
    suites = parsed(render("junit", report))
    failing = [f for f in report.findings if f.severity >= Severity.WARNING]
    assert int(suites.attrib["failures"]) == len(failing) == len(suites.findall(".//failure"))
    assert int(suites.attrib["tests"]) == len(suites.findall(".//testcase"))
    for suite in suites:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall(".//failure"))


def test_checkstyle_has_each_finding_under_its_file(render: Render, report: Report) -> None:
    root = parsed(render("checkstyle", report))
    found = {
        (file.attrib["name"], int(error.attrib["line"]), error.attrib["source"].split(".")[-1])
        for file in root
        for error in file
    }
    assert found == {(f.location.path, f.location.start.line, f.rule.id) for f in report.findings}


def test_reviewdog_counts_bytes(render: Render, one: Callable[..., Report]) -> None:
    line = "DEFINE QLOCAL('注文') DESCR('é') MAXDEPHT(5)"
    column = line.index("MAXDEPHT") + 1
    result: dict[str, Any] = json.loads(render("rdjson", one(line, 1, column, column + 8)))
    position = result["diagnostics"][0]["location"]["range"]["start"]
    assert position == {"line": 1, "column": len(line[: column - 1].encode()) + 1}


def test_bytes_before_are_not_counted_again_for_each_finding(
    render: Render, one: Callable[..., Report]
) -> None:
    def rendered(count: int) -> str:
        report = one("MAXDEPHT(é) " * count, 1, 1, 9)
        first = report.findings[0]
        many = [
            replace(first, location=replace(first.location, start=Position(1, 12 * at + 1)))
            for at in range(count)
        ]
        return render("rdjson", replace(report, findings=many))

    assert is_linear_in_time(rendered, 1_000)


@pytest.mark.parametrize("name", CI_FORMATS)
def test_paths_are_those_of_the_checkout(render: Render, report: Report, name: str) -> None:
    below = render(name, replace(report, below="mq/conf"))
    shown = "prod/PRDORD1/orders.mqsc" if name == "concise" else "mq/conf/prod/PRDORD1/orders.mqsc"
    assert shown in below.replace("\\_", "_")
