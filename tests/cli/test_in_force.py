"""Every report says what is in force: what is left out, off, lowered, set or suppressed."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Mqlint

WRONG = "DEFINE QLOCAL(APP.{}) MAXDEPHT(10)\n"
CONFIG = """\
exclude: [vendor, "*.bak", gone]
fail_on: note
severity:
  VOC002: note
  LOG001: off
  VOC004: error
parameters:
  QUE005: {critical_queues: [PAY.*]}
profiles: [audit]
target: {level: 9.4.0, platform: linux}
overrides: [{paths: [old, older], target: {level: 8.0.0}, profiles: [audit]}]
files: {types: {"*.foo": notes}}
clients: [{files: "*.app.json", host: $.mq.host}]
external: {queues: [PAY.*]}
"""
ROWS = [
    ("exclude", "vendor", None, 2, "mqlint.yaml", 1),
    ("exclude", "*.bak", None, 1, "mqlint.yaml", 1),
    ("severity", "VOC002", "note", None, "mqlint.yaml", 4),
    ("severity", "LOG001", "off", None, "mqlint.yaml", 5),
    ("parameter", "QUE005 critical_queues", None, None, "mqlint.yaml", 8),
    ("profile", "audit", None, None, "mqlint.yaml", 9),
    ("fail_on", None, "note", None, "mqlint.yaml", 2),
    ("target", None, "9.4.0/linux", None, "mqlint.yaml", 10),
    ("override", "old, older", "8.0.0 audit", None, "mqlint.yaml", 11),
    ("types", "*.foo", "notes", None, "mqlint.yaml", 12),
    ("types", "*.app.json", "client-keys", None, "mqlint.yaml", 13),
    ("external", "queues", "1 queue", None, "mqlint.yaml", 14),
    ("comment", None, None, 1, "b.mqsc", None),
    ("waiver", None, None, 1, "mqlint-waivers.yaml", None),
    ("baseline", None, None, 1, "known.json", None),
]


@pytest.fixture
def configured(project: Path, mqlint: Mqlint) -> Path:
    """A project in which one finding is left of five."""
    for folder in ("vendor", "vendor/deep"):
        (project / folder).mkdir()
        (project / folder / "v.mqsc").write_text(WRONG.format("V"))
    (project / "d.bak").write_text(WRONG.format("D"))
    (project / "c.mqsc").write_text(WRONG.format("KNOWN"))
    (project / "mqlint.yaml").write_text(CONFIG)
    mqlint("baseline", "create", "--baseline", "known.json")
    (project / "mqlint.yaml").write_text(CONFIG + "baseline: known.json\n")
    (project / "a.mqsc").write_text(WRONG.format("LEFT") + WRONG.format("WAIVED"))
    (project / "b.mqsc").write_text("* mqlint: ignore[VOC002] agreed\n" + WRONG.format("B"))
    waiver = "{rule: VOC002, object: APP.WAIVED, owner: Ada, reason: agreed}"
    (project / "mqlint-waivers.yaml").write_text(f"waivers: [{waiver}]\n")
    return project


def report(mqlint: Mqlint, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(mqlint("check", "--format", "json", *words).stdout)
    schema = json.loads(files("mqlint.report").joinpath("report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    return found


def rows(mqlint: Mqlint, *words: str) -> list[tuple[object, ...]]:
    keys = ("kind", "name", "value", "number", "path", "line")
    return [tuple(row[key] for key in keys) for row in report(mqlint, *words)["in_force"]]


def test_json_has_a_row_for_each(configured: Path, mqlint: Mqlint) -> None:
    assert rows(mqlint) == ROWS


def test_files_that_are_named_are_left_out_too(configured: Path, mqlint: Mqlint) -> None:
    assert rows(mqlint, "vendor/v.mqsc", "a.mqsc")[0] == ROWS[0]


def test_people_are_told_in_one_block(configured: Path, mqlint: Mqlint) -> None:
    shown = mqlint("check").output
    block = shown[shown.index("in force:\n") : shown.index("next: ")]
    assert block == (
        "in force:\n"
        "  exclude: vendor excludes 2 files (mqlint.yaml:1), *.bak excludes 1 file "
        "(mqlint.yaml:1)\n"
        "  severity: VOC002 note (mqlint.yaml:4), LOG001 off (mqlint.yaml:5)\n"
        "  parameter: QUE005 critical_queues (mqlint.yaml:8)\n"
        "  profile: audit (mqlint.yaml:9)\n"
        "  fail-on: note (mqlint.yaml:2)\n"
        "  target: 9.4.0/linux (mqlint.yaml:10)\n"
        "  override: old, older: 8.0.0 audit (mqlint.yaml:11)\n"
        "  types: *.foo as notes (mqlint.yaml:12), *.app.json as client-keys (mqlint.yaml:13)\n"
        "  external: 1 queue (mqlint.yaml:14)\n"
        "  comment: 1 finding (b.mqsc)\n"
        "  waiver: 1 finding (mqlint-waivers.yaml)\n"
        "  baseline: 1 finding (known.json)\n"
    )


def test_sarif_has_them_as_properties_and_notes(configured: Path, mqlint: Mqlint) -> None:
    log = json.loads(mqlint("check", "--format", "sarif").stdout)
    schema = Path(__file__).parents[1] / "report" / "sarif-schema-2.1.0.json"
    jsonschema.Draft4Validator(json.loads(schema.read_text("utf-8"))).validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["properties"]["inForce"] == report(mqlint)["in_force"]
    notes = [one["message"]["text"] for one in invocation["toolConfigurationNotifications"]]
    assert "in force: severity: LOG001 off (mqlint.yaml:5)" in notes


def test_annotations_have_one_for_all(configured: Path, mqlint: Mqlint) -> None:
    lines = mqlint("check", "--format", "github").output.splitlines()
    (line,) = (one for one in lines if one.startswith("::notice title=mqlint::"))
    assert "severity: VOC002 note (mqlint.yaml:4), LOG001 off (mqlint.yaml:5)%0A" in line


def test_the_command_line_is_named(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(WRONG.format("A"))
    words = ("--select", "VOC", "--ignore", "VOC004", "--severity", "VOC002=off")
    assert rows(mqlint, *words, "--fail-on", "note", "--target", "9.3", "--profile", "audit") == [
        ("select", "VOC", None, None, None, None),
        ("ignore", "VOC004", None, None, None, None),
        ("severity", "VOC002", "off", None, None, None),
        ("profile", "audit", None, None, None, None),
        ("fail_on", None, "note", None, None, None),
        ("target", None, "9.3", None, None, None),
    ]


@pytest.mark.parametrize(
    "config", ["", "sites: {leeds: {role: production}}\n", "severity: {VOC004: error}\n"]
)
def test_by_default_nothing_is_said(project: Path, mqlint: Mqlint, config: str) -> None:
    (project / "a.mqsc").write_text(WRONG.format("A"))
    (project / "mqlint.yaml").write_text(config)
    assert rows(mqlint) == []
    assert "in force" not in mqlint("check").output
    assert "::notice" not in mqlint("check", "--format", "github").output
    assert "inForce" not in mqlint("check", "--format", "sarif").output


def test_of_several_projects_each_names_its_file(configured: Path, mqlint: Mqlint) -> None:
    (configured / "sub").mkdir()
    (configured / "sub/mqlint.yaml").write_text("# none\nseverity: {VOC002: off}\n")
    (configured / "sub/a.mqsc").write_text(WRONG.format("SUB"))
    found = rows(mqlint)
    assert ("severity", "VOC002", "off", None, "sub/mqlint.yaml", 2) in found
    assert [row for row in found if row[4] != "sub/mqlint.yaml"] == ROWS


def test_no_name_forges_a_line(project: Path, mqlint: Mqlint) -> None:
    pattern = '"*.bak\\n::error::forged\\e[31m%0A##[error]"'
    (project / "mqlint.yaml").write_text(
        f"exclude: [{pattern}]\nparameters: {{QUE005: {{critical_queues: [A]}}}}\n"
    )
    (project / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (project / "x.bak\n::error::forged\x1b[31m%0A##[error]").write_text("x")
    for form in ("text", "json", "sarif", "github", "csv", "jsonl"):
        shown = mqlint("check", "--format", form).output
        assert "\x1b" not in shown
        assert not any(line.startswith("::error") for line in shown.splitlines())
    assert "in force" in mqlint("check").output
