"""`python -m tests.fuzz --minutes 10`: a sitting of each target that is not complete.

Edges are counted by atheris, which has wheels for some systems only: without it there is nothing
to do, and `make test` tries each target with texts made by a seed.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from time import monotonic

FOLDER = Path(".make/fuzz")


def main() -> int:
    """Fuzz until all is complete or the time is over; status 1 when anything fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--target", action="append", help="this one alone; may be repeated")
    parser.add_argument("--minutes", type=float, default=10.0, help="in all")
    parser.add_argument("--sitting", type=int, default=20_000, help="executions of one, at most")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where inputs are kept")
    parser.add_argument("--table", action="store_true", help="only what all sittings came to")
    options = parser.parse_args()
    if find_spec("atheris") is None:
        version = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
        print(
            f"fuzzing is skipped: atheris is not installed for {version} on {sys.platform}; "
            "`make fuzz` installs it where it has a wheel"
        )
        return 0
    if not options.table:
        load_instrumented()
    from tests.fuzz.driver import Driver
    from tests.fuzz.program import BASE, run_of

    run_of({"prod/QMB/base.mqsc": BASE})  # compiles the rules, once for all processes

    options.folder.mkdir(parents=True, exist_ok=True)
    driver = Driver(options.folder)
    if options.table:
        driver.show()
        return 0
    return driver.run(options.target, monotonic() + options.minutes * 60, options.sitting)


def load_instrumented() -> None:
    """Import all of mqlint, so that its edges are counted and those of nothing else."""
    import atheris

    stderr = os.dup(2)
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  it names each module
        os.dup2(nowhere.fileno(), 2)
    try:
        with atheris.instrument_imports(include=["mqlint"], enable_loader_override=False):
            import mqlint

            for module in walk_packages(mqlint.__path__, "mqlint."):
                if not module.name.startswith("mqlint.__main__"):
                    import_module(module.name)
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


if __name__ == "__main__":
    sys.exit(main())
