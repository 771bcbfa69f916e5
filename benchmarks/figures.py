"""The figures: each function measures one group of lines."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.generate import generate_dump
from benchmarks.small_files import generate_small_files
from benchmarks.subject import TEN_LINES, Subject, project, repository
from benchmarks.timing import Line, Task, at_least, at_most, medians, of_children
from benchmarks.yardsticks import every_tenth_command, textbook_commands, words

MB = 1_000_000
DOUBLINGS = (2.5, 5.0, 10.0, 20.0, 40.0)


def parsing(subject: Subject, text: str, rounds: int) -> list[Line]:
    """Parsing to bound trees against (a) and (b), by the byte and on the same text."""
    part = every_tenth_command(text)
    expected, found = len(subject.parse(part).commands), textbook_commands(part)
    if expected != found:
        raise RuntimeError(f"the yardstick read {found} commands where mqlint read {expected}")
    times = medians(
        {
            "mqlint": lambda: subject.parse(text),
            "words": lambda: words(text),
            "textbook": lambda: textbook_commands(part),
        },
        rounds,
    )
    speed = len(text) / times["mqlint"]
    return [
        Line("parse, one core", "", f"{speed / MB:.1f} MB/s"),
        at_least("parse against (a) textbook Lark", 12, speed * times["textbook"] / len(part), "x"),
        at_least("parse against (b) one \\S+ pass", 0.25, times["words"] / times["mqlint"], "x"),
    ]


def checking(subject: Subject, text: str, path: Path, rounds: int) -> list[Line]:
    """The whole check with all rules against (b)."""
    subject.check(path)
    times = medians({"check": lambda: subject.check(path), "words": lambda: words(text)}, rounds)
    size = f"{len(text) / MB:.0f} MB"
    return [
        Line(f"check {size}, one core", "", f"{len(text) / times['check'] / MB:.1f} MB/s"),
        at_least(
            f"check {size} against (b) one \\S+ pass", 0.125, times["words"] / times["check"], "x"
        ),
    ]


def growth(subject: Subject, folder: Path, rounds: int) -> list[Line]:
    """How much longer twice the input takes, for the parser and for the whole check."""
    parse: dict[str, Task] = {}
    check: dict[str, Task] = {}
    for size in DOUBLINGS:
        text = generate_dump(int(size * MB))
        parse[f"{size:g}"] = partial(subject.parse, text)
        check[f"{size:g}"] = partial(subject.check, project(folder / f"{size:g}", text))
    return [
        *_ratios("parse", medians(parse, rounds)),
        *_ratios("check", medians(check, rounds)),
    ]


def _ratios(what: str, times: dict[str, float]) -> list[Line]:
    """One line for each doubling; `times` by size in MB, growing."""
    return [
        at_most(f"{what}, {size} to {double} MB", 2.2, times[double] / times[size], "x")
        for size, double in pairwise(times)
    ]


def starting(folder: Path, rounds: int, python: str) -> list[Line]:
    """Processes that check ten lines and five files, against one that imports what they need.

    `python` is that of an environment in which the wheel is installed, blank for the checkout.
    """
    script = folder / "ten.mqsc"
    script.write_text(TEN_LINES, encoding="utf-8")
    run = partial(Subject.process, python or sys.executable)
    imports = [python or sys.executable, "-c", "import click, lark, yaml"]
    five = repository(folder / "repository")
    warm = folder / "start"
    fresh = iter(range(10_000))
    for paths in ([script], five):
        _run(run(paths, warm))
    times = medians(
        {
            "imports": lambda: _run(imports),
            "warm": lambda: _run(run([script], warm)),
            "cold": lambda: _run(run([script], folder / f"cold{next(fresh)}")),
            "five": lambda: _run(run(five, warm)),
        },
        rounds,
        of_children,
    )
    of_imports = {name: taken / times["imports"] for name, taken in times.items()}
    return [
        Line("python -c 'import click, lark, yaml'", "", f"{times['imports'] * 1000:.0f} ms"),
        at_most("ten lines, cache warm", 1.5, of_imports["warm"], "x"),
        at_most("ten lines, first run", 1.8 if python else 6, of_imports["cold"], "x"),
        at_most("five files of 200, cache warm", 2.5, of_imports["five"], "x"),
    ]


def many_files(folder: Path, rounds: int, python: str) -> list[Line]:
    """A process that checks 2,000 small files, against one that imports what it needs."""
    estate = generate_small_files(folder / "files", 2000)
    python = python or sys.executable
    times = medians(
        {
            "imports": lambda: _run([python, "-c", "import click, lark, yaml"]),
            "files": lambda: _run(Subject.process(python, [estate], folder / "start")),
        },
        rounds,
        of_children,
    )
    ratio = times["files"] / times["imports"]
    return [Line("2,000 small files against the imports", "", f"{ratio:.3g} x")]


def _run(command: list[str]) -> None:
    """Run a process to its end; a status above 1 means that nothing was measured."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr[-500:]!r}")
