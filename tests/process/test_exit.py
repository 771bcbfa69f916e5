"""What SARIF says of a run is true: whether it did what was asked, and why it ends as it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.process.runs import BAD, GOOD, SCRIPT, environment, run

pytestmark = pytest.mark.slow

NOTHING = "no finding at or above the threshold"
SOMETHING = "a finding at or above the threshold exists"
RUNS: dict[str, tuple[str, str, int, str, bool]] = {
    "clean": (GOOD, "", 0, NOTHING, True),
    "a finding": (BAD, "", 1, SOMETHING, True),
    "never fails": (BAD, "--fail-on never", 0, NOTHING, True),
    "exit zero": (BAD, "--exit-zero", 0, f"{SOMETHING}; --exit-zero was given", True),
    "too little understood": (
        "FOO\n" + GOOD,
        "--min-coverage 90 --fail-on never",
        1,
        "2 of 3 commands understood (66.6 %), --min-coverage requires 90 %",
        True,
    ),
    "nothing recognised": (
        "hello\n",
        "",
        3,
        "no file was recognised in the searched folders; name the files, or their folder",
        False,
    ),
}


@pytest.mark.parametrize("case", RUNS.values(), ids=RUNS.keys())
def test_what_sarif_says_of_the_run(
    case: tuple[str, str, int, str, bool], tmp_path: Path, home: Path
) -> None:
    text, words, status, why, done_well = case
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ("a.txt" if status == 3 else "a.mqsc")).write_text(text)
    command = [str(SCRIPT), "check", ".", "--format", "sarif", *words.split()]
    done = run(command, folder, environment(home))
    (invocation,) = json.loads(done.stdout)["runs"][0]["invocations"]
    assert done.returncode == status == invocation["exitCode"]
    assert invocation["exitCodeDescription"] == why
    assert invocation["executionSuccessful"] is done_well


def test_a_file_that_is_not_read_is_no_success(tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.mqsc").symlink_to("nowhere.mqsc")
    (folder / "b.mqsc").write_text(GOOD)
    done = run(
        [str(SCRIPT), "check", "a.mqsc", "b.mqsc", "--format", "sarif"], folder, environment(home)
    )
    (invocation,) = json.loads(done.stdout)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [notification["level"] for notification in invocation["toolExecutionNotifications"]] == [
        "error"
    ]
    assert invocation["exitCode"] == done.returncode
