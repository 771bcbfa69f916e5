"""Checks of the text in an editor: `mqlint check` in a process of its own, which can be ended."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from mqlint.config.project import is_dir
from mqlint.server import OPTION
from mqlint.source.child import python_command, python_environment

Json = dict[str, Any]
"""A report in the format json; mqlint/report/report.schema.json describes it."""
_COMPLETE = (0, 1)
"""Exit statuses of a check that has a report."""


class CheckError(Exception):
    """A check that ended without a report; the text says why."""


async def check(path: Path, text: str, *, fixes: bool = False) -> Json:
    """Return the report about a file with this text, and with its fixes if they are wanted.

    The rest of its project is read as it is on disk. CheckError if the configuration is wrong, or
    if the process cannot be started or ends early. If the task is cancelled, the process is killed.
    """
    words = [OPTION, "check", "--format", "json", "--filtered", "--stdin-filename", str(path)]
    try:
        process = await asyncio.create_subprocess_exec(
            *python_command("mqlint.start", "main", (*words, *(["--fixes"] if fixes else []), "-")),
            env=python_environment(path),
            cwd=next(filter(is_dir, path.parents)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
    except OSError as error:  # the folder is gone, or a path is too long
        raise CheckError(f"mqlint check does not start: {error.strerror}") from None
    try:
        output, errors = await process.communicate(text.encode("utf-8", "surrogatepass"))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode not in _COMPLETE:
        raise CheckError(errors.decode("utf-8", "replace").strip() or "mqlint check failed")
    report: Json = json.loads(output)
    return report
