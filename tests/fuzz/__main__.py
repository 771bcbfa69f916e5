"""`python -m tests.fuzz --language mqsc --minutes 10`: as long as one likes, with new texts."""

from __future__ import annotations

import argparse
import secrets
import sys
from time import perf_counter

from tests.fuzz.campaign import Tally, campaign
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Try one language or all; status 1 when something fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--language", choices=TARGETS, help="one language; all unless given")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each language")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="repeats a run exactly")
    options = parser.parse_args()
    status = 0
    for language in [options.language] if options.language else TARGETS:
        end = perf_counter() + options.minutes * 60

        def goes_on(tally: Tally, end: float = end) -> bool:
            return perf_counter() < end

        tally = campaign(TARGETS[language], options.seed, goes_on)
        print(
            f"{language}: {tally.executions:,} executions, {tally.deep:,} of them thorough, "
            f"in {tally.seconds:.0f} s; seed {options.seed}"
        )
        for failure in tally.failures:
            print(failure)
            status = 1
    return status


sys.exit(main())
