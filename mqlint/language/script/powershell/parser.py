"""MQ's commands in PowerShell scripts (`.ps1`), and the MQSC that the scripts hold."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.script.faults.environment import environment_faults
from mqlint.language.script.faults.members import member_faults
from mqlint.language.script.faults.pitfalls import local_samples
from mqlint.language.script.powershell.expansion import powershell_faults
from mqlint.language.script.powershell.scanner import PowershellScanner
from mqlint.language.script.reader import parse_scanned
from mqlint.vocabulary.control import in_any_case


def read(text: str, context: Context) -> Parsed:
    return Parsed(
        script=parse_scanned(
            text,
            PowershellScanner(text, context.budget).scan(),
            in_any_case(context.vocabulary.control),
            context.budget,
        ),
        diagnostics=(
            *environment_faults(text),
            *powershell_faults(text),
            *local_samples(text),
            *member_faults(text),
        ),
    )
