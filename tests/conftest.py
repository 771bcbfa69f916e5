"""Places that tests of all rooms read from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of configuration found in public, where this machine has one."""
    named = os.environ.get("MQLINT_CORPUS")
    if not named:
        pytest.skip("no corpus: MQLINT_CORPUS is not set")
    if not Path(named).is_dir():
        pytest.skip(f"no corpus: MQLINT_CORPUS is no folder: {named}")
    return Path(named)


@pytest.fixture(scope="session")
def estate() -> Path:
    """The example estate of this checkout."""
    return ROOT / "examples" / "estate"


GROUPS = ("spark", "packaging")
"""Folders whose tests share what takes long to make: each runs in one worker of xdist."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a folder that shares a Spark session or a wheel together."""
    for item in items:
        folder = item.path.parent.name
        if folder in GROUPS:
            item.add_marker(pytest.mark.xdist_group(folder))


Row = tuple[str, int, int, float, str]
"""A language, how many texts, how many of them checked thoroughly, seconds, the seed."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many texts the fuzz targets were tried with."""
    rows = [
        cast(Row, tuple(value))
        for reports in ("passed", "failed")
        for report in terminalreporter.stats.get(reports, [])
        for name, value in report.user_properties
        if name == "fuzz" and report.when == "call"
    ]
    if not rows:
        return
    terminalreporter.section("fuzz")
    for language, executions, deep, seconds, _ in sorted(rows):
        line = f"{language:10} {executions:8,} executions, {deep:6,} thorough, {seconds:5.1f} s"
        terminalreporter.write_line(line)
    total, thorough = sum(row[1] for row in rows), sum(row[2] for row in rows)
    seconds = sum(row[3] for row in rows)
    terminalreporter.write_line(
        f"{'all':10} {total:8,} executions, {thorough:6,} thorough, {seconds:5.1f} s; "
        f"seed {rows[0][4]} (MQLINT_FUZZ_SEED)"
    )
