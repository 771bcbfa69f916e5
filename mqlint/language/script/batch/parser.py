"""MQ's commands in batch files of Windows (`.cmd`, `.bat`), and the MQSC that the files hold."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.language.base import Context, Parsed
from mqlint.language.script.batch.scanner import BatchScanner
from mqlint.language.script.environment import ended_by_setmqenv, environment_faults
from mqlint.language.script.expansion import batch_faults
from mqlint.language.script.pitfalls import local_samples
from mqlint.language.script.reader import parse_scanned
from mqlint.language.script.step import ShellScript
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec


def parse_cmd(
    text: str, commands: Mapping[str, ControlSpec], budget: Budget | None = None
) -> ShellScript:
    """Read a batch file; whatever the text, something is returned.

    `commands` are the control commands to look for.
    """
    budget = budget or Budget(len(text))
    return parse_scanned(text, BatchScanner(text, budget).scan(), commands, budget)


def read(text: str, context: Context) -> Parsed:
    return Parsed(
        script=parse_cmd(text, context.vocabulary.control, context.budget),
        diagnostics=(
            *environment_faults(text),
            *batch_faults(text),
            *ended_by_setmqenv(text),
            *local_samples(text),
        ),
    )
