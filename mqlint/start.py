"""The program `mqlint`: run by the server if that is wanted, else in this process."""

from __future__ import annotations

import atexit
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
    from mqlint.imports import find_directly  # here, as the client of a server needs none of it

    find_directly()
    from mqlint.cli import main as program

    try:
        program()
    except SystemExit as end:
        _leave(end)


def _leave(end: SystemExit) -> None:
    """Exit without freeing each object, which takes as long as reading several files."""
    threading = sys.modules.get("threading")
    if isinstance(end.code, int) and (threading is None or threading.active_count() == 1):
        try:
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            raise end from None
        os._exit(end.code)
    raise end
