"""Medians of alternated runs, and the lines of the table."""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter

Task = Callable[[], object]


def of_children() -> float:
    """Seconds of the processor that processes took which this one started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(task: Task, clock: Callable[[], float] = perf_counter) -> float:
    """Time of one run by `clock`, with no garbage of the run before in it."""
    gc.collect()
    start = clock()
    task()
    return clock() - start


def medians(
    tasks: Mapping[str, Task], rounds: int, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """The median time of each task by `clock`, the tasks taking turns `rounds` times.

    Taking turns keeps what the machine does besides from falling on one task alone.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            times[name].append(seconds(task, clock))
    return {name: median(runs) for name, runs in times.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table.

    `bar` says what is asked for, blank when nothing is; `figure` what was measured; `passed` is
    None when there is no bar or nothing could be measured.
    """

    what: str
    bar: str
    figure: str
    passed: bool | None = None

    def cells(self) -> tuple[str, str, str, str]:
        """The line as text cells."""
        verdict = {True: "pass", False: "FAIL", None: ""}[self.passed]
        return self.what, self.bar, self.figure, verdict


def at_least(what: str, bar: float, figure: float, unit: str) -> Line:
    """A line whose figure must reach the bar."""
    return Line(what, f">= {bar:g} {unit}", f"{figure:.3g} {unit}", figure >= bar)


def at_most(what: str, bar: float, figure: float, unit: str) -> Line:
    """A line whose figure must stay under the bar."""
    return Line(what, f"<= {bar:g} {unit}", f"{figure:.3g} {unit}", figure <= bar)


def table(lines: list[Line]) -> str:
    """The lines under a heading, in columns."""
    rows = [("measured", "bar", "figure", ""), *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
