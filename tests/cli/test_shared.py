"""`extends:` and profiles of a project's own: what they set, and faults in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.conftest import Mqlint
from tests.files import write as write_files

WRONG = "DEFINE QLOCAL(A) MAXDEPHT(5)\n"
BASE = """\
profiles:
  bank: {extends: production, severity: {VOC002: warning}}
  bank-test: {extends: bank, severity: {VOC002: note}, only_if_named: true}
severity: {HYG001: off}
target: {level: 9.3.0}
exclude: [attic]
"""


def write(folder: Path, files: dict[str, str]) -> None:
    write_files(folder, {"a.mqsc": WRONG, **files})


def severities(done: Result) -> list[str]:
    return [finding["severity"] for finding in json.loads(done.stdout)["findings"]]


@pytest.mark.parametrize(
    ("own", "words", "severity"),
    [
        ("extends: conf/base.yaml", (), "warning"),
        ("extends: [conf/base.yaml]\nprofiles: [bank-test]", (), "note"),
        ("extends: {file: conf/base.yaml}\nprofiles: [audit]", (), "error"),
        ("extends: conf/base.yaml", ("--profile", "bank-test"), "note"),
        ("extends: conf/base.yaml\nseverity: {VOC002: error}", (), "error"),
        ("extends: conf/base.yaml\noverrides: [{paths: ['*'], profiles: [bank-test]}]", (), "note"),
        (
            "extends: conf/base.yaml\nprofiles: {up: {extends: bank, severity: {VOC002: error}}}",
            (),
            "error",
        ),
        ("profiles: {up: {extends: [default], severity: {VOC002: off}}}", (), None),
        (
            "profiles: {up: {extends: [], severity: {VOC002: off}, only_if_named: true}}",
            (),
            "error",
        ),
    ],
)
def test_profile_of_a_project_sets_severities(
    project: Path, mqlint: Mqlint, own: str, words: tuple[str, ...], severity: str | None
) -> None:
    write(project, {"mqlint.yaml": own, "conf/base.yaml": BASE})
    done = mqlint("check", "--format", "json", *words)
    assert severities(done) == ([] if severity is None else [severity])


def test_keys_are_laid_over_those_of_the_base(project: Path, mqlint: Mqlint) -> None:
    own = "extends: conf/base.yaml\ntarget: {platform: linux}\nseverity: {HYG002: off}\n"
    write(project, {"mqlint.yaml": own + "exclude: [old]\n", "conf/base.yaml": BASE})
    shown = json.loads(mqlint("config", "show", "--format", "json").stdout)
    assert shown["target"] == {"level": "9.3.0", "platform": "linux"}
    assert shown["severity"] == {"HYG001": "off", "HYG002": "off"}
    assert shown["exclude"] == ["old"]
    (base,) = shown["extends"]
    assert base.startswith("conf/base.yaml (sha256:")


def test_equal_file_that_is_shown_has_the_same_settings(project: Path, mqlint: Mqlint) -> None:
    own = "extends: conf/base.yaml\nprofiles: [bank-test, audit]\n"
    write(project, {"mqlint.yaml": own, "conf/base.yaml": BASE})
    first = json.loads(mqlint("config", "show", "--format", "json").stdout)
    write(project, {"mqlint.yaml": mqlint("config", "show").stdout})
    again = json.loads(mqlint("config", "show", "--format", "json").stdout)
    assert {**again, "extends": first["extends"]} == first


def test_report_names_the_file_that_sets_it(project: Path, mqlint: Mqlint) -> None:
    write(project, {"mqlint.yaml": "extends: conf/base.yaml\n", "conf/base.yaml": BASE})
    report = json.loads(mqlint("check", "--format", "json").stdout)
    rows = [(row["kind"], row["name"], row["path"], row["line"]) for row in report["in_force"]]
    assert ("extends", "conf/base.yaml", "mqlint.yaml", None) in rows
    assert ("severity", "VOC002", "conf/base.yaml", 2) in rows
    assert ("profile", "bank", "conf/base.yaml", 2) in rows


def test_files_of_a_base_are_relative_to_it(project: Path, mqlint: Mqlint) -> None:
    examples = Path(__file__).parents[2] / "examples" / "policies"
    files = {f"conf/own/{path.name}": path.read_text("utf-8") for path in examples.glob("*.yaml")}
    base = "policies: [own/OWN001.yaml]\n"
    own = "extends: conf/base.yaml\npolicies: [conf/own/OWN002.yaml]\n"
    write(project, {"mqlint.yaml": own, "conf/base.yaml": base, **files})
    assert {"OWN001", "OWN002"} <= set(mqlint("rules").stdout.split())


DIGEST = "sha256:" + "0" * 64
FAULTS = {
    "extends: other.yaml": "mqlint.yaml:1:10: cannot read other.yaml: no such file",
    "extends: ../other.yaml": "it is outside the project",
    "extends: {package: acme-none, digest: '" + DIGEST + "'}": "acme-none is not installed in",
    "extends: {pakage: acme}": "did you mean 'package'?",
    "extends: {file: conf/base.yaml, digest: abc}": "expected sha256: and 64 hexadecimal digits",
    "extends: {file: conf/base.yaml, digest: '" + DIGEST + "'}": "check what changed, then set",
    "extends: [conf/loop.yaml]": "conf/loop.yaml:1:10: conf/loop.yaml extends itself",
    "extends: [conf/wrong.yaml]": "conf/wrong.yaml:1:1: unknown key 'severty': did you mean",
    "extend: conf/base.yaml": "did you mean 'extends'?",
    "extends: conf/base.yaml\nprofiles: [bnk]": "did you mean 'bank'?",
    "profiles: {own: {}}": "the key 'extends' is missing",
    "profiles: {own: }": "unknown profile 'own': allowed: audit",
    "profiles: {audit: {extends: production}}": "audit is a profile of mqlint",
    "profiles: {a: {extends: b}, b: {extends: a}}": "the profile a extends itself",
    "profiles: {a: {extends: prodction}}": "did you mean 'production'?",
    "profiles: {a: {extends: audit, severity: {VOC0021: off}}}": "profiles: a: severity: ",
}


@pytest.mark.parametrize("own", FAULTS)
def test_fault_is_an_error_with_its_place(project: Path, mqlint: Mqlint, own: str) -> None:
    others = {"conf/loop.yaml": "extends: loop.yaml", "conf/wrong.yaml": "severty: {}\nsites: {}"}
    write(project, {"mqlint.yaml": own, "conf/base.yaml": BASE, **others})
    done = mqlint("check")
    assert done.exit_code == 2
    assert FAULTS[own] in done.stderr
