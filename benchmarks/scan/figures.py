"""The figures that are worked out of the runs, each beside what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from benchmarks.scan.measure import MODES, RESCANNED, Run
from benchmarks.scan.results import Quantity, Results
from benchmarks.timing import Line, at_least, at_most

MB: Final = 1e6
FASTER: Final = {"local2": ("process", 1.3), "local2-no-tables": ("process-no-tables", 1.6)}
"""Against which mode one is measured, and how many times as fast it is to be."""

GROWTH: Final = 1.1
FIXED: Final = 20.0
RESCAN_WORK: Final = 2.0
RESCAN_WALL: Final = 0.25
MEMORY: Final = 1.2


def wall(run: Run) -> float:
    """Seconds that a person waits."""
    return run.usage.wall


def paces(run: Run) -> float:
    """The same as a number of fixed loops: what is left when the machine's own speed changes."""
    return run.usage.wall / run.usage.pace


def cpu(run: Run) -> float:
    """Seconds of cores."""
    return run.usage.cpu


_NOISE: Final = "less than the noise"

_WORK: Final[dict[str, Quantity]] = {
    "read": lambda run: run.work.read,
    "parsed": lambda run: run.work.parsed,
    "judged": lambda run: run.work.judged,
}
SIZES: Final[dict[str, Quantity]] = {
    "read": lambda run: run.size,
    "of tables": lambda run: run.tables,
    "of cache": lambda run: run.cache,
}
"""The bytes of a run, by what they are of."""


def lines(results: Results) -> list[Line]:
    """All lines; what could not be measured yet is said to be so."""
    return [
        *_costs(results),
        *_speed(results),
        *_growth(results),
        *_rescan(results),
        *_one(results),
        *_memory(results),
    ]


def last_two(results: Results, what: str) -> tuple[int, int] | None:
    """The two largest sizes of which there is a run."""
    sizes = results.sizes(what)
    return (sizes[-2], sizes[-1]) if len(sizes) > 1 else None


def _missing(what: str, bar: str = "") -> Line:
    return Line(what, bar, "not measured")


def _costs(results: Results) -> Iterator[Line]:
    """Seconds of each mode: of a queue manager more, and of none."""
    for mode in MODES:
        sizes = last_two(results, mode)
        each = results.marginal(mode, sizes, wall) if sizes else None
        if sizes is None or each is None:
            yield _missing(f"{mode}, one queue manager more")
            continue
        what = f"{mode}, one queue manager more, {sizes[0]} to {sizes[1]}"
        yield Line(what, "", f"{each:.3f} s")
    for mode in MODES:
        fixed, what = results.fixed(mode, wall), f"{mode}, fixed"
        if fixed is None:
            yield _missing(what)
        elif mode in FASTER:
            yield at_most(what, FIXED, fixed, "s")
        else:
            yield Line(what, "", f"{fixed:.1f} s")
        alone = results.of(f"one-{mode}", 1, wall)
        if alone is not None:
            yield Line(f"{mode}, one small file", "", f"{alone:.1f} s")


def _speed(results: Results) -> Iterator[Line]:
    """Spark on two cores against one process, by the queue manager."""
    for mode, (other, bar) in FASTER.items():
        sizes = last_two(results, mode)
        mine = results.marginal(mode, sizes, wall) if sizes else None
        theirs = results.marginal(other, sizes, wall) if sizes else None
        what = f"{mode} against {other}, one more"
        if mine is None or theirs is None:
            yield _missing(what, f">= {bar:g} times as fast")
        elif mine <= 0 or theirs <= 0:
            yield Line(what, f">= {bar:g} times as fast", _NOISE)
        else:
            yield at_least(what, bar, theirs / mine, "times as fast")


def _growth(results: Results) -> Iterator[Line]:
    """What one more costs in a large estate against a small one."""
    for mode in MODES:
        parts = list(pairwise(results.sizes(mode)))[-2:]
        if len(parts) < 2:
            yield _missing(f"{mode}, one more in a large estate", f"<= {GROWTH:g} x")
            continue
        (few, some), (_, many) = parts
        what = f"{mode}, one more of {some} to {many} against {few} to {some}"
        of_wall, of_paces = (
            [results.marginal(mode, part, quantity) for part in parts] for quantity in (wall, paces)
        )
        first, second = of_wall
        if first is None or second is None or first <= 0:
            yield Line(what, f"<= {GROWTH:g} x", _NOISE)
            continue
        yield at_most(what, GROWTH, second / first, "x")
        first, second = of_paces
        if first and second:
            yield Line(f"{what}, at one speed of the machine", "", f"{second / first:.3g} x")


def _rescan(results: Results) -> Iterator[Line]:
    """What a scan does, and how long it takes, after 1% of the documents changed."""
    sizes = results.sizes("rescan")
    if not sizes:
        yield _missing("rescan", f"<= {RESCAN_WORK:g} % and {RESCAN_WALL:g} of the time")
        return
    size = sizes[-1]
    for name, quantity in _WORK.items():
        again, first = (results.of(what, size, quantity) for what in ("rescan", RESCANNED))
        if again is not None and first:
            share = 100 * again / first
            yield at_most(f"rescan of {size}, {name} again", RESCAN_WORK, share, "%")
    again, first, alone = (
        results.of(what, number, wall)
        for what, number in (("rescan", size), (RESCANNED, size), (f"one-{RESCANNED}", 1))
    )
    if again is not None and first is not None and alone is not None:
        share = (again - alone) / (first - alone)
        yield at_most(f"rescan of {size}, time less that of one file", RESCAN_WALL, share, "x")


def _one(results: Results) -> Iterator[Line]:
    """Cores and bytes of one queue manager."""
    for mode in MODES:
        sizes = last_two(results, mode)
        each = results.marginal(mode, sizes, cpu) if sizes else None
        if sizes is None or each is None:
            continue
        yield Line(f"{mode}, one more", "", f"{each:.3f} s of a core")
        peak = results.of(mode, sizes[1], lambda run: run.usage.peak)
        yield Line(f"{mode}, most memory at {sizes[1]}", "", f"{(peak or 0) / MB:,.0f} MB")
    for size in results.sizes(RESCANNED)[-1:]:
        for name, quantity in SIZES.items():
            total = results.of(RESCANNED, size, quantity) or 0
            yield Line(f"bytes {name}, one of {size}", "", f"{total / size / 1000:.1f} KB")
        found = results.of(RESCANNED, size, lambda run: run.findings)
        yield Line(f"findings, one of {size}", "", f"{(found or 0) / size:.2f}")


def _memory(results: Results) -> Iterator[Line]:
    """The driver of a cluster: what grows with the estate."""
    sizes = last_two(results, "cluster")
    for what, quantity in (
        ("driver's Java after collections", lambda run: run.heap),
        ("driver's Python, most memory", lambda run: run.usage.own_peak),
    ):
        small, large = (
            results.of("cluster", size, quantity) if sizes else None for size in sizes or (0, 0)
        )
        if sizes is None or not small or large is None:
            yield _missing(what, f"<= {MEMORY:g} x")
            continue
        both = f"{small / MB:.0f} MB at {sizes[0]}, {large / MB:.0f} MB at {sizes[1]}"
        yield Line(what, "", both)
        yield at_most(f"{what}, {sizes[0]} to {sizes[1]}", MEMORY, large / small, "x")
