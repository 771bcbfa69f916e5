"""`python -m tests.fuzz --minutes 10`: a sitting of each target that is not complete.

`python -m tests.fuzz --keep` writes what the repository keeps of them: see `kept`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic

from tests.fuzz import probes

FOLDER = Path(".make/fuzz")
WITHOUT = ("mqlint.dataclass", "mqlint.patterns")
"""Modules that do what they do once in a process, whichever input asks first."""


def main() -> int:
    """Fuzz until all is complete or the time is over; status 1 when anything fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--target", action="append", help="this one alone; may be repeated")
    parser.add_argument("--minutes", type=float, default=10.0, help="in all")
    parser.add_argument("--sitting", type=int, default=20_000, help="executions of one, at most")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where inputs are kept")
    parser.add_argument("--keep", action="store_true", help="only write tests/fuzz/kept")
    parser.add_argument("--table", action="store_true", help="only what all sittings came to")
    options = parser.parse_args()
    if not options.table:
        probes.install("mqlint", WITHOUT)
    from tests.fuzz.driver import Driver
    from tests.fuzz.program import BASE, run_of

    options.folder.mkdir(parents=True, exist_ok=True)
    driver = Driver(options.folder)
    if options.table:
        driver.show()
        return 0
    if options.keep:
        driver.keep(options.target)
        return 0
    run_of({"prod/QMB/base.mqsc": BASE})  # compiles the rules, once for all processes
    return driver.run(options.target, monotonic() + options.minutes * 60, options.sitting)


if __name__ == "__main__":
    sys.exit(main())
