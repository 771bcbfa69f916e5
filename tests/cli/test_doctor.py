"""What is told of the installation, the configuration and the files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mqlint import __version__


def doctor(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "mqlint", "doctor", "--no-cache", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_what_would_be_checked_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    (tmp_path / "qm.ini").write_text("Log:\n   LogType=LINEAR\n")
    (tmp_path / "notes.md").write_text("# Notes\n")
    (tmp_path / "mqlint.yaml").write_text("profiles: [production]\n")
    said = doctor(tmp_path)
    assert said.startswith(f"mqlint {__version__} in ")
    assert "configuration: mqlint.yaml" in said
    assert "profiles: production" in said
    assert "2 files checked: mqsc 1, ini 1" in said
    assert "1 file not recognised" in said
    assert "MAXDEPHT" not in said


def test_each_project_is_shown(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mqlint.yaml").write_text("profiles: [production]\n")
        (tmp_path / name / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    said = doctor(tmp_path, "one", "two")
    assert [line for line in said.splitlines() if line.startswith("configuration: ")] == [
        "configuration: one/mqlint.yaml",
        "configuration: two/mqlint.yaml",
    ]
