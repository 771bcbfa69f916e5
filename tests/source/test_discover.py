"""Which files are found, in checkouts and elsewhere, whatever they are called."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.source.discover import ELSEWHERE, LEADS_NOWHERE, LEADS_OUT, Discovery, discover
from mqlint.source.display import display_path
from tests.files import git, write

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def _files(root: Path, *names: str) -> None:
    write(root, {name: name for name in names})


def _commit(folder: Path) -> None:
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "x", "--no-verify", cwd=folder)


def _find(root: Path, *targets: str, exclude: Sequence[str] = ()) -> Discovery:
    return discover(targets, root, exclude=exclude, base=root)


def _shown(found: Discovery, root: Path) -> list[str]:
    return [display_path(path, root) for path in found.files]


def test_a_folder_outside_git_gives_all_but_junk(tmp_path: Path) -> None:
    _files(tmp_path, "b/x.mqsc", "a.ini", "b/.hidden", ".svn/y", "node_modules/z", "b/.venv/k")
    found = _find(tmp_path, ".")
    assert _shown(found, tmp_path) == ["a.ini", "b/.hidden", "b/x.mqsc"]
    assert found.named == frozenset()


def test_named_files_are_told_from_found_ones(tmp_path: Path) -> None:
    _files(tmp_path, "a/x", "a/y")
    found = _find(tmp_path, "a/x", "a", "./a/../a/x", str(tmp_path / "a"))
    assert _shown(found, tmp_path) == ["a/x", "a/y"]
    assert found.named == {tmp_path / "a" / "x"}


def test_patterns(tmp_path: Path) -> None:
    _files(tmp_path, "prod/x.mqsc", "prod/a/y.mqsc", "prod/a/y.sh", "dr/z.mqsc", "pr[o]d/q.mqsc")
    found = _find(tmp_path, "prod/**/*.mqsc", "**/z.*", str(tmp_path / "pr*" / "q.mqsc"))
    assert _shown(found, tmp_path) == [
        "dr/z.mqsc",
        "pr[o]d/q.mqsc",
        "prod/a/y.mqsc",
        "prod/x.mqsc",
    ]
    assert found.named == frozenset()
    assert _find(tmp_path, "pr[o]d/q.mqsc").named == {tmp_path / "pr[o]d" / "q.mqsc"}


def test_what_is_missing_is_said_as_it_was_written(tmp_path: Path) -> None:
    _files(tmp_path, "a/x")
    found = _find(tmp_path, "gone", "a/*.mqsc", "gone", "a[", "no/such/*", "a\0", "a/x")
    assert found.missing == ("gone", "a/*.mqsc", "a[", "no/such/*", "a\0")
    assert _shown(found, tmp_path) == ["a/x"]
    (tmp_path / "empty").mkdir()
    assert _find(tmp_path, "empty") == Discovery((), frozenset(), ())


def test_exclusions_hold_for_what_is_found_and_for_what_is_named(tmp_path: Path) -> None:
    _files(tmp_path, "a/x", "a/old/y", "b/x.bak", "keep/old.mqsc")
    found = _find(tmp_path, ".", "b/x.bak", exclude=["a/old", "*.bak"])
    assert _shown(found, tmp_path) == ["a/x", "keep/old.mqsc"]
    assert found.excluded == (tmp_path / "b" / "x.bak",)


def test_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    _files(tmp_path, "outside/secret", "root/prod/x.mqsc")
    (root / "dr").mkdir()
    (root / "dr" / "x.mqsc").symlink_to("../prod/x.mqsc")
    (root / "dr" / "up").symlink_to(root)
    (root / "dr" / "loop").symlink_to("loop")
    (root / "dr" / "broken").symlink_to("nowhere")
    (root / "dr" / "secret").symlink_to(tmp_path / "outside" / "secret")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out2").symlink_to(tmp_path / "nothing")
    found = _find(root, ".")
    assert _shown(found, root) == ["dr/x.mqsc", "prod/x.mqsc"]
    noted = {display_path(path, root): reason for path, reason in found.leading_out.items()}
    nowhere = dict.fromkeys(("dr/loop", "dr/broken"), LEADS_NOWHERE)
    assert noted == {**nowhere, **dict.fromkeys(("dr/secret", "out", "out2"), LEADS_OUT)}
    named = _find(root, "dr/secret", "dr/broken", "dr/loop")
    assert _shown(named, root) == ["dr/broken", "dr/loop", "dr/secret"]
    assert named.missing == ()


@pytest.mark.parametrize(
    ("targets", "noted"),
    [
        (["prod"], {"prod/to", "prod/twin"}),
        (["prod/**/*.mqsc"], {"prod/to", "prod/twin"}),
        (["prod", "dr/a"], {"prod/to"}),
        (["prod", "dr"], set()),
        (["."], set()),
    ],
)
def test_links_to_folders_that_nobody_searches_are_noted(
    targets: list[str], noted: set[str], tmp_path: Path
) -> None:
    _files(tmp_path, "dr/a/x.mqsc", "prod/a/x.mqsc", "prod/b.mqsc")
    links = {"to": "../dr", "twin": "../dr/a", "here": "a", "node_modules": "../dr"}
    for name, target in links.items():
        (tmp_path / "prod" / name).symlink_to(target)
    found = _find(tmp_path, *targets)
    assert {display_path(path, tmp_path) for path in found.leading_out} == noted
    assert set(found.leading_out.values()) == ({ELSEWHERE} if noted else set())
    assert not _find(tmp_path, *targets, exclude=["to", "twin"]).leading_out
    part = discover(["prod"], tmp_path, base=tmp_path, whole=tmp_path)
    assert not part.leading_out


def test_only_regular_files_are_found(tmp_path: Path) -> None:
    _files(tmp_path, "a")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    assert _shown(_find(tmp_path, "."), tmp_path) == ["a"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_may_not_be_listed_is_found_like_a_file(tmp_path: Path) -> None:
    _files(tmp_path, "a", "closed/b")
    (tmp_path / "closed").chmod(0o000)
    try:
        assert _shown(_find(tmp_path, "."), tmp_path) == ["a", "closed"]
    finally:
        (tmp_path / "closed").chmod(0o700)


STRANGE = ["quote'\"", "line\nfeed", "tab\t", "Ж文", "back\\slash", "-dash", "a b", "*star", "[x]"]


@pytest.mark.parametrize("in_git", [False, pytest.param(True, marks=needs_git)])
def test_strange_names(tmp_path: Path, in_git: bool) -> None:
    names = [os.fsencode(name) for name in STRANGE] + [b"latin-\xe9"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x")
    if in_git:
        git("init", "-q", cwd=tmp_path)
    found = _find(tmp_path, ".")
    assert {os.fsencode(path.name) for path in found.files} == set(names)
    shown = _shown(found, tmp_path)
    assert all(name.isprintable() for name in shown)
    assert {"line\\nfeed", "Ж文", "back\\\\slash", "latin-\\xe9"} <= set(shown)


@needs_git
def test_a_checkout_gives_what_git_tracks_or_would(tmp_path: Path) -> None:
    git("init", "-q", cwd=tmp_path)
    _files(tmp_path, "kept", "gone", "forced.log", "sub/kept", ".gitignore", "moved/x")
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    git("add", "-f", "forced.log", cwd=tmp_path)
    _commit(tmp_path)
    (tmp_path / "gone").unlink()
    _files(tmp_path, "new", "sub/new", "sub/x.log", "build/dump.mqsc")
    all_of_it = [".gitignore", "forced.log", "kept", "moved/x", "new", "sub/kept", "sub/new"]
    assert _shown(_find(tmp_path, "."), tmp_path) == all_of_it
    assert _shown(_find(tmp_path, "sub"), tmp_path) == ["sub/kept", "sub/new"]
    assert _shown(_find(tmp_path, "**/new"), tmp_path) == ["new", "sub/new"]
    # An ignored folder that is named is meant, and an ignored file too.
    assert _shown(_find(tmp_path, "build"), tmp_path) == ["build/dump.mqsc"]
    assert _shown(_find(tmp_path, "sub/x.log"), tmp_path) == ["sub/x.log"]


@needs_git
def test_a_hook_of_another_checkout_does_not_mislead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", cwd=tmp_path)
    _files(tmp_path, "a", "b.log", ".gitignore")
    (tmp_path / ".gitignore").write_text("*.log\n")
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/nothing")
    assert _shown(_find(tmp_path, "."), tmp_path) == [".gitignore", "a"]


@needs_git
def test_checkouts_inside(tmp_path: Path) -> None:
    outer = tmp_path / "repos" / "one"
    _files(outer, "a", "b.log", ".gitignore", "vendored/x")
    (outer / ".gitignore").write_text("*.log\n")
    git("init", "-q", cwd=outer)
    git("init", "-q", cwd=outer / "vendored")
    # Within a checkout another one is its own affair; a folder of checkouts gives each one's files.
    assert _shown(_find(outer, "."), outer) == [".gitignore", "a"]
    assert _shown(_find(tmp_path, "."), tmp_path) == ["repos/one/.gitignore", "repos/one/a"]


@needs_git
def test_submodules_are_read(tmp_path: Path) -> None:
    library, outer = tmp_path / "library", tmp_path / "outer"
    _files(library, "a.mqsc", "deep/b.mqsc")
    _files(outer, "c.mqsc")
    for folder in (library, outer):
        git("init", "-q", cwd=folder)
        _commit(folder)
    git("submodule", "add", "-q", library, "mq/lib", cwd=outer)
    found = [".gitmodules", "c.mqsc", "mq/lib/a.mqsc", "mq/lib/deep/b.mqsc"]
    assert _shown(_find(outer, "."), outer) == found
    assert _shown(_find(outer, ".", exclude=["mq/lib"]), outer) == found[:2]
    git("submodule", "deinit", "-q", "-f", "mq/lib", cwd=outer)
    assert _shown(_find(outer, "."), outer) == found[:2]
    assert _find(outer, ".").notes == {outer: "files of these submodules are not read: mq/lib"}
    assert not _find(outer, ".", exclude=["mq/lib"]).notes


@needs_git
def test_nothing_that_a_checkout_names_is_run(tmp_path: Path) -> None:
    git("init", "-q", cwd=tmp_path)
    _files(tmp_path, "a")
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    git("config", "core.fsmonitor", str(hook), cwd=tmp_path)
    assert _shown(_find(tmp_path, "."), tmp_path) == ["a", "hook.sh"]
    assert not (tmp_path / "ran").exists()


def test_without_git_installed_everything_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    _files(tmp_path, "a")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _shown(_find(tmp_path, "."), tmp_path) == ["a"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/r/a/b.mqsc", "a/b.mqsc"),
        ("/r/a/../b", "a/../b"),
        ("/rest/a", "/rest/a"),
        ("/r", "."),
        ("a/b", "a/b"),
        ("/r/a\x1b[31m", "a\\u001b[31m"),
        ("/r/a\u202eb", "a\\u202eb"),
        ("/r/a\udce9", "a\\xe9"),
        ("/r/\U000e0001", "\\U000e0001"),
    ],
)
def test_display_path(path: str, shown: str) -> None:
    assert display_path(path, Path("/r")) == shown
    assert display_path(Path(path), Path("/r")) == shown


NAMES = st.text(st.sampled_from("a\\xn\n\udc0a\udce9\u00e9" + "9eu0"), min_size=1, max_size=6)


@given(NAMES, NAMES)
def test_two_names_never_look_the_same(one: str, other: str) -> None:
    shown = [display_path(f"/r/{name}", Path("/r")) for name in (one, other)]
    assert (shown[0] == shown[1]) is (one == other)
