"""The benchmark runs as a person runs it, and its table says what was missed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.timing import at_least, at_most, medians, table

ROOT = Path(__file__).resolve().parents[2]


def test_a_bar_is_met_exactly_or_missed() -> None:
    assert at_least("speed", 12, 12.0, "x").passed
    assert at_least("speed", 12, 11.9, "x").passed is False
    assert at_most("time", 2.2, 2.2, "x").passed
    assert at_most("time", 2.2, 2.3, "x").passed is False


def test_the_table_says_which_bar_was_missed() -> None:
    text = table([at_least("speed", 12, 40, "x"), at_most("time", 2.2, 3, "x")])
    assert [re.split(r"  +", line)[-1] for line in text.splitlines()[1:]] == ["pass", "FAIL"]


@pytest.mark.slow
def test_tasks_take_turns() -> None:
    order: list[str] = []
    times = medians({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3
    assert set(times) == {"a", "b"}


@pytest.mark.long
def test_the_quick_table_has_a_verdict_for_each_bar() -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    barred = [line for line in done.stdout.splitlines() if re.search(r"[<>]= \d", line)]
    assert len(barred) == 6
    assert all(re.search(r"(pass|FAIL)$", line) for line in barred)
