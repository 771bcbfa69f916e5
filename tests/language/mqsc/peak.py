"""`python -m tests.language.mqsc.peak KIND SIZE`: the memory one text takes, by itself."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
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


def measured(kind: str, size: int) -> float:
    """How many times the size of a text of this kind its reading takes at most."""
    command = [sys.executable, "-m", "tests.language.mqsc.peak", kind, str(size)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    parser = Parser(load_vocabulary())
    parser.parse("ALTER QMGR\n")
    before = peak()
    text = TEXTS[sys.argv[1]](int(sys.argv[2]))
    parser.parse(text)
    print((peak() - before) / len(text.encode()))
