"""Fixtures of all rooms, the order of the tests, and what a run reports about itself."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import pytest
from hypothesis import HealthCheck, settings

from mqlint.engine import Analyser
from mqlint.policy.rulebook import Rulebook
from tests.shipped import load_once, shipped_rulebook, shipped_vocabulary

ROOT = Path(__file__).parent.parent
Case = TypeVar("Case")

# By default Hypothesis gives an example 200 ms, and a test some seconds to make examples.
settings.register_profile(
    "patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("few", settings.get_profile("patient"), max_examples=10)  # make quick
settings.load_profile("patient")


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


@pytest.fixture(scope="session", autouse=True)
def _loaded_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        load_once(patch)
        yield


def pytest_configure() -> None:
    gc.disable()  # what is collected stays to the end: to look for garbage in it takes seconds
    # A shell ignores SIGINT for what it runs in the background, and children inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


TOGETHER = "tests/packaging/"
"""A room whose tests share what takes long to make: it runs in one process, and first."""

SESSION = "spark: SparkSession"
"""The parameter of tests that share the session of Spark of `tests/estate/conftest.py`."""

FIRST = (SESSION, TOGETHER)

APART = "tests/policy/test_cases.py"
"""A file whose tests share nothing: its cases are shared out by the folders of the policies."""

NOT_QUICK = ("slow", "long", "spark", "fuzz", "growth", "mutants", "huge")
"""Marks of the tests that `make quick` leaves out."""


_MARKS_OF_FILE = re.compile(r"^pytestmark = (.*(?:\n .*)*)", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out of `make quick` the files of slow tests: some import what takes half a second."""
    left_out = [mark for mark in NOT_QUICK if f"not {mark}" in config.option.markexpr]
    if left_out != [*NOT_QUICK] or collection_path.suffix != ".py":
        return None
    found = _MARKS_OF_FILE.search(collection_path.read_text("utf-8"))
    names = re.findall(r"pytest\.mark\.(\w+)", found[1]) if found is not None else []
    return True if not set(NOT_QUICK).isdisjoint(names) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--at-most",
        type=int,
        metavar="N",
        help="run at most N cases of each test function, spread evenly over its table",
    )


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Make no test of a large table that would be left out: thousands take seconds to collect."""
    yield
    calls, config = metafunc._calls, metafunc.config
    if "not long" not in config.option.markexpr:
        return
    calls = [call for call in calls if not any(mark.name == "long" for mark in call.marks)]
    sample = metafunc.definition.get_closest_marker("sample")
    limits = [sample.args[0]] if sample is not None else []
    limits += [config.option.at_most] if config.option.at_most else []
    if limits:
        calls = [*_spread(calls, min(limits))]
    if calls:
        metafunc._calls = calls


@pytest.hookimpl(tryfirst=True, specname="pytest_collection_modifyitems")
def pytest_mark_what_no_sample_has(items: list[pytest.Item]) -> None:
    """Leave what the samples of large tables do not have to `make test-long`."""
    for function in _functions(items):
        mark = function[0].get_closest_marker("sample")
        if mark is not None:
            chosen = set(_spread(function, mark.args[0]))
            for case in function:
                if case not in chosen:
                    case.add_marker("long")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that both processes end at about the same time."""
    limit = config.getoption("--at-most")
    if limit:
        chosen = {case for function in _functions(items) for case in _spread(function, limit)}
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]
    long_files = {item.path for item in items if _marks(item.keywords)}
    items.sort(key=lambda item: (_scope(item.nodeid) not in FIRST, item.path not in long_files))


def _scope(nodeid: str) -> str:
    """Return what the tests that run in one process, one after the other, have in common."""
    file = nodeid.partition("::")[0]
    if file == APART:
        return nodeid.rpartition("/")[0]
    if file.startswith(TOGETHER):
        return TOGETHER
    return SESSION if _asks_for_session(file) else file


@cache
def _asks_for_session(file: str) -> bool:
    return SESSION in (ROOT / file).read_text("utf-8")


def _marks(keywords: Mapping[str, object]) -> list[str]:
    return [mark for mark in NOT_QUICK if mark in keywords]


def _functions(items: list[pytest.Item]) -> list[list[pytest.Item]]:
    """Return the cases of each test function."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return [*functions.values()]


def _spread(cases: Sequence[Case], limit: int) -> Iterator[Case]:
    """Yield at most `limit` cases of a table, the first and the last among them."""
    if len(cases) <= limit:
        yield from cases
    else:
        step = (len(cases) - 1) / max(limit - 1, 1)
        yield from (cases[round(number * step)] for number in range(limit))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Share the tests out by what `_scope` tells of them, in the order they have."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class ByScope(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return _scope(nodeid)

    config.option.loadscopereorder = False
    return ByScope(config, log)


def pytest_collection_finish() -> None:
    """Take the thousands of cases out of the garbage collector's sight: they stay to the end."""
    gc.collect()
    gc.freeze()
    gc.enable()


Row = tuple[str, int, float, str]
"""A target, how many texts, seconds, the seed."""


SLOW = 2.0
"""Seconds after which a test without a mark is named at the end of a run."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _report_unmarked(terminalreporter)
    _report_fuzz(terminalreporter)


def _report_unmarked(terminalreporter: pytest.TerminalReporter) -> None:
    """List the slow tests that have no mark: `make quick` should leave them out.

    A report, not a failure: seconds depend on the machine.
    """
    slow = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        if report.when == "call" and report.duration > SLOW and not _marks(report.keywords)
    ]
    if not slow:
        return
    terminalreporter.section(f"unmarked tests of more than {SLOW:.0f} s: mark them `slow`")
    for report in sorted(slow, key=lambda report: -report.duration):
        terminalreporter.write_line(f"{report.duration:6.1f} s {report.nodeid}")


def _report_fuzz(terminalreporter: pytest.TerminalReporter) -> None:
    """Report how many texts the fuzz targets were tried with."""
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
