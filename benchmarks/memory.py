"""The memory of a check of one large file of each kind, by the byte of its text."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.memory_texts import NAMES, text_of
from benchmarks.subject import Subject

SIZE: Final = 2_000_000
"""The least number of bytes of each text."""


def peak_of(file: Path, python: str, cache: Path) -> int:
    """Return the most memory that a check of a file has, in bytes."""
    words = Subject.process(python, [file], cache)
    with subprocess.Popen([*words, "--jobs", "1"], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the check of {file} ended with {process.returncode}")
    return usage.ru_maxrss << 10


def main() -> None:
    """Print a line for each kind that the command line names, for all without a name."""
    names = [name for name in NAMES if not sys.argv[1:] or name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        cache = root / "cache"
        cache.mkdir(mode=0o700)
        for name in ("empty.mqsc", *names):
            text = text_of(name, SIZE) if name in NAMES else ""
            file = root / f"of-{name}" / name
            file.parent.mkdir()
            file.write_text(text, encoding="utf-8")
            if not text:
                peak_of(file, sys.executable, cache)  # compiles the rules
                empty = peak_of(file, sys.executable, cache)
                print(f"{name}: {empty / (1 << 20):.0f} MB")
            else:
                above = peak_of(file, sys.executable, cache) - empty
                print(f"{name}: {above / len(text.encode()):.1f} bytes for each of the text")


if __name__ == "__main__":
    main()
