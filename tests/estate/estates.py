"""Repositories of every kind, and what a scan of some of them reports."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result

from mqlint.cli import main
from tests.files import git, write
from tests.policy.making import policy

Files = Mapping[str, str]

DEEP = policy(
    id="ACME001",
    name="too-deep",
    summary="A deep queue",
    check={"attributes": {"MAXDEPTH": {"le": 10}}},
    message="{name} is deep",
)
TWICE = policy(
    id="ACME002",
    name="said-twice",
    summary="Two queue managers have a queue of one name",
    check={
        "grouped": {
            "by": "name",
            "between": "queue_manager",
            "within": "estate",
            "distinct": {"queue_manager": {"max": 1}},
        }
    },
    message="{name} is at {others.queue_manager} too",
)
"""Policies of a repository: one that judges each queue, and one that compares queue managers."""


def as_folder(folder: Path, files: Files) -> Path:
    return write(folder, files)


def as_mirror(folder: Path, files: Files) -> Path:
    work = write(folder.with_name(f"{folder.name}-work"), files)
    git("init", "-q", cwd=work)
    git("add", "-A", cwd=work)
    git("commit", "-q", "-m", "x", cwd=work)
    git("clone", "-q", "--bare", work, folder, cwd=work)
    return folder


def as_tape(folder: Path, files: Files) -> Path:
    work = write(folder.with_name(f"{folder.name}-work"), files)
    archive = folder.with_name(f"{folder.name}.tar.xz")
    with tarfile.open(archive, "w:xz") as tape:
        for path in files:
            tape.add(work / path, path)
    return archive


def as_zip(folder: Path, files: Files) -> Path:
    archive = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(archive, "w") as zipped:
        for path, text in files.items():
            zipped.writestr(path, text)
    return archive


KINDS = {"folder": as_folder, "mirror": as_mirror, "tape": as_tape, "zip": as_zip}
Kind = Callable[[Path, Files], Path]


@dataclass(frozen=True)
class Scanned:
    """What a scan reports, and what it says."""

    report: dict[str, list[dict[str, object]]]
    said: str
    status: int

    @property
    def found(self) -> list[tuple[object, ...]]:
        """Path, rule and words of each finding."""
        return sorted(
            (finding["path"], finding["rule"], finding["message"])
            for finding in self.report["findings"]
        )

    def of(self, rule: str) -> list[object]:
        return [path for path, found, _ in self.found if found == rule]

    @property
    def unread(self) -> dict[str, str]:
        """Why files were not read."""
        rows = self.report["coverage"]["not_checked"]  # type: ignore[call-overload]
        return {row["path"]: row["reason"] for row in rows if row["status"] == "unreadable"}


def run(*words: str | Path, cwd: Path, **changes: str) -> Result:
    """Run a command in this process, in a folder, on a terminal of 100 columns.

    `changes` are variables of the environment.
    """
    with chdir(cwd):
        return CliRunner(env={"COLUMNS": "100", **changes}).invoke(main, [*map(str, words)])


def scanned(place: Path, *entries: str, words: tuple[str, ...] = ()) -> Scanned:
    """A scan of an estate of entries, in one process."""
    estate = place / "estate.yaml"
    estate.write_text("repositories:\n" + "".join(f"  - {entry}\n" for entry in entries))
    report = place / "report.json"
    options = ("--engine=process", "--quiet", "--exit-zero", "--format=text")
    command = ["estate", "scan", estate, "--out", place / "out", f"--format=json={report}"]
    done = CliRunner(env={"COLUMNS": "1000"}).invoke(main, [*map(str, command), *options, *words])
    assert done.exit_code in (0, 2), done.output
    if done.exit_code:
        return Scanned({}, done.output, done.exit_code)
    return Scanned(json.loads(report.read_text()), done.output, 0)
