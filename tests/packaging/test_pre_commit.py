"""The hook of this checkout, run by the real pre-commit in a repository of its own."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.files import write
from tests.packaging.conftest import Run

pytestmark = pytest.mark.slow

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}
GOOD = "DEFINE QLOCAL(ORDERS.IN) REPLACE MAXDEPTH(5000)\n"
BAD = "DEFINE QLOCAL(ORDERS.IN) REPLACE MAXDEPHT(5000)\n"

Hook = Callable[[dict[str, str], int], str]


def repository(folder: Path, run: Run) -> str:
    """Make `folder` a git repository of one commit, and return the commit."""
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", "--force", cwd=folder)
    run("git", "commit", "--quiet", "--no-verify", "-m", "all", cwd=folder, **IDENTITY)
    return run("git", "rev-parse", "HEAD", cwd=folder).stdout.strip()


@pytest.fixture(scope="module")
def hook(tree: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Hook:
    """Commit files (name: text) to a fresh repository and run the hook, which ends with a status.

    Returns what pre-commit wrote. The hook's environment is built once, by pip.
    """
    source = tmp_path_factory.mktemp("source") / "mqlint"
    shutil.copytree(tree, source)
    commit = repository(source, run)
    home = tmp_path_factory.mktemp("pre-commit")
    configuration = f"repos:\n- repo: {source}\n  rev: {commit}\n  hooks:\n  - id: mqlint\n"

    def commit_and_check(files: dict[str, str], status: int) -> str:
        folder = tmp_path_factory.mktemp("project")
        write(folder, {**files, ".pre-commit-config.yaml": configuration})
        repository(folder, run)
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"]
        done = run(*command, cwd=folder, status=status, PRE_COMMIT_HOME=str(home))
        return done.stdout

    return commit_and_check


def test_good_file_passes(hook: Hook) -> None:
    assert "Passed" in hook({"prod/queues.mqsc": GOOD}, 0)


def test_bad_file_fails_with_its_finding(hook: Hook) -> None:
    said = hook({"prod/queues.mqsc": BAD, "prod/other.mqsc": GOOD}, 1)
    assert "prod/queues.mqsc:1:34" in said
    assert "MAXDEPHT" in said


def test_what_a_name_does_not_tell_is_found_by_its_content(hook: Hook) -> None:
    manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mq}\ndata:\n  a.mqsc: |\n    "
    said = hook({"k8s/mq.yaml": manifest + BAD, "k8s/other.yaml": "a: 1\n", "Dockerfile": ""}, 1)
    assert "k8s/mq.yaml:6:" in said
    assert "other.yaml" not in said


def test_a_warning_is_seen_though_the_hook_passes(hook: Hook) -> None:
    said = hook({"prod/queues.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(10)\nDEFINE QLOCAL(B) +\n"}, 0)
    assert "warning" in said or "note" in said


def test_other_files_are_not_named(hook: Hook) -> None:
    assert "0 files checked, 1 without MQ configuration" in hook({"notes.md": BAD}, 0)
