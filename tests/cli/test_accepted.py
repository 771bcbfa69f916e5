"""Waivers and baselines at the command line: what counts, what is shown, what is refused."""

from __future__ import annotations

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Mqlint
from tests.files import write

ESTATE = Path(__file__).parents[2] / "examples" / "estate"
WRONG = "DEFINE QLOCAL(APP.{}) MAXDEPHT(10)\n"
SIGNED = "owner: messaging team, reason: agreed"
BASELINE = "mqlint-baseline.json"


def waive(project: Path, *entries: str) -> None:
    text = "waivers:\n" + "".join(f"  - {{{entry}, {SIGNED}}}\n" for entry in entries)
    (project / "mqlint-waivers.yaml").write_text(text)


def report(mqlint: Mqlint, *words: str) -> dict[str, Any]:
    done = mqlint("check", "--format", "json", *words)
    found = cast(dict[str, Any], json.loads(done.stdout))
    schema = json.loads(files("mqlint.report").joinpath("report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    return found


def results(mqlint: Mqlint, *words: str) -> list[dict[str, Any]]:
    log = json.loads(mqlint("check", "--format", "sarif", *words).stdout)
    schema = Path(__file__).parents[1] / "report" / "sarif-schema-2.1.0.json"
    jsonschema.Draft4Validator(json.loads(schema.read_text("utf-8"))).validate(log)
    return cast(list[dict[str, Any]], log["runs"][0]["results"])


@pytest.fixture
def wrong(project: Path) -> Path:
    """A project with a finding in each of two files."""
    (project / "mqlint.yaml").write_text('queue_managers: "{queue_manager}/*"\n')
    for name in ("ONE", "TWO"):
        (project / f"QM{name}").mkdir()
        (project / f"QM{name}" / "a.mqsc").write_text(WRONG.format(name))
    return project


def test_waived_findings_are_counted_and_do_not_count(wrong: Path, mqlint: Mqlint) -> None:
    waive(wrong, "rule: VOC002, object: APP.*, ticket: CHG-1, expires: 2100-01-31")
    done = mqlint("check")
    assert done.exit_code == 0
    assert "2 findings waived (--no-ignores shows them)." in done.output
    assert mqlint("check", "--no-ignores").exit_code == 1
    found = report(mqlint)
    assert found["findings"] == []
    assert found["coverage"]["waived"] == 2
    assert [finding["suppression"] for finding in found["suppressed"]] == [
        {
            "by": "waiver",
            "reason": "agreed",
            "owner": "messaging team",
            "ticket": "CHG-1",
            "expires": "2100-01-31",
        }
    ] * 2
    assert results(mqlint)[0]["suppressions"] == [
        {
            "kind": "external",
            "justification": "agreed",
            "properties": {"owner": "messaging team", "ticket": "CHG-1", "expires": "2100-01-31"},
        }
    ]


def test_the_day_decides(wrong: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch) -> None:
    waive(wrong, "rule: VOC002, object: APP.*, expires: 2030-01-31")
    for day, status in (("2030-01-31", 0), ("2030-02-01", 1)):
        monkeypatch.setenv("MQLINT_TODAY", day)
        assert mqlint("check").exit_code == status
    monkeypatch.setenv("MQLINT_TODAY", "tomorrow")
    done = mqlint("check")
    assert done.exit_code == 2
    assert "MQLINT_TODAY is 'tomorrow', expected a date" in done.stderr


def test_waivers_may_have_another_name_or_none(wrong: Path, mqlint: Mqlint) -> None:
    waive(wrong, "rule: VOC002, object: APP.*")
    config = wrong / "mqlint.yaml"
    text = config.read_text()
    config.write_text(text + 'waivers: ""\n')
    assert mqlint("check").exit_code == 1
    (wrong / "mqlint-waivers.yaml").rename(wrong / "agreed.yaml")
    config.write_text(text + "waivers: agreed.yaml\n")
    assert mqlint("check").exit_code == 0
    config.write_text(text + "waivers: gone.yaml\n")
    done = mqlint("check")
    assert done.exit_code == 2
    line = text.count("\n") + 1
    assert f"mqlint.yaml:{line}:10: cannot read gone.yaml: no such file" in done.stderr


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe\x00", "it is not UTF-8"),
        (b"waivers: [{rule: VOC002, site: a, reason: b}]", "yaml:1:11: the key 'owner' is missing"),
        (b"waivers: [{rule: VOC2, site: a, reason: b, owner: c}]", "rule 'VOC2'"),
        (b"waivers: &a [*a]", "is not supported"),
        (b"waivers:\x00", "U+0000 is not allowed"),
        (b"\x00", "1:1: not valid YAML: the file has none of the keys"),
    ],
)
def test_waivers_that_are_wrong_are_refused(
    wrong: Path, mqlint: Mqlint, data: bytes, message: str
) -> None:
    (wrong / "mqlint-waivers.yaml").write_bytes(data)
    done = mqlint("check")
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_part_of_a_project_is_silent_about_other_waivers(wrong: Path, mqlint: Mqlint) -> None:
    waive(wrong, "rule: VOC002, object: APP.ONE", "rule: VOC002, object: GONE")
    assert "waiver-unmatched" not in mqlint("check", "QMONE").output
    assert "mqlint-waivers.yaml:3:6 warning IGN005" in mqlint("check").output


def test_what_is_recorded_does_not_count(wrong: Path, mqlint: Mqlint) -> None:
    done = mqlint("baseline", "create")
    assert done.output.startswith(f"{BASELINE}: 2 findings recorded\n")
    assert mqlint("check").exit_code == 1
    (wrong / "mqlint.yaml").write_text(
        f'queue_managers: "{{queue_manager}}/*"\nbaseline: {BASELINE}\n'
    )
    done = mqlint("check")
    assert done.exit_code == 0
    assert done.output.startswith("No new findings: 2 files checked")
    assert f"2 existing findings (in the baseline {BASELINE}) hidden." in done.output
    (wrong / "QMONE" / "b.mqsc").write_text(WRONG.format("NEW"))
    assert mqlint("check").exit_code == 1
    found = report(mqlint)
    assert [finding["object"]["name"] for finding in found["findings"]] == ["APP.NEW"]
    assert [finding["known"] for finding in found["known"]] == ["baseline"] * 2
    assert found["compared"] == [{"with": "baseline", "source": BASELINE, "known": 2, "stale": []}]
    assert [result["baselineState"] for result in results(mqlint)] == [
        "new",
        "unchanged",
        "unchanged",
    ]
    said = mqlint("check", "--format", "github").output
    assert said.count("::error") == 1
    assert said.endswith("mqlint: 1 error (2 known before not shown)\n")


def test_what_was_mended_is_stale_until_it_is_taken_out(wrong: Path, mqlint: Mqlint) -> None:
    mqlint("baseline", "create")
    (wrong / "QMONE" / "a.mqsc").write_text("DEFINE QLOCAL(APP.ONE)\n")
    (wrong / "QMTWO" / "b.mqsc").write_text(WRONG.format("NEW"))
    words = ("--baseline", BASELINE)
    stale = "VOC002 unknown-attribute QMONE qlocal APP.ONE QMONE/a.mqsc"
    done = mqlint("check", *words)
    assert "baseline entries that no longer match a finding: 1" in done.output
    assert f"stale: {stale}" in done.output
    assert report(mqlint, *words)["compared"][0]["stale"][0]["path"] == "QMONE/a.mqsc"
    assert "stale" not in mqlint("check", "QMTWO", *words).output
    assert "stale" not in mqlint("check", *words, "--ignore", "VOC002").output
    done = mqlint("baseline", "show")
    assert done.output.splitlines()[1:] == ["2 findings recorded, 1 stale", f"stale: {stale}"]
    done = mqlint("baseline", "update")
    assert f"{BASELINE}: 1 finding removed, 0 added, 1 recorded" in done.output
    assert "1 new finding not recorded" in done.output
    assert mqlint("check", *words).exit_code == 1
    mqlint("baseline", "update", "--add")
    assert mqlint("check", *words).exit_code == 0


def test_update_without_a_change_leaves_the_file_as_it_was(wrong: Path, mqlint: Mqlint) -> None:
    mqlint("baseline", "create")
    before = (wrong / BASELINE).read_bytes()
    mqlint("baseline", "update", "--add")
    assert (wrong / BASELINE).read_bytes() == before


def test_entries_of_rules_that_do_not_run_stay(wrong: Path, mqlint: Mqlint) -> None:
    mqlint("baseline", "create")
    before = (wrong / BASELINE).read_bytes()
    with (wrong / "mqlint.yaml").open("a") as config:
        config.write("severity: {VOC002: off}\n")
    mqlint("baseline", "update")
    assert (wrong / BASELINE).read_bytes() == before


def test_what_is_suppressed_is_not_recorded(wrong: Path, mqlint: Mqlint) -> None:
    waive(wrong, "rule: VOC002, object: APP.ONE")
    mqlint("baseline", "create")
    assert "APP.ONE" not in (wrong / BASELINE).read_text()
    waive(wrong)
    assert mqlint("check", "--baseline", BASELINE).exit_code == 1


def test_a_baseline_is_not_written_over(wrong: Path, mqlint: Mqlint) -> None:
    mqlint("baseline", "create")
    done = mqlint("baseline", "create")
    assert done.exit_code == 2
    assert "already exists" in done.stderr
    assert mqlint("baseline", "create", "--force").exit_code == 0
    for word in ("update", "show"):
        done = mqlint("baseline", word, "--baseline", "gone.json")
        assert done.exit_code == 2
        assert "gone.json does not exist: create it with mqlint baseline create" in done.stderr


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b'{"version": 9, "findings": []}'])
def test_a_file_that_is_no_baseline_is_refused(wrong: Path, mqlint: Mqlint, data: bytes) -> None:
    (wrong / BASELINE).write_bytes(data)
    done = mqlint("check", "--baseline", BASELINE)
    assert done.exit_code == 2
    assert re.match(f"Error: cannot use {BASELINE}: it(s version)? is not ", done.stderr)
    done = mqlint("check", "--baseline", "gone.json")
    assert "cannot read gone.json: no such file" in done.stderr


def test_no_secret_gets_into_a_baseline(project: Path, mqlint: Mqlint) -> None:
    text = "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASSWORD('swordfish') PASWORD('swordfish') FOO(1)\n"
    (project / "a.mqsc").write_text(text)
    mqlint("baseline", "create")
    assert "A.B" in (project / BASELINE).read_text()
    assert "swordfish" not in (project / BASELINE).read_text()


@pytest.mark.slow
def test_the_example_estate_can_be_recorded(project: Path, mqlint: Mqlint) -> None:
    shutil.copytree(ESTATE, project, dirs_exist_ok=True)
    assert mqlint("check").exit_code == 1
    mqlint("baseline", "create")
    found = report(mqlint, "--baseline", BASELINE, "--fail-on", "note")
    assert found["findings"] == []
    assert len(found["known"]) == len(report(mqlint)["findings"])
    assert found["compared"][0]["stale"] == []


lines = st.sampled_from(
    [
        WRONG.format("A"),
        WRONG.format("B"),
        "DEFINE QLOCAL(APP.A)\n",
        "DEFIN QLOCAL(X)\n",
        "* mqlint: ignore[VOC002] agreed\n",
        "* mqlint: ignore[NONE]\n",
        "DEFINE QALIAS(AL) TARGET(GONE)\n",
        "ALTER QLOCAL(APP.A) DESCR('open\n",
    ]
)
names = st.sampled_from(["QM1/a.mqsc", "QM1/b.mqsc", "QM2/a.mqsc", "loose.mqsc", "other.mqsc"])
projects = st.dictionaries(names, st.lists(lines, max_size=6), min_size=1)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None
)
@given(projects)
@pytest.mark.slow
def test_nothing_is_new_after_create(
    project: Path, mqlint: Mqlint, given_files: dict[str, list[str]]
) -> None:
    for old in project.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    (project / "mqlint.yaml").write_text('queue_managers: "{queue_manager}/*"\n')
    write(project, {name: "".join(text) for name, text in given_files.items()})
    assert mqlint("baseline", "create").exit_code == 0
    done = mqlint("check", "--baseline", BASELINE, "--fail-on", "note", "-q")
    assert (done.exit_code, done.output) in ((0, ""), (3, ""))
