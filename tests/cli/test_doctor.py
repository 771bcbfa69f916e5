"""What is told of the installation, the configuration and the files."""

from __future__ import annotations

from pathlib import Path

from mqlint import __version__
from tests.cli.conftest import Mqlint


def test_what_would_be_checked_is_shown(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    (project / "qm.ini").write_text("Log:\n   LogType=LINEAR\n")
    (project / "notes.md").write_text("# Notes\n")
    (project / "mqlint.yaml").write_text("profiles: [production]\n")
    done = mqlint("doctor")
    said = done.stdout
    assert done.exit_code == 0
    assert said.startswith(f"mqlint {__version__} in ")
    assert "configuration: mqlint.yaml" in said
    assert "profiles: production" in said
    assert "2 files checked: mqsc 1, ini 1" in said
    assert "1 file not recognised" in said
    assert "MAXDEPHT" not in said


def test_each_project_is_shown(mqlint: Mqlint, project: Path) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "mqlint.yaml").write_text("profiles: [production]\n")
        (project / name / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    done = mqlint("doctor", "one", "two")
    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if line.startswith("configuration: ")] == [
        "configuration: one/mqlint.yaml",
        "configuration: two/mqlint.yaml",
    ]
