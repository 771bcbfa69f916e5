"""What was measured, in one JSON file that later measurements are added to."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.scan.measure import Run, Work
from benchmarks.scan.process import Usage
from benchmarks.timing import Line

Quantity = Callable[[Run], float]
"""Reads one figure of a run."""


@dataclass(slots=True)
class Results:
    """All runs, in order; of those that did the same work figures take the median."""

    runs: list[Run] = field(default_factory=list)

    def sizes(self, what: str) -> list[int]:
        """The numbers of queue managers for which there is a run, growing."""
        return sorted({run.queue_managers for run in self.runs if run.what == what})

    def of(self, what: str, queue_managers: int, quantity: Quantity) -> float | None:
        """The median of a quantity; None where nothing was measured."""
        found = [
            quantity(run)
            for run in self.runs
            if (run.what, run.queue_managers) == (what, queue_managers)
        ]
        return median(found) if found else None

    def replace(self, runs: Iterable[Run]) -> None:
        """Add runs in place of older ones of the same work."""
        new = list(runs)
        done = {(run.what, run.queue_managers) for run in new}
        kept = [run for run in self.runs if (run.what, run.queue_managers) not in done]
        self.runs = kept + new

    def marginal(self, what: str, sizes: tuple[int, int], quantity: Quantity) -> float | None:
        """What one queue manager more costs between two sizes."""
        small, large = (self.of(what, size, quantity) for size in sizes)
        if small is None or large is None:
            return None
        return (large - small) / (sizes[1] - sizes[0])

    def fixed(self, what: str, quantity: Quantity) -> float | None:
        """What none costs: where the line through all sizes begins.

        The line is that of least squares of relative distances: a large estate's seconds are no
        better known, in proportion, than a small one's.
        """
        points = [(size, self.of(what, size, quantity)) for size in self.sizes(what)]
        known = [(size, value) for size, value in points if value]
        return _beginning(known) if len(known) > 1 else None

    def save(self, file: Path, lines: Iterable[Line] = ()) -> None:
        """Write all runs, the machine they ran on, and the table; the file is replaced at once."""
        machine = {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.platform(),
        }
        said = {
            "machine": machine,
            "figures": [asdict(line) for line in lines],
            "runs": [asdict(run) for run in self.runs],
        }
        part = file.with_name(f".{file.name}.part")
        part.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        part.replace(file)


def load(file: Path) -> Results:
    """The runs of a file; none where there is no file."""
    if not file.exists():
        return Results()
    said = json.loads(file.read_text("utf-8"))
    return Results(
        [
            Run(**{**one, "usage": Usage(**one["usage"]), "work": Work(**one["work"])})
            for one in said["runs"]
        ]
    )


def _beginning(points: list[tuple[int, float]]) -> float:
    weights = [1 / value**2 for _, value in points]
    total = sum(weights)
    middle = sum(w * size for w, (size, _) in zip(weights, points, strict=True)) / total
    mean = sum(w * value for w, (_, value) in zip(weights, points, strict=True)) / total
    spread = sum(w * (size - middle) ** 2 for w, (size, _) in zip(weights, points, strict=True))
    both = sum(w * (size - middle) * y for w, (size, y) in zip(weights, points, strict=True))
    return mean - both / spread * middle
