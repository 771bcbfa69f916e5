"""The program `mqlint`: run by the server if that is wanted, else in this process."""

from __future__ import annotations

import os
import sys

from mqlint.server import OPTION, WANTED


def main() -> None:
    """Run the command line and exit."""
    if sys.argv[1:2] == [OPTION] or os.environ.get(WANTED) == "1":
        from mqlint.server.client import (
            ask,  # here, as it is all that a command of the server needs
        )

        status = ask()
        if status is not None:
            sys.exit(status)
    from mqlint.cli import main as program

    program()
