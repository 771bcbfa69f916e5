"""Each file is judged by the configuration of its own project; one run may hold several."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint
from tests.files import write

WRONG = "DEFINE QLOCAL(APP.{}) MAXDEPHT(10)\n"


def found(mqlint: Mqlint, *words: str) -> list[str]:
    """Paths, rules and severities of findings."""
    done = mqlint("check", "--format", "json", *words)
    assert done.exit_code in (0, 1), done.output
    findings = json.loads(done.stdout)["findings"]
    return [f"{finding['path']} {finding['rule']} {finding['severity']}" for finding in findings]


@pytest.fixture
def nested(project: Path) -> Path:
    """A project, another one inside that is of another mind, and one beside without findings."""
    write(
        project,
        {
            "mqlint.yaml": "fail_on: warning\n",
            "b.mqsc": WRONG.format("OUTER"),
            "aaa/mqlint.yaml": "severity: {VOC002: off, VOC004: note}\n",
            "aaa/a.mqsc": WRONG.format("INNER"),
            "zzz/mqlint.yaml": "severity: {VOC002: note}\nexclude: [old]\n",
            "zzz/deep/z.mqsc": WRONG.format("DEEP"),
            "zzz/old/z.mqsc": WRONG.format("OLD"),
        },
    )
    return project


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        (".",),
        ("aaa", "b.mqsc", "zzz"),
        ("aaa/a.mqsc", "zzz/deep/z.mqsc", "b.mqsc"),
        ("b.mqsc", "zzz", "aaa/mqlint.yaml"),
        ("**/*.mqsc",),
    ],
)
def test_a_configuration_judges_what_is_below_it(
    nested: Path, mqlint: Mqlint, words: tuple[str, ...]
) -> None:
    expected = ["b.mqsc VOC002 error", "zzz/deep/z.mqsc VOC002 note"]
    assert found(mqlint, *words) == expected
    assert found(mqlint, "--jobs", "2", *words) == expected
    assert mqlint("check", *words).exit_code == 1


def test_the_folder_that_is_run_in_changes_no_more_than_the_paths(
    nested: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(nested / "aaa")
    assert found(mqlint) == []
    assert found(mqlint, "../zzz") == ["deep/z.mqsc VOC002 note"]
    assert found(mqlint, ".", "../zzz") == ["zzz/deep/z.mqsc VOC002 note"]


def test_each_project_fails_by_its_own_threshold(nested: Path, mqlint: Mqlint) -> None:
    assert mqlint("check", "aaa", "zzz").exit_code == 0
    write(nested, {"zzz/mqlint.yaml": "severity: {VOC002: note}\nfail_on: note\n"})
    assert mqlint("check", "aaa", "zzz").exit_code == 1
    assert mqlint("check", "aaa", "zzz", "--fail-on", "warning").exit_code == 0


def test_one_that_is_named_judges_all(nested: Path, mqlint: Mqlint) -> None:
    assert len(found(mqlint, "--config", "mqlint.yaml")) == 4
    assert found(mqlint, "--config", "aaa/mqlint.yaml", ".") == []


def test_fingerprints_are_those_of_each_project_by_itself(nested: Path, mqlint: Mqlint) -> None:
    def fingerprints(*words: str) -> list[str]:
        log = json.loads(mqlint("check", "--format", "json", *words).stdout)
        return [load["fingerprint"] for load in log["findings"]]

    assert fingerprints(".") == [*fingerprints("b.mqsc"), *fingerprints("zzz")]


def test_waivers_and_baselines_are_of_their_project(nested: Path, mqlint: Mqlint) -> None:
    waiver = "{rule: VOC002, paths: ['**'], owner: Ada, reason: agreed}"
    write(nested, {"aaa/mqlint-waivers.yaml": f"waivers: [{waiver}]\n"})
    assert len(found(mqlint, ".")) == 2
    write(nested, {"mqlint-waivers.yaml": f"waivers: [{waiver}]\n"})
    assert found(mqlint, ".") == ["zzz/deep/z.mqsc VOC002 note"]
    write(nested, {"zzz/mqlint.yaml": "baseline: known.json\n"})
    mqlint("baseline", "create", "--config", "zzz/mqlint.yaml")
    assert found(mqlint, ".") == []
    known = json.loads(mqlint("check", "--format", "json", ".").stdout)["known"][0]
    assert (known["path"], known["repository"]) == ("zzz/deep/z.mqsc", "zzz")
    for option in ("--waivers", "--baseline"):
        done = mqlint("check", ".", option, "zzz/known.json")
        assert done.exit_code == 2
        assert "PATHS belong to several" in done.stderr


def test_standard_input_belongs_to_the_project_of_its_name(nested: Path, mqlint: Mqlint) -> None:
    words = ("check", "-", "-q", "--stdin-filename")
    assert mqlint(*words, "aaa/x.mqsc", stdin=WRONG.format("X")).output == ""
    assert "b.mqsc:1" in mqlint(*words, "b.mqsc", stdin=WRONG.format("X")).output
    both = mqlint("check", "-", "b.mqsc", "-q", "--stdin-filename", "zzz/x.mqsc", stdin=WRONG)
    assert "zzz/x.mqsc:1" in both.output


@pytest.mark.parametrize("form", ["text", "sarif", "github", "csv", "jsonl"])
def test_every_format_has_one_report(nested: Path, mqlint: Mqlint, form: str) -> None:
    shown = mqlint("check", "--format", form).output
    assert shown.count("zzz/deep/z.mqsc") >= 1
    assert "b.mqsc" in shown
    assert "aaa/a.mqsc" not in shown


@pytest.mark.parametrize(
    "words",
    [("questions",), ("policy", "check"), ("chlauth", "audit"), ("runcheck", "--channel", "A",
      "--address", "10.0.0.1")],
)  # fmt: skip
def test_commands_about_one_project_say_what_they_leave_out(
    nested: Path, mqlint: Mqlint, words: tuple[str, ...]
) -> None:
    done = mqlint(*words, ".")
    assert "of another project not checked (aaa/mqlint.yaml)" in done.stderr
    done = mqlint(*words, "b.mqsc", "aaa")
    assert done.exit_code == 2
    assert "aaa belongs to another project (aaa/mqlint.yaml)" in done.stderr


def test_a_baseline_holds_what_is_of_its_project(nested: Path, mqlint: Mqlint) -> None:
    assert "1 finding recorded" in mqlint("baseline", "create").output
