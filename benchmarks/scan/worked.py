"""From what one queue manager costs here: what ten and a hundred thousand would cost on clusters.

Nothing of it is measured. What is assumed stands above the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from benchmarks.scan.figures import SIZES, cpu, last_two, wall
from benchmarks.scan.measure import RESCANNED
from benchmarks.scan.results import Results

EFFICIENCY: Final = 0.7
"""The share of the cores' time that is work: the rest is waiting for the last tasks and disks."""

CASES: Final = ((10_000, 16), (10_000, 64), (100_000, 64), (100_000, 256))
"""Queue managers, and cores of executors."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a scan costs: seconds that it takes in any case, and seconds and bytes of one more.

    `core` and `again` are seconds of cores, of a first scan and of one with 1% changed; `driver`
    those of them that the driver takes, on one core; `sizes` bytes read, of tables, of cache.
    """

    fixed: float
    core: float
    again: float
    driver: float
    sizes: dict[str, float]

    def minutes(self, queue_managers: int, cores: int, each: float) -> float:
        """The time of a scan in which one queue manager takes `each` seconds, the driver's too."""
        alone = min(self.driver, each)
        spread = (each - alone) / (cores * EFFICIENCY)
        return (self.fixed + queue_managers * (alone + spread)) / 60


def unit(results: Results) -> Unit | None:
    """The costs of one; None while a measurement that they need is missing."""
    sizes, ends = last_two(results, RESCANNED), last_two(results, "cluster")
    if sizes is None or ends is None:
        return None
    large = sizes[1]
    again, alone = results.of("rescan", large, cpu), results.of(f"one-{RESCANNED}", 1, cpu)
    found = (
        results.fixed(RESCANNED, wall),
        results.marginal(RESCANNED, sizes, cpu),
        None if again is None or alone is None else (again - alone) / large,
        results.marginal("cluster", ends, lambda run: run.usage.cpu - run.collecting),
    )
    fixed, core, rescan, driver = found
    if fixed is None or core is None or rescan is None or driver is None:
        return None
    each = {name: (results.of(RESCANNED, large, of) or 0) / large for name, of in SIZES.items()}
    return Unit(fixed, core, rescan, driver, each)


def worked(results: Results) -> str:
    """The table with its assumptions; blank while something is missing."""
    one = unit(results)
    if one is None:
        return ""
    heads = ("queue managers", "cores", "first scan", "1% changed")
    rows = [(*heads, *(f"GB {name}" for name in one.sizes))]
    for number, cores in CASES:
        times = (one.minutes(number, cores, each) for each in (one.core, one.again))
        kept = (f"{number * size / 1e9:.1f}" for size in one.sizes.values())
        rows.append((f"{number:,}", f"{cores}", *(f"{time:.1f} min" for time in times), *kept))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join([_assumed(one), *(_columns(row, widths) for row in rows)])


def _assumed(one: Unit) -> str:
    return (
        f"Assumed: cores like those of this machine, busy {EFFICIENCY:.0%} of the time;"
        f" {one.fixed:.0f} s in any case,\n{one.core:.3f} s of a core for one queue manager"
        f" ({one.again:.3f} s where 1% changed), {one.driver:.4f} s of that the driver's,\n"
        "which no other core shortens; disks and networks that keep up; estates like this one."
    )


def _columns(row: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
