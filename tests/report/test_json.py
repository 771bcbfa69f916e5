"""The report for programs, and the schema it promises."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator

from mqlint.dataclass import names_of
from mqlint.finding import REASONS, STATUSES, UNJUDGED, Confidence, Severity
from mqlint.report import FORMATS, Report, renderer
from mqlint.report.in_force import KINDS, InForce

Render = Callable[..., str]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    text = files("mqlint.report").joinpath("report.schema.json").read_text("utf-8")
    return cast(dict[str, Any], json.loads(text))


def test_estate_as_promised(
    render: Render, report: Report, golden: Callable[[str, str], None]
) -> None:
    golden("estate.json", render("json", report))


def test_schema_is_one(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_reports_follow_the_schema(render: Render, report: Report, schema: dict[str, Any]) -> None:
    validator = Draft202012Validator(schema)
    for sample in (report, Report()):
        validator.validate(json.loads(render("json", sample)))


def test_schema_names_every_field(render: Render, report: Report, schema: dict[str, Any]) -> None:
    assert list(undescribed(json.loads(render("json", report)), schema, schema)) == []


def test_schema_has_the_words_and_fields_of_the_records(schema: dict[str, Any]) -> None:
    parts = {
        name: part["properties"] for name, part in schema["$defs"].items() if "properties" in part
    }
    finding, coverage = parts["finding"], parts["coverage"]
    unjudged = coverage["not_judged"]["items"]["properties"]
    assert [*reversed(finding["severity"]["enum"])] == [severity.word for severity in Severity]
    assert [*reversed(finding["confidence"]["enum"])] == [word.word for word in Confidence]
    assert parts["in_force"]["kind"]["enum"] == [*KINDS]
    assert unjudged["reason"]["enum"] == [*REASONS, None]
    assert unjudged["kind"]["enum"] == coverage["unjudged"]["required"] == [*UNJUDGED]
    assert coverage["files"]["required"] == [*STATUSES]
    assert {*coverage["not_checked"]["items"]["properties"]["status"]["enum"]} == (
        STATUSES.keys() - {"checked"}
    )
    assert [*parts["in_force"]] == [*names_of(InForce)]


def undescribed(value: object, part: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    """The fields of a report that its schema does not speak of."""
    if "$ref" in part:
        part = schema["$defs"][part["$ref"].rpartition("/")[2]]
    if isinstance(value, list):
        for item in value:
            yield from undescribed(item, part["items"], schema)
    elif isinstance(value, dict):
        if "properties" not in part:  # its keys are names of the reader's own
            for item in value.values():
                yield from undescribed(item, part["additionalProperties"], schema)
            return
        yield from sorted(set(value) - set(part["properties"]))
        for key in set(value) & set(part["properties"]):
            yield from undescribed(value[key], part["properties"][key], schema)


def test_findings_stand_one_a_line(render: Render, report: Report) -> None:
    lines = render("json", report).splitlines()
    assert len(lines) == len(report.findings) + 2
    assert json.loads(lines[1].rstrip(","))["rule"] == "DR001"


def test_every_format_registered_can_be_written(render: Render, report: Report) -> None:
    for name in FORMATS:
        assert render(name, report)


def test_unknown_format_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        renderer("xml")
