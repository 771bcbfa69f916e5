"""Checks of the text in an editor: `mqlint check` in a process of its own, which can be ended."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from mqlint.cli.common.group import FAILED
from mqlint.server import OPTION
from mqlint.source.child import python_command, python_environment

Json = dict[str, Any]
"""A report in the format json; mqlint/report/report.schema.json describes it."""


class CheckError(Exception):
    """A check that ended without a report; the text says why."""


async def check(path: Path, text: str, *, fixes: bool = False) -> Json:
    """Return the report about a file with this text, and with its fixes if they are wanted.

    The rest of its project is read as it is on disk. CheckError if the configuration is wrong. If
    the task is cancelled, the process is killed.
    """
    words = [OPTION, "check", "--format", "json", "--filtered", "--stdin-filename", str(path)]
    process = await asyncio.create_subprocess_exec(
        *python_command("mqlint.start", "main", (*words, *(["--fixes"] if fixes else []), "-")),
        env=python_environment(path),
        cwd=next(folder for folder in path.parents if folder.is_dir()),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        output, errors = await process.communicate(text.encode("utf-8", "surrogatepass"))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == FAILED or not output:
        raise CheckError(errors.decode("utf-8", "replace").strip() or "mqlint check failed")
    report: Json = json.loads(output)
    return report
