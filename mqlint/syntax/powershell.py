"""MQ's commands in PowerShell scripts (`.ps1`), and the MQSC that the scripts hold."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.source.budget import Budget
from mqlint.syntax.powershell_scan import PowershellScanner
from mqlint.syntax.shell import parse_scanned
from mqlint.syntax.step import ShellScript
from mqlint.vocabulary.control import ControlSpec


def parse_powershell(
    text: str, commands: Mapping[str, ControlSpec], budget: Budget | None = None
) -> ShellScript:
    """Read a PowerShell script; whatever the text, something is returned.

    `commands` are the control commands to look for.
    """
    budget = budget or Budget(len(text))
    return parse_scanned(text, PowershellScanner(text, budget).scan(), commands, budget)
