"""The report for code scanning: valid, within GitHub's limits, and no stage for a file's text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from mqlint import __version__
from mqlint.config.estate.controls import Control
from mqlint.finding import (
    Confidence,
    Coverage,
    Excuse,
    FileCoverage,
    Finding,
    Location,
    Related,
    Rule,
    Severity,
    Subject,
)
from mqlint.report import Report, Style, renderer
from mqlint.report.sarif import log as sarif
from mqlint.source.display import display_path
from mqlint.source.lines import Position

Render = Callable[..., str]

RULE = Rule(
    id="DR001",
    name="shared-name",
    group="dr",
    summary="Names of *both* sites",
    severity={"default": Severity.WARNING, "production": Severity.ERROR},
    confidence=Confidence.HIGH,
    why="One `{0}` of two answers.\n",
    fix="Define it anew:\n\n  DEFINE CHANNEL(A_B*C) ...\nand stop the old one.",
    message="{name}",
    see=("AMQ9456", "https://example.com/a"),
    messages=("AMQ9456",),
    aliases=("DR900",),
)


@pytest.fixture(scope="module")
def validator() -> Draft4Validator:
    path = Path(__file__).with_name("sarif-schema-2.1.0.json")
    return Draft4Validator(
        json.loads(path.read_text("utf-8")), format_checker=Draft4Validator.FORMAT_CHECKER
    )


def finding(message: str = "wrong", path: str = "a.mqsc", line: int = 1, **more: Any) -> Finding:  # noqa: ANN401 fields of a finding
    where = Location(path, Position(line, 8), Position(line, 16))
    values = {"severity": Severity.WARNING, "subject": Subject(), "fingerprint": f"{line:032x}"}
    return Finding(RULE, message=message, location=where, **{**values, **more})


def run_of(report: Report) -> dict[str, Any]:
    log = json.loads("".join(renderer("sarif")(report, Style())))
    return cast(dict[str, Any], log["runs"][0])


def result_of(one: Finding) -> dict[str, Any]:
    return cast(dict[str, Any], run_of(Report([one]))["results"][0])


def test_details_are_in_the_help_of_a_rule() -> None:
    detailed = replace(finding(), rule=replace(RULE, more="By the calendar."))
    (described,) = run_of(Report([detailed]))["tool"]["driver"]["rules"]
    assert "By the calendar." in described["help"]["text"]
    assert "By the calendar." in described["help"]["markdown"]
    assert "By the calendar." not in "".join(renderer("text")(Report([detailed]), Style()))


def test_estate_as_promised(
    render: Render, report: Report, golden: Callable[[str, str], None]
) -> None:
    golden("estate.sarif", render("sarif", report).replace(f'"{__version__}"', '"VERSION"'))


def test_reports_follow_the_official_schema(
    render: Render, report: Report, validator: Draft4Validator
) -> None:
    hidden = Report([finding()], ignored=[finding(ignored=Excuse("agreed"))])
    for sample in (report, Report(), replace(report, status=1, below="mq/conf"), hidden):
        validator.validate(json.loads(render("sarif", sample)))


def test_controls_are_taxonomies(validator: Draft4Validator) -> None:
    controls = (
        Control("House", "A.1", "", (RULE.id,)),
        Control("House", "A.2", "Clients {prove}", ("SEC001",)),
        Control("House", "A.1", "Sites", ("SEC002",)),
        Control("Other", "9", "", (RULE.id, "SEC001")),
    )
    report = Report([finding()], controls=controls)
    validator.validate(json.loads("".join(renderer("sarif")(report, Style()))))
    run = run_of(report)
    assert run["taxonomies"] == [
        {
            "name": "House",
            "taxa": [
                {"id": "A.1", "shortDescription": {"text": "Sites"}},
                {"id": "A.2", "shortDescription": {"text": "Clients {{prove}}"}},
            ],
        },
        {"name": "Other", "taxa": [{"id": "9"}]},
    ]
    driver = run["tool"]["driver"]
    assert driver["supportedTaxonomies"] == [
        {"name": "House", "index": 0},
        {"name": "Other", "index": 1},
    ]
    (rule,) = driver["rules"]
    targets = [relationship["target"] for relationship in rule["relationships"]]
    assert [(target["id"], target["index"]) for target in targets] == [("A.1", 0), ("9", 0)]
    assert [target["toolComponent"]["name"] for target in targets] == ["House", "Other"]


@pytest.mark.slow
@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_any_text_gives_a_valid_report_without_control_characters(
    validator: Draft4Validator, message: str, path: str, name: str
) -> None:
    subject = Subject(name or None, name or None, "channel", name, name)
    shown = display_path(path or "a", Path("/project"))
    one = finding(message, shown, subject=subject)
    text = "".join(renderer("sarif")(Report([one]), Style()))
    validator.validate(json.loads(text))
    assert text.isascii()
    words = json.dumps(run_of(Report([one])), ensure_ascii=False).replace("\\\\", "")
    assert "\\u00" not in words
    assert "\\x1b" not in words


def test_region_is_the_tokens_at_fault() -> None:
    place = result_of(finding())["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 16}
    assert run_of(Report())["columnKind"] == "unicodeCodePoints"


PATHS = [
    ("prod/a.mqsc", "prod/a.mqsc"),
    ("with blank/50%/a#b?.mqsc", "with%20blank/50%25/a%23b%3F.mqsc"),
    ("C:a.mqsc", "C%3Aa.mqsc"),
    ("für/注.mqsc", "f%C3%BCr/%E6%B3%A8.mqsc"),
    ("a\\nb\\\\c.mqsc", "a%0Ab%5Cc.mqsc"),
    ("a\\xff.mqsc", "a%FF.mqsc"),
    ("[x](y).mqsc", "%5Bx%5D%28y%29.mqsc"),
]


@pytest.mark.parametrize(("path", "uri"), PATHS)
def test_path_is_percent_encoded_and_relative_to_the_checkout(path: str, uri: str) -> None:
    place = result_of(finding(path=path))["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}


def test_path_outside_of_the_project_is_a_file_uri() -> None:
    place = result_of(finding(path="/srv/mq x/a.mqsc"))["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "file:///srv/mq%20x/a.mqsc"}


def test_project_below_the_top_of_the_checkout() -> None:
    run = run_of(Report([finding()], below="mq/conf"))
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mq/conf/a.mqsc"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("set {{ PORT }}", "set {{{{ PORT }}}}"),
        ("see [here](https://evil.example)", "see \\[here\\](https://evil.example)"),
        ("array[1]", "array[1]"),
        ("a\x1b[31mb\nc", "a\\x1b[31mb\\nc"),
    ],
)
def test_message_of_a_file_is_plain_text(message: str, text: str) -> None:
    assert result_of(finding(message))["message"]["text"] == text


def test_rule_is_explained() -> None:
    (rule,) = run_of(Report([finding()]))["tool"]["driver"]["rules"]
    assert rule["help"]["text"].startswith("One `{{0}}` of two answers.")
    assert rule["help"]["markdown"].splitlines()[0] == "**Names of \\*both\\* sites**"
    assert "\n\n    " in rule["help"]["markdown"]
    assert "DEFINE CHANNEL(A_B*C)" in rule["help"]["markdown"]
    assert rule["helpUri"] == "https://example.com/a"
    assert rule["deprecatedIds"] == ["DR900"]
    assert rule["defaultConfiguration"] == {"level": "warning"}


def test_rule_without_a_link_has_no_help_uri() -> None:
    one = replace(finding(), rule=replace(RULE, see=("AMQ9456",)))
    (rule,) = run_of(Report([one]))["tool"]["driver"]["rules"]
    assert "helpUri" not in rule


def test_result_tells_whose_it_is() -> None:
    subject = Subject("leeds", "PRDORD1", "channel", "A.B", "CONNAME")
    there = Location("b.mqsc", Position(3, 1), Position(3, 4))
    result = result_of(
        finding(subject=subject, incident="6b1f", related=(Related(there, "the other"),))
    )
    assert result["properties"] == {
        "confidence": "high",
        "group": "dr",
        "incident": "6b1f",
        "queueManager": "PRDORD1",
        "site": "leeds",
        "objectType": "channel",
        "objectName": "A.B",
        "attribute": "CONNAME",
    }
    assert result["partialFingerprints"] == {"mqlint/v2": f"{1:032x}"}
    assert result["relatedLocations"][0]["id"] == 1
    assert result["relatedLocations"][0]["message"] == {"text": "the other"}


def test_invocation_says_how_it_ended_and_what_was_not_read() -> None:
    rows = (FileCoverage("a b.mqsc", "unreadable", reason="no permission"),)
    run = run_of(Report(coverage=Coverage(rows), assumptions=["site x guessed"], status=1))
    (invocation,) = run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (1, False)
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"] == {"text": "not read: no permission"}
    assert note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.mqsc"
    assert invocation["toolConfigurationNotifications"][0]["level"] == "note"


@pytest.mark.slow
def test_more_than_github_takes_is_cut_from_the_least_severe() -> None:
    said: list[str] = []
    notes = [finding(line=n, severity=Severity.NOTE) for n in range(1, sarif.MAX_RESULTS + 1)]
    error = finding(line=99_999, severity=Severity.ERROR)
    run = run_of(Report([*notes, error], warn=said.append))
    assert len(run["results"]) == sarif.MAX_RESULTS
    assert run["results"][0]["level"] == "error"
    assert len(said) == 1
    assert said[0].startswith("SARIF: 1 finding of 25,001 left out, the least severe")
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == said[0]


def test_more_than_github_keeps_is_said() -> None:
    said: list[str] = []
    notes = [finding(line=n) for n in range(1, sarif.MAX_STORED + 2)]
    assert len(run_of(Report(notes, warn=said.append))["results"]) == sarif.MAX_STORED + 1
    assert said == ["SARIF: GitHub will keep 5,000 of 5,001 findings"]


def test_file_stays_small_enough_when_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 1_000_000
    monkeypatch.setattr(sarif, "MAX_COMPRESSED", limit)
    random = Random(1)  # noqa: S311 any text that does not compress
    said: list[str] = []
    found = [finding(random.randbytes(500).hex(), line=n) for n in range(1, 4_000)]
    text = "".join(renderer("sarif")(Report(found, warn=said.append), Style()))
    assert limit // 2 < len(gzip.compress(text.encode())) < limit
    assert "left out" in said[0]


def test_suppressed_finding_is_marked_and_comes_last() -> None:
    hidden = finding("h", severity=Severity.ERROR, ignored=Excuse("agreed\x1b until May"))
    bare = finding("b", line=2, ignored=Excuse(""))
    results = run_of(Report([finding()], ignored=[hidden, bare]))["results"]
    assert [result["suppressions"] for result in results] == [
        [],
        [{"kind": "inSource", "justification": "agreed\\x1b until May"}],
        [{"kind": "inSource"}],
    ]


def test_nothing_is_said_of_suppression_where_there_is_none() -> None:
    assert "suppressions" not in result_of(finding())


def test_the_other_members_of_an_incident_are_linked(render: Render, report: Report) -> None:
    results = json.loads(render("sarif", report))["runs"][0]["results"]
    dr, prod = (result for result in results if result["ruleId"] == "DR001")
    assert dr["message"]["text"].endswith("(see [the one at leeds](1))")
    assert prod["message"]["text"].endswith("(see [DRSORD1 at derby](1))")
    place = prod["relatedLocations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "dr/DRSORD1/orders.mqsc"


def test_the_line_is_shown_without_its_secret(render: Render, report: Report) -> None:
    text = render("sarif", report)
    assert "swordfish" not in text
    results = json.loads(text)["runs"][0]["results"]
    lines = [result["locations"][0]["physicalLocation"]["contextRegion"] for result in results]
    assert {"PASWORD('****') CLUSTER(ORDERS)", "MAXMSGLEN(1000) +"} <= {
        line["snippet"]["text"].strip() for line in lines
    }


@pytest.mark.parametrize(("group", "score"), [("security", "5.5"), ("chlauth", "5.5"), ("dr", "")])
def test_rules_of_security_have_a_score(
    report: Report, validator: Draft4Validator, group: str, score: str
) -> None:
    findings = [
        replace(finding, rule=replace(finding.rule, group=group))
        for finding in report.findings
        if finding.rule.id == "DR001"
    ]
    log = json.loads("".join(renderer("sarif")(replace(report, findings=findings), Style())))
    validator.validate(log)
    properties = log["runs"][0]["tool"]["driver"]["rules"][0]["properties"]
    assert properties.get("security-severity", "") == score
    assert ("security" in properties["tags"]) == bool(score)
