"""A checkout to run mqlint on, as a stranger may have made it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.process.checkouts import new_checkout
from tests.process.runs import GOOD, SCRIPT, environment, run


@pytest.fixture(scope="session")
def used_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The own folder of a user who has run mqlint before: its cache holds rules and vocabulary."""
    folder = tmp_path_factory.mktemp("home")
    done = run([str(SCRIPT), "check", "-"], folder, environment(folder), GOOD)
    assert (done.returncode, (folder / "cache").is_dir()) == (0, True), done.stderr
    return folder


@pytest.fixture
def home(used_home: Path, tmp_path: Path) -> Path:
    """The user's own folder: a copy of `used_home`, as filling a cache takes over a second."""
    return Path(shutil.copytree(used_home, tmp_path / "home"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of git with a configuration, and files in the top and in `sub`."""
    return new_checkout(tmp_path / "checkout")
