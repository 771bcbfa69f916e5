"""The script of the GitHub Action, run by bash in checkouts such as a runner makes."""

from __future__ import annotations

import configparser
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from tests.packaging.conftest import ROOT, Run
from tests.packaging.test_pre_commit import BAD, GOOD, IDENTITY

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash"),
]

Act = Callable[..., str]


def step_named(name: str) -> dict[str, Any]:
    steps = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]
    return next(step for step in steps if step.get("name") == name)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled rules of all runs: compiling them takes longer than a run."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def act(run: Run, tmp_path: Path, cache: Path) -> Act:
    """Runs the action's check in a checkout; returns what it printed."""
    check = step_named("Run mqlint check")
    script = tmp_path / "step.sh"
    script.write_text(check["run"])
    program = tmp_path / "mqlint" / "bin" / "mqlint"
    program.parent.mkdir(parents=True)
    python = f"exec '{sys.executable}' -c 'from mqlint.cli import main; main()' \"$@\"\n"
    program.write_text(f"#!/bin/sh\n{python}")
    program.chmod(0o755)
    variables = dict.fromkeys(check["env"], "")

    def step(checkout: Path, status: int, **given: str) -> str:
        env = {**variables, "MQLINT_PATHS": ".", "RUNNER_TEMP": str(tmp_path), **given}
        env |= {"PYTHONPATH": str(ROOT), "MQLINT_CACHE_DIR": str(cache)}
        command = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
        return run(*command, cwd=checkout, status=status, **env).stdout

    return step


PLANTED = (
    *("venv", "pip", "ensurepip", "setuptools", "mqlint", "click", "yaml", "lark", "json", "re"),
    *("multiprocessing", "subprocess", "sitecustomize", "usercustomize", "site"),
)


def test_nothing_of_the_checkout_runs(run: Run, tree: Path, tmp_path: Path) -> None:
    checkout, temp, trace = (tmp_path / name for name in ("a checkout", "runner temp", "trace"))
    temp.mkdir()
    for name in PLANTED:
        for folder in (checkout, checkout / "sub"):
            (folder / name).mkdir(parents=True)
            source = f"open({str(trace)!r}, 'a').write(__name__)\n"
            (folder / name / "__init__.py").write_text(source)
            (folder / name / "__main__.py").write_text(source)
    (checkout / "sub" / "bad.mqsc").write_text(BAD)
    # As a workflow may have them, for all of its steps.
    given = {"PYTHONPATH": f"{checkout}:.:", "PATH": f"{Path(sys.executable).parent}:{os.defpath}"}
    given |= {"RUNNER_TEMP": str(temp), "MQLINT_CACHE_DIR": str(tmp_path / "cache")}
    for step, more in (
        (step_named("Install mqlint"), {"MQLINT_SOURCE": str(tree)}),
        (
            step_named("Run mqlint check"),
            {"MQLINT_PATHS": "sub", "MQLINT_ARGS": "--jobs 2 --format github"},
        ),
    ):
        own = {name: text for name, text in step["env"].items() if "${{" not in text}
        others = dict.fromkeys(step["env"].keys() - own.keys(), "")
        script = tmp_path / "step.sh"
        script.write_text(step["run"])
        command = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
        done = run(*command, cwd=checkout, status=None, **{**given, **others, **own, **more})
    assert (done.returncode, done.stdout.count("::error file=sub/bad.mqsc")) == (1, 1), done.stderr
    assert not trace.exists()


@pytest.fixture
def pull_request(run: Run, tmp_path: Path) -> tuple[Path, str]:
    """A shallow checkout of a merge that is tried, and the commit its branch was made from.

    What the branch goes into has a finding of its own since then, which the branch has not.
    """
    origin = tmp_path / "origin"
    origin.mkdir()

    def git(*words: str) -> str:
        return run("git", *words, cwd=origin, **IDENTITY).stdout.strip()

    def commit(name: str, text: str) -> str:
        (origin / name).write_text(text)
        git("add", "--all")
        git("commit", "--quiet", "-m", name)
        return git("rev-parse", "HEAD")

    git("init", "--quiet", "--initial-branch=main")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    start = commit("old.mqsc", BAD)
    git("checkout", "--quiet", "-b", "change")
    commit("new.mqsc", GOOD + BAD.replace("ORDERS.IN", "NEW"))
    git("checkout", "--quiet", "main")
    commit("meanwhile.mqsc", BAD.replace("ORDERS.IN", "MEANWHILE"))
    git("merge", "--quiet", "--no-ff", "-m", "try", "change")
    run(
        "git",
        "clone",
        "--quiet",
        "--depth=1",
        f"file://{origin}",
        tmp_path / "checkout",
        cwd=origin,
    )
    return tmp_path / "checkout", start


def test_a_pull_request_is_told_what_it_brings(act: Act, pull_request: tuple[Path, str]) -> None:
    checkout, start = pull_request
    said = act(checkout, 1, MQLINT_DIFF="base", MQLINT_BASE=start, MQLINT_ARGS="--format github")
    assert said.count("::error file=new.mqsc,line=2") == 1
    assert said.endswith("mqlint: 1 error (2 known before not shown)\n")


def test_the_plan_of_a_pull_request_is_added_to_the_summary(
    act: Act, pull_request: tuple[Path, str], tmp_path: Path
) -> None:
    checkout, start = pull_request
    summary = tmp_path / "summary.md"
    given = {"MQLINT_PLAN": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    act(checkout, 1, MQLINT_DIFF="base", MQLINT_BASE=start, **given)
    assert "- file new.mqsc: only in B" in summary.read_text()
    summary.unlink()
    assert "::warning::" not in act(checkout, 1, **given)
    assert not summary.exists()


def test_elsewhere_all_findings_are_told(act: Act, pull_request: tuple[Path, str]) -> None:
    said = act(pull_request[0], 1, MQLINT_DIFF="base", MQLINT_ARGS="--format github")
    assert said.endswith("mqlint: 3 errors\n")


def test_a_commit_may_be_named(act: Act, pull_request: tuple[Path, str]) -> None:
    assert act(pull_request[0], 0, MQLINT_DIFF="HEAD").startswith("No new findings")


def test_no_input_is_read_as_a_command(act: Act, pull_request: tuple[Path, str]) -> None:
    checkout = pull_request[0]
    evil = "$(touch proof); touch proof; *"
    act(checkout, 2, MQLINT_DIFF=evil)
    act(checkout, 2, MQLINT_ARGS=evil, MQLINT_PATHS=evil)
    assert not (checkout / "proof").exists()


def test_a_path_may_have_blanks(act: Act, pull_request: tuple[Path, str]) -> None:
    checkout = pull_request[0]
    (checkout / "two words").mkdir()
    (checkout / "two words" / "a b.mqsc").write_text(BAD)
    (checkout / "good.mqsc").write_text(GOOD)
    said = act(checkout, 1, MQLINT_PATHS="two words\r\ngood.mqsc\n", MQLINT_ARGS="--format=concise")
    assert said.startswith("two words/a b.mqsc:1:34: error")
    assert said.endswith("1 error in 1 file.\n")


def test_findings_are_written_for_the_upload_and_shown(
    act: Act, pull_request: tuple[Path, str], tmp_path: Path
) -> None:
    assert "3 errors in 3 files." in act(pull_request[0], 1, MQLINT_SARIF="true")
    written = json.loads((tmp_path / "mqlint.sarif").read_text())
    assert len(written["runs"][0]["results"]) == 3


def test_what_the_action_installs_is_what_the_package_needs() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    needed = [Requirement(line) for line in setup["options"]["install_requires"].split()]
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    pinned = {
        name: Version(version.split()[0])
        for name, mark, version in (line.partition("==") for line in lines if line[0] not in "# ")
        if mark
    }
    for requirement in needed:
        assert requirement.specifier.contains(pinned[requirement.name.lower()])
