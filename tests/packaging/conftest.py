"""What git tracks, as a folder of its own to build from, and the release built from it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.files import write

ROOT = Path(__file__).parent.parent.parent

Run = Callable[..., "subprocess.CompletedProcess[str]"]

_NOT_COMPILED = {"PIP_NO_COMPILE": "0"}
"""pip takes a no for a yes here. Most modules that it would compile are not imported."""


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    # Of a hook that runs these tests, git's own variables would name the wrong repository.
    variables = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**variables, **_NOT_COMPILED, **extra}


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a command and return what it wrote; by default a status other than 0 fails the test."""

    def run(
        *command: str | Path, cwd: Path, status: int | None = 0, **env: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env=_environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=1800,
            check=False,
        )
        assert status is None or done.returncode == status, done.stdout + done.stderr
        return done

    return run


def new_environment(folder: Path, run: Run) -> tuple[Path, list[str | Path]]:
    """Make an empty environment in a folder; return its commands, and the words of its pip.

    It is pip of this environment that installs: to put a pip into each takes four seconds.
    """
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    options = ("--disable-pip-version-check", "--python", commands / "python")
    return commands, [sys.executable, "-m", "pip", *options]


@pytest.fixture(scope="session")
def tracked(run: Run) -> list[str]:
    """The files git tracks, less those deleted and not yet committed as such."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout: what should be shipped is not known")
    listed = run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    return [name for name in listed if name and (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def tree(tracked: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked files: nothing untracked can help, nothing built is left behind."""
    folder = tmp_path_factory.mktemp("tree")
    for name in tracked:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


STALE = "build/lib/mqlint/policies/dr/dr999.yaml"
"""What an earlier build left in the folder that is built: a policy that was deleted since."""


def make_release(source: Path, out: Path, run: Run, **env: str) -> Path:
    """Build a release of the checkout in `source` into `out`."""
    run(sys.executable, source / ".ci" / "release.py", source, out, cwd=source, **env)
    return out


@pytest.fixture(scope="session")
def release(tree: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of the tracked files, built where an earlier build left something."""
    source = Path(shutil.copytree(tree, tmp_path_factory.mktemp("source") / "tree"))
    write(source, {STALE: "id: DR999\n"})
    return make_release(source, tmp_path_factory.mktemp("release") / "dist", run)


@pytest.fixture(scope="session")
def wheel(release: Path) -> Path:
    """The wheel of the release."""
    return next(release.glob("mqlint-*.whl"))
