"""What `mqlint estate package` packs runs under spark-submit where nothing of mqlint is installed.

It finds what `mqlint check` finds: on local Spark, and on a master with two workers whose Python
has no package at all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.standalone import HOME, PATIENCE, QUICK, program, started
from tests.estate.test_standalone import MQLINT

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="the tests' own commands are those of a Unix"),
]

ESTATE = Path(__file__).parent.parent.parent / "examples" / "estate"
SUBMIT = program("spark-submit")
NEEDED = ("dateutil", "numpy", "pandas", "pyarrow", "pytz", "six", "tzdata")


def packed(folder: Path, *words: str) -> Path:
    """A folder that `mqlint estate package` wrote."""
    command = [*MQLINT, "estate", "package", "--out", str(folder), *words]
    subprocess.run(command, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
    return folder


def scan(work: Path, start: Sequence[str], **env: str) -> subprocess.CompletedProcess[str]:
    """A scan of ESTATE that `start` begins, with nothing of this shell's Python."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("PY")}
    # As on a machine where mqlint never ran.
    own |= {"MQLINT_CACHE_DIR": str(work / "vocabulary")}
    words = ("--out", "out", "--exit-zero", "--format", "json=scan.json")
    return subprocess.run(
        [*start, "estate", "scan", str(ESTATE), *words],
        cwd=work,
        env={**own, **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def report_of(work: Path, start: Sequence[str], **env: str) -> object:
    """What such a scan finds."""
    done = scan(work, start, **env)
    assert done.returncode == 0, done.stderr
    report = json.loads((work / "scan.json").read_text("utf-8"))
    assert report["findings"]
    return report


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> object:
    """What `mqlint check` finds."""
    work = tmp_path_factory.mktemp("check")
    words = ("check", str(ESTATE), "--exit-zero", "--format", "json=check.json")
    subprocess.run([*MQLINT, *words], cwd=work, check=True, timeout=PATIENCE)
    return json.loads((work / "check.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mqlint's zip, and the file that starts it."""
    return packed(tmp_path_factory.mktemp("code"))


def python_of_its_own(folder: Path) -> Path:
    """A Python that knows of no package."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    for name in ("mqlint", "lark", "pandas"):
        tried = subprocess.run([python, "-c", f"import {name}"], cwd=folder, capture_output=True)
        assert b"ModuleNotFoundError" in tried.stderr
    return python


@pytest.fixture(scope="module")
def pythons(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two names of one Python that has pandas and pyarrow, and nothing of mqlint.

    The first is for the driver, the second for executors: it tells when it is run.
    """
    folder = tmp_path_factory.mktemp("python")
    own = python_of_its_own(folder / "venv")
    site = next((folder / "venv").glob("lib/*/site-packages"))
    for name in NEEDED:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            there = Path(spec.origin)
            there = there.parent if there.name == "__init__.py" else there
            (site / there.name).symlink_to(there)
            libraries = there.with_name(f"{name}.libs")
            if libraries.is_dir():
                (site / libraries.name).symlink_to(libraries)
    telling = folder / "python"
    telling.write_text(f"#!/bin/sh\ntouch '{folder}/was-run'\nexec '{own}' \"$@\"\n")
    telling.chmod(0o755)
    return own, telling


def test_equal_code_gives_equal_zips(code: Path, tmp_path: Path) -> None:
    again = packed(tmp_path / "again")
    assert {file.name for file in again.iterdir()} == {"mqlint.zip", "mqlint-submit.py"}
    for file in again.iterdir():
        assert file.read_bytes() == (code / file.name).read_bytes()


def locally(code: Path) -> tuple[str, ...]:
    """A spark-submit of the zip on this machine."""
    return (
        *(str(SUBMIT), "--master", "local[2]", "--driver-java-options", QUICK),
        *("--conf", f"spark.driver.host={HOME}", "--conf", f"spark.driver.bindAddress={HOME}"),
        *("--py-files", str(code / "mqlint.zip"), str(code / "mqlint-submit.py")),
    )


def test_spark_submit_runs_the_zip(
    code: Path, pythons: tuple[Path, Path], wanted: object, tmp_path: Path
) -> None:
    here, there = map(str, pythons)
    start = locally(code)
    found = report_of(tmp_path, start, PYSPARK_DRIVER_PYTHON=here, PYSPARK_PYTHON=there)
    assert found == wanted
    assert pythons[1].with_name("was-run").exists()


@pytest.mark.huge
def test_what_executors_lack_is_said(
    code: Path, pythons: tuple[Path, Path], tmp_path: Path
) -> None:
    here, there = pythons[0], python_of_its_own(tmp_path / "python")
    start = locally(code)
    done = scan(tmp_path, start, PYSPARK_DRIVER_PYTHON=str(here), PYSPARK_PYTHON=str(there))
    assert done.returncode == 2
    # spark-submit writes both of what its program writes to its own standard output.
    assert "executors lack a Python package" in done.stdout


def test_the_master_is_told_to_spark_submit_alone(tmp_path: Path) -> None:
    words = ("estate", "scan", str(ESTATE), "--out", "out", "--master", "local[1]")
    done = subprocess.run(
        [*MQLINT, *words],
        cwd=tmp_path,
        env={**os.environ, "PYSPARK_GATEWAY_PORT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "give it to spark-submit" in done.stderr


@pytest.mark.huge
def test_cluster_is_sent_all_it_needs(wanted: object, tmp_path: Path) -> None:
    sent = packed(tmp_path / "sent", "--packages")
    python = python_of_its_own(tmp_path / "python")
    with zipfile.ZipFile(sent / "packages.zip") as archive:
        archive.extractall(tmp_path / "here")
    with started(tmp_path) as cluster:
        start = (
            *(str(SUBMIT), "--master", cluster.master, "--driver-java-options", QUICK),
            *("--conf", f"spark.driver.host={HOME}", "--executor-memory", "512m"),
            *("--py-files", str(sent / "mqlint.zip")),
            *("--archives", f"{sent / 'packages.zip'}#packages"),
            *("--conf", "spark.executorEnv.PYTHONPATH=packages"),
            str(sent / "mqlint-submit.py"),
        )
        here = str(tmp_path / "here")
        found = report_of(tmp_path, start, PYSPARK_PYTHON=str(python), PYTHONPATH=here)
        assert len(list(tmp_path.glob("w[01]/app-*/*/packages/pandas"))) == len(cluster.workers)
    assert found == wanted
