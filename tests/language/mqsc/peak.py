"""The memory that reading one text takes, each in a process of its own.

`python -m tests.language.mqsc.peak` loads what all need once, reads lines of a kind and a size, and
answers each from a copy of itself: a new Python would take most of a second for each text.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mqlint.language.mqsc import Parser
from mqlint.vocabulary.load import load_vocabulary
from tests.language.mqsc.test_time import TEXTS

ROOT = Path(__file__).parents[3]


def peak() -> int:
    """The most bytes this process ever had.

    On Linux as the kernel tells it of this program alone: what getrusage says of a process begins
    with what its parent had.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


Measure = Callable[[str, int], float]


@contextmanager
def measuring() -> Iterator[Measure]:
    """Yield what tells how many times the size of a text of some kind its reading takes at most."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.language.mqsc.peak"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def measure(kind: str, size: int) -> float:
            print(kind, size, sep="\t", file=asked, flush=True)
            return float(answers.readline())

        yield measure


def share_of_size(parser: Parser, kind: str, size: int) -> float:
    """Read a text and return how many times its size this process has grown."""
    before = peak()
    text = TEXTS[kind](size)
    parser.parse(text)
    return (peak() - before) / len(text.encode())


def main() -> None:
    parser = Parser(load_vocabulary())
    parser.parse("ALTER QMGR\n")
    for line in sys.stdin:
        kind, size = line.rstrip("\n").split("\t")
        if (child := os.fork()) == 0:
            print(share_of_size(parser, kind, int(size)), flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            print("inf", flush=True)


if __name__ == "__main__":
    main()
