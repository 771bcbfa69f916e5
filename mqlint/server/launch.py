"""The server started in the background by a command that found none."""

from __future__ import annotations

import subprocess

from mqlint.source.child import python_command, python_environment


def launch() -> None:
    """Start a server that outlives this process; it ends at once if there is one already.

    It runs in the root folder: nothing in the working folder takes part in its start.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 this Python, no shell
            python_command("mqlint.cli.server", "serve_in_background"),
            env=python_environment(),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return
    process.returncode = 0  # this process does not wait for it
