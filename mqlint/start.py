"""The program `mqlint`: run by the server if that is wanted, else in this process."""

from __future__ import annotations

import os
import sys

WANTED = "MQLINT_SERVER"
"""The environment variable that says, with the value 1, that commands use the server."""
OPTION = "--server"
"""The same as the first word of a command line."""


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
