"""`python -m benchmarks.scan`: scans of generated estates, and the figures that follow."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.scan.estates import Estate
from benchmarks.scan.figures import lines
from benchmarks.scan.measure import MODES, RESCANNED, Bench, MeasureError, Run
from benchmarks.scan.results import Results, load
from benchmarks.scan.worked import worked
from benchmarks.timing import table

MEASUREMENTS: Final = ("one", *MODES, "rescan", "cluster")
"""What --only may name, in the order in which it is done for each size."""

_FAILED: Final = 2
_FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement to be made; it may be of several runs."""

    name: str
    queue_managers: int
    runs: Callable[[], tuple[Run, ...]]
    rounds: int = 1
    """How often at least."""


def jobs(bench: Bench, sizes: list[int], wanted: list[str]) -> Iterator[Job]:
    """What is to be measured, in order; an estate is written right before its first scan."""
    if "one" in wanted:
        for mode in (mode for mode in MODES if _needed(mode, wanted)):
            yield Job(f"one-{mode}", 1, partial(_alone, bench, mode), _FEW)
    for size in sizes:
        estate = Estate(bench.folder / f"estate-{size}", size)
        names = list(_of_size(sizes, size, wanted))
        if names:
            estate.write()
        for name in names:
            yield Job(name, size, partial(_measured, bench, name, estate))


def _needed(mode: str, wanted: list[str]) -> bool:
    """Whether the small scan of a mode is of use: of the modes measured, or else of all."""
    modes = [name for name in wanted if name in MODES]
    return mode in modes or not modes or (mode == RESCANNED and "rescan" in wanted)


def _of_size(sizes: list[int], size: int, wanted: list[str]) -> Iterator[str]:
    """The measurements of one size: a rescan of the largest, a cluster of the two largest."""
    last = size == sizes[-1]
    for mode in MODES:
        if mode == RESCANNED and last and "rescan" in wanted:
            yield "rescan"  # which begins with a first scan
        elif mode in wanted:
            yield mode
    if "cluster" in wanted and size in sizes[-2:]:
        yield "cluster"


def _alone(bench: Bench, mode: str) -> tuple[Run, ...]:
    return (bench.one_file(mode),)


def _measured(bench: Bench, name: str, estate: Estate) -> tuple[Run, ...]:
    if name == "rescan":
        return bench.rescan(estate)
    return (bench.cluster(estate) if name == "cluster" else bench.first(name, estate),)


def measure(bench: Bench, todo: Iterator[Job], rounds: int, results: Results, file: Path) -> int:
    """Make the measurements and keep each as soon as it is made; return how many failed."""
    failed = 0
    for job in todo:
        made: list[Run] = []
        for _ in range(max(rounds, job.rounds)):
            try:
                made += job.runs()
            except MeasureError as error:
                print(f"{job.name} of {job.queue_managers} failed: {error}", file=sys.stderr)
                failed += 1
                break
        results.replace(made)
        results.save(file)
        for run in made:
            print(_told(run), file=sys.stderr, flush=True)
    bench.clean()
    return failed


def _told(run: Run) -> str:
    usage, work = run.usage, run.work
    return (
        f"{run.what} of {run.queue_managers}: {usage.wall:.1f} s, {usage.cpu:.1f} s of cores"
        f" (Java {usage.java_cpu:.1f}), {usage.peak / 1e6:,.0f} MB; {work.read:,} read,"
        f" {work.parsed:,} parsed, {work.judged:,} judged"
    )


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scan", description=__doc__)
    add = parser.add_argument
    add("--sizes", default="100,400,1600", help="numbers of queue managers (default: %(default)s)")
    add("--only", default=",".join(MEASUREMENTS), help="some of: %(default)s")
    add("--rounds", type=int, default=1, help="runs of which the median is taken")
    add("--json", type=Path, help="the runs, new ones in place of older ones; default: in --work")
    add("--work", type=Path, help="a folder for estates and tables; default: a temporary one")
    add("--show", action="store_true", help="measure nothing, show the figures of --json")
    add("--strict", action="store_true", help="exit with 1 when a bar is missed")
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    unknown = sorted(set(options.only) - set(MEASUREMENTS))
    if unknown:
        parser.error(f"--only: {unknown[0]} is none of {', '.join(MEASUREMENTS)}")
    try:
        options.sizes = sorted({int(size) for size in options.sizes.split(",")})
    except ValueError:
        parser.error("--sizes: numbers with commas between them")
    if options.json is None and (options.show or options.work is None):
        parser.error("say with --json where the runs are kept")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Measure and print: 0, 1 with --strict when a bar is missed, 2 when a scan failed."""
    options = _options(arguments)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="mqlint-scan-") as scratch:
        folder = (options.work or Path(scratch)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        file = options.json or folder / "results.json"
        results = load(file)
        if not options.show:
            bench = Bench(folder)
            todo = jobs(bench, options.sizes, options.only)
            failed = measure(bench, todo, options.rounds, results, file)
            results.save(file, lines(results))
    found = lines(results)
    print(table(found))
    print("", worked(results), sep="\n")
    missed = any(line.passed is False for line in found)
    return _FAILED if failed else int(options.strict and missed)


if __name__ == "__main__":
    sys.exit(main())
