"""Places that tests of all rooms read from, and what takes long to make."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import cast

import pytest

from mqlint.engine import Analyser
from mqlint.policy.rulebook import Rulebook
from tests.shipped import shipped_rulebook, shipped_vocabulary

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


@pytest.fixture(scope="session")
def analyser() -> Analyser:
    """What reads files, with the tool's own vocabulary."""
    return Analyser(shipped_vocabulary())


@pytest.fixture(scope="session")
def rulebook(analyser: Analyser) -> Rulebook:
    """The tool's own rules."""
    return shipped_rulebook()


TOGETHER = ("estate", "packaging")
"""Rooms whose tests share what takes long to make: each runs in one process, and first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest: while one process is at it the others do the rest."""
    items.sort(key=lambda item: item.path.parent.name not in TOGETHER)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Share the tests out by file, and those of some rooms by room, in the order they are in."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class ByRoom(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::")[0]
            room = Path(file).parent.name
            return room if room in TOGETHER else file

    config.option.loadscopereorder = False
    return ByRoom(config, log)


def pytest_collection_finish() -> None:
    """Take the thousands of cases out of the garbage collector's sight: they stay to the end."""
    gc.collect()
    gc.freeze()


Row = tuple[str, int, float, str]
"""A target, how many texts, seconds, the seed."""


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
    for target, executions, seconds, _ in sorted(rows):
        terminalreporter.write_line(f"{target:18} {executions:8,} executions, {seconds:5.1f} s")
    total, seconds = sum(row[1] for row in rows), sum(row[2] for row in rows)
    terminalreporter.write_line(
        f"{'all':18} {total:8,} executions, {seconds:5.1f} s; seed {rows[0][3]} (MQLINT_FUZZ_SEED)"
    )
