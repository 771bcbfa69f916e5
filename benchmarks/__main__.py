"""`python -m benchmarks`: one table, each figure against something measured in the same run."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.chlauth import auditing
from benchmarks.figures import MB, checking, growth, many_files, parsing, starting
from benchmarks.generate import generate_dump
from benchmarks.neighbours import neighbours
from benchmarks.rehearsal import rehearsing
from benchmarks.subject import Subject, project
from benchmarks.timing import Line, table


def measure(folder: Path, rounds: int, quick: bool, python: str) -> list[Line]:
    """All lines of the table; with `quick` without the sizes above 2 MB and the neighbours."""
    subject = Subject(folder / "warm")
    text = generate_dump(2 * MB)
    lines = parsing(subject, text, rounds)
    lines += checking(subject, text, project(folder / "small", text), rounds)
    lines += starting(folder, 3 * rounds, python)
    lines += many_files(folder, 3, python)
    lines += auditing()
    lines += rehearsing()
    if not quick:
        text = generate_dump(40 * MB)
        lines += checking(subject, text, project(folder / "large", text), 3)
        del text
        lines += growth(subject, folder, rounds)
        lines += neighbours(folder, 3)
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and with --strict return 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a bar is missed")
    parser.add_argument("--quick", action="store_true", help="nothing above 2 MB, no neighbours")
    parser.add_argument("--rounds", type=int, default=5, help="runs of which the median is taken")
    parser.add_argument(
        "--python", default="", help="Python of an environment in which the wheel is installed"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="mqlint-bench-") as folder:
        lines = measure(Path(folder), options.rounds, options.quick, options.python)
    print(table(lines))
    missed = [line for line in lines if line.passed is False]
    return 1 if options.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
