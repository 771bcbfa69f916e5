"""Scans in operation: what SIGTERM leaves, and the examples for schedulers."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest
import yaml
from click.testing import CliRunner

pytest.importorskip("duckdb")

from benchmarks.standalone import PATIENCE
from mqlint.cli import main
from tests.conftest import ROOT
from tests.files import write

EXAMPLES = ROOT / "examples" / "operation"
LINE = "DEFINE QLOCAL(APP.{0}) MAXDEPTH(5) DESCR('queue {0} of many')\n"


def large(folder: Path) -> Path:
    """An estate that takes some seconds."""
    text = "".join(LINE.format(number) for number in range(4000))
    return write(folder, {f"QM{number}/a.mqsc": f"{text}* {number}\n" for number in range(8)})


@pytest.mark.slow
def test_sigterm_leaves_nothing(tmp_path: Path) -> None:
    estate, out = large(tmp_path / "estate"), tmp_path / "out"
    words = ("estate", "scan", str(estate), "--engine=process", "--out", str(out))
    running = subprocess.Popen(
        [sys.executable, "-m", "mqlint", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "MQLINT_CACHE_DIR": str(tmp_path / "cache")},
        text=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not list(out.glob(".scan-2*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGTERM)
    printed, told = running.communicate(timeout=PATIENCE)
    assert (running.returncode, printed) == (143, "")
    assert "Traceback" not in told
    assert {path.name for path in out.iterdir()} <= {"cache"}


def test_an_error_that_sigterm_causes_is_sigterm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library may turn the exception of the signal into one of its own."""

    def interrupted(*_: object, **__: object) -> NoReturn:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(PATIENCE)
        except KeyboardInterrupt:
            raise OSError("a library failed to load") from None
        raise AssertionError

    estate = write(tmp_path / "estate", {"a.mqsc": "DEFINE QLOCAL(A)\n"})
    monkeypatch.setattr("mqlint.estate.scanning.scan", interrupted)
    words = ["estate", "scan", str(estate), "--engine=process", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, done.output) == (143, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="files are limited by the system")
def test_tables_that_cannot_be_written_are_told_in_one_line(tmp_path: Path) -> None:
    estate = write(tmp_path / "estate", {"a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\n"})
    words = ("estate", "scan", str(estate), "--engine=process", "--quiet", "--out", "out")
    limited = f'ulimit -f 4 && exec "{sys.executable}" -m mqlint {" ".join(words)}'
    environment = {**os.environ, "MQLINT_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        ["sh", "-c", limited], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert ": file too large (" in line
    assert "/out: " in line
    assert {path.name for path in (tmp_path / "out").iterdir()} <= {"cache"}


@pytest.mark.slow
def test_script_for_cron_reports_and_keeps_its_status(tmp_path: Path) -> None:
    write(tmp_path / "estate", {"a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\n"})
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "MQLINT_CACHE_DIR": str(tmp_path / "cache"),
    }
    out = tmp_path / "out"
    command = ["sh", str(EXAMPLES / "mqlint-scan.sh"), str(tmp_path / "estate"), str(out)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines == ["MQ estate: findings or unread files", "severity,findings", "error,1"]
    (tmp_path / "estate" / "b.mqsc").write_text("DEFINE QLOCAL(B) MAXDEPHT(5)\n")
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout.splitlines()[-1] == "1 new, 0 fixed"
    assert json.loads((out / "evidence.json").read_text())["subject"]


def test_examples_of_schedulers_are_well_formed() -> None:
    ast.parse((EXAMPLES / "airflow_dag.py").read_text("utf-8"))
    workflow = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text("utf-8"))
    steps = workflow["jobs"]["scan"]["steps"]
    assert sum("mqlint estate" in step.get("run", "") for step in steps) == 2
