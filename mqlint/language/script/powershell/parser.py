"""MQ's commands in PowerShell scripts (`.ps1`), and the MQSC that the scripts hold."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.language.base import Context, Parsed
from mqlint.language.script.environment import environment_faults
from mqlint.language.script.expansion import powershell_faults
from mqlint.language.script.pitfalls import local_samples
from mqlint.language.script.powershell.scanner import PowershellScanner
from mqlint.language.script.reader import parse_scanned
from mqlint.language.script.step import ShellScript
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec


def parse_powershell(
    text: str, commands: Mapping[str, ControlSpec], budget: Budget | None = None
) -> ShellScript:
    """Read a PowerShell script, whatever its text.

    `commands` are the control commands to look for.
    """
    budget = budget or Budget(len(text))
    return parse_scanned(text, PowershellScanner(text, budget).scan(), commands, budget)


def read(text: str, context: Context) -> Parsed:
    return Parsed(
        script=parse_powershell(text, context.vocabulary.control, context.budget),
        diagnostics=(*environment_faults(text), *powershell_faults(text), *local_samples(text)),
    )
