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
from tests.estate.test_standalone import (
    MQLINT,
    PARSING,
    SCAN,
    kill_an_executor,
    needs_proc,
    report_of,
    scanning,
)

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


def environment(work: Path, **given: str) -> dict[str, str]:
    """Nothing of this shell's Python, as on a machine where mqlint never ran."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("PY")}
    return {**own, "MQLINT_CACHE_DIR": str(work / "vocabulary"), **given}


def scan_by(start: Sequence[str]) -> list[str]:
    """A scan of ESTATE that `start` begins."""
    return [*start, "estate", "scan", str(ESTATE), *SCAN]


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


def submit(code: Path, master: str, *options: str) -> tuple[str, ...]:
    """A spark-submit of the zip."""
    return (
        *(str(SUBMIT), "--master", master, "--driver-java-options", QUICK),
        *("--conf", f"spark.executor.extraJavaOptions={QUICK}"),
        *("--conf", f"spark.driver.host={HOME}", "--conf", f"spark.driver.bindAddress={HOME}"),
        *("--py-files", str(code / "mqlint.zip"), *options, str(code / "mqlint-submit.py")),
    )


@needs_proc
def test_cluster_runs_the_zip_though_an_executor_is_killed(
    code: Path, pythons: tuple[Path, Path], wanted: object, tmp_path: Path
) -> None:
    here, there = map(str, pythons)
    env = environment(tmp_path, PYSPARK_DRIVER_PYTHON=here, PYSPARK_PYTHON=there)
    with started(tmp_path) as cluster:
        words = submit(code, cluster.master, "--executor-memory", "512m")
        with scanning(scan_by(words), env, tmp_path, PARSING) as scan:
            kill_an_executor(cluster)
            assert report_of(scan, tmp_path) == wanted
    assert pythons[1].with_name("was-run").exists()


@pytest.mark.huge
def test_what_executors_lack_is_said(
    code: Path, pythons: tuple[Path, Path], tmp_path: Path
) -> None:
    here, there = pythons[0], python_of_its_own(tmp_path / "python")
    env = environment(tmp_path, PYSPARK_DRIVER_PYTHON=str(here), PYSPARK_PYTHON=str(there))
    with scanning(scan_by(submit(code, "local[2]")), env, tmp_path, "") as scan:
        assert scan.wait(PATIENCE) == 2
    assert "executors lack a Python package" in (tmp_path / "log").read_text()


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
        packages = ("--archives", f"{sent / 'packages.zip'}#packages")
        path = ("--conf", "spark.executorEnv.PYTHONPATH=packages")
        start = submit(sent, cluster.master, "--executor-memory", "512m", *packages, *path)
        env = environment(tmp_path, PYSPARK_PYTHON=str(python), PYTHONPATH=str(tmp_path / "here"))
        with scanning(scan_by(start), env, tmp_path, "") as scan:
            assert report_of(scan, tmp_path) == wanted
        assert len(list(tmp_path.glob("w[01]/app-*/*/packages/pandas"))) == len(cluster.workers)
