"""What scans and caches leave: for the eyes of their owner, and trusted from nobody else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mqlint.config.cache import sealed
from tests.estate.estates import run as command
from tests.files import git
from tests.process.runs import SCRIPT, environment, forbid_nothing, open_to_others, run

pytestmark = pytest.mark.slow

ENGINES = ["process", pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.long])]
"""`make test` checks what Spark leaves in `test_imports.py`, after a scan that is made there."""

NOT_USED = "is not used: it must be a folder of yours that nobody else may write to"


def scanned(checkout: Path, home: Path, out: Path) -> tuple[str, str]:
    """Scan in this process; return the report, and what else is printed."""
    words = ("estate", "scan", ".", "--quiet", "--engine=process", "--out", out, "--format=json")
    done = command(*words, cwd=checkout, MQLINT_CACHE_DIR=str(home / "cache"))
    assert done.exit_code in (0, 1), done.output
    return done.stdout, done.stderr


@pytest.mark.parametrize("engine", ENGINES)
def test_only_the_owner_may_read_what_a_scan_leaves(
    engine: str, checkout: Path, home: Path, tmp_path: Path
) -> None:
    """Scans with an umask that forbids nothing: the second one finds what the first left."""
    out = tmp_path / "deep" / "out"
    words = ["estate", "scan", ".", "--quiet", "--engine", engine, "--out", str(out)]
    words += ["--sarif", str(out / "sarif")]
    for _ in range(2):
        done = run([str(SCRIPT), *words], checkout, environment(home), setup=forbid_nothing)
        assert done.returncode in (0, 1), done.stderr
    assert len([*out.rglob("*")]) > 30
    assert open_to_others(out) == []


def _others_may_write(cache: Path) -> None:
    cache.chmod(0o777)


def _a_link(cache: Path) -> None:
    cache.rename(cache.with_name("elsewhere"))
    cache.symlink_to("elsewhere")


def _of_another_user(cache: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root may give a folder away")
    os.chown(cache, 12345, -1)


@pytest.mark.parametrize("spoil", [_others_may_write, _a_link, _of_another_user])
def test_a_cache_that_others_may_write_to_is_not_used(
    spoil: Callable[[Path], None], checkout: Path, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    wanted, _ = scanned(checkout, home, out)
    before = {path: path.read_bytes() for path in (out / "cache").rglob("*") if path.is_file()}
    spoil(out / "cache")
    report, said = scanned(checkout, home, out)
    assert report == wanted
    assert NOT_USED in said
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("spoil", [_others_may_write, _of_another_user])
def test_nor_is_a_file_in_it(
    spoil: Callable[[Path], None], checkout: Path, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    wanted, _ = scanned(checkout, home, out)
    for path in (out / "cache").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"INVOICES", b"PLANTED!"))
            spoil(path)
    report, said = scanned(checkout, home, out)
    assert (report, said) == (wanted, "")


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "a digit": lambda data: data[:200] + data[200:].replace(b"1", b"2"),
    "a list": lambda data: data.split(b'"value": ')[0] + b'"value": []}\n',
    "a number": lambda data: data.split(b'"value": ')[0] + b'"value": 7}\n',
    "nothing in it": lambda data: data.split(b'"value": ')[0] + b'"value": {}}\n',
    "another word": lambda data: data.replace(b"MAXDEPTH", b"MAXDEPHT"),
    "no text": lambda data: b"\xff" * len(data),
}


def test_a_cache_that_was_damaged_is_made_again(checkout: Path, home: Path) -> None:
    words = ("check", ".", "--format", "json")
    wanted = run([str(SCRIPT), *words], checkout, environment(home)).stdout
    assert json.loads(wanted)["findings"]
    files = [path for path in (home / "cache").iterdir() if path.is_file()]
    assert len(files) >= 3
    whole = {path: path.read_bytes() for path in files}
    for kind, damage in DAMAGE.items():
        for path, data in whole.items():
            path.write_bytes(damage(data))
        done = run([str(SCRIPT), *words], checkout, environment(home))
        assert (done.returncode, done.stdout, done.stderr) == (1, wanted, ""), kind


@pytest.mark.parametrize("top", [".", ".cache", ".cache/mqlint"])
def test_a_cache_that_a_change_brings_is_not_used(top: str, checkout: Path, home: Path) -> None:
    """XDG_CACHE_HOME is in the checkout, as of pipelines that keep caches between jobs.

    The cache may also be in a submodule, or be one.
    """
    words = ("check", ".", "--format", "json")
    variables = environment(home, XDG_CACHE_HOME=str(checkout / ".cache"))
    del variables["MQLINT_CACHE_DIR"]

    def findings() -> object:
        return json.loads(run([str(SCRIPT), *words], checkout, variables).stdout)["findings"]

    wanted = findings()
    [file] = (checkout / ".cache").glob("mqlint/vocabulary-mqsc.json")
    key = json.loads(file.read_bytes())["key"]
    file.write_bytes(
        sealed(key, json.loads(file.read_text().replace("MAXDEPTH", "MAXDEPHT"))["value"])
    )
    assert findings() != wanted
    if top != ".":
        git("init", "-q", cwd=checkout / top)
    git("add", "--force", file, cwd=checkout / top)
    assert findings() == wanted
