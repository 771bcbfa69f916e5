"""What a checkout can make mqlint read: files of the checkout, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.files import git
from tests.process.runs import SCRIPT, environment, run

pytestmark = pytest.mark.slow

SECRET = "DEFINE QLOCAL(HUNTER2) NOSUCH(1)\n"


def _renamed_entry(checkout: Path, name: str) -> None:
    """Put an entry with a name that git would refuse into the index."""
    stand_in = "x" * len(name)
    content = git("hash-object", "-w", "bad.mqsc", cwd=checkout)
    git("update-index", "--add", "--cacheinfo", f"100644,{content},{stand_in}", cwd=checkout)
    index = checkout / ".git" / "index"
    data = index.read_bytes()[:-20].replace(stand_in.encode(), name.encode())
    index.write_bytes(data + hashlib.sha1(data, usedforsecurity=False).digest())


def _parent(checkout: Path) -> None:
    _renamed_entry(checkout, "../outside.mqsc")


def _absolute(checkout: Path) -> None:
    _renamed_entry(checkout, str(checkout.parent / "outside.mqsc"))


def _in_git(checkout: Path) -> None:
    (checkout / ".git" / "secret.mqsc").write_text(SECRET)
    _renamed_entry(checkout, ".git/secret.mqsc")


def _behind_a_link(checkout: Path) -> None:
    (checkout / "link").symlink_to("..")
    content = git("hash-object", "-w", "bad.mqsc", cwd=checkout)
    git("update-index", "--add", "--cacheinfo", f"100644,{content},link/outside.mqsc", cwd=checkout)


def _link_to_git(checkout: Path) -> None:
    (checkout / ".git" / "secret.mqsc").write_text(SECRET)
    (checkout / "innocent.mqsc").symlink_to(".git/secret.mqsc")


def _link_outside(checkout: Path) -> None:
    (checkout / "innocent.mqsc").symlink_to("../outside.mqsc")


def _other_work_tree(checkout: Path) -> None:
    git("config", "core.worktree", str(checkout.parent), cwd=checkout)


def _git_elsewhere(checkout: Path) -> None:
    other = checkout.parent / "other"
    (checkout / ".git").rename(other)
    git("config", "core.worktree", str(other.parent), cwd=other)
    (checkout / ".git").write_text(f"gitdir: {other}\n")


@pytest.mark.parametrize(
    "craft",
    [
        _parent,
        _absolute,
        _in_git,
        _behind_a_link,
        _link_to_git,
        _link_outside,
        _other_work_tree,
        _git_elsewhere,
    ],
    ids=lambda craft: craft.__name__.strip("_"),
)
def test_nothing_outside_is_read(craft: Callable[[Path], None], checkout: Path, home: Path) -> None:
    (checkout.parent / "outside.mqsc").write_text(SECRET)
    craft(checkout)
    env = environment(home)
    created = run([str(SCRIPT), "baseline", "create"], checkout, env)
    checked = run([str(SCRIPT), "check", ".", "--format", "json"], checkout, env)
    written = checkout / "mqlint-baseline.json"
    texts = [created.stdout, created.stderr, checked.stdout, checked.stderr, written.read_text()]
    assert not [text for text in texts if "HUNTER2" in text or "NOSUCH" in text]
    if craft is not _git_elsewhere:  # whose git says that there are no files
        assert json.loads(checked.stdout)["coverage"]["files"]["checked"] == 5
