"""The command line, one module a command.

The only room that prints, reads the environment or exits. A command is loaded when it is asked
for, so that `mqlint --version` costs next to nothing.
"""

from __future__ import annotations

import click

from mqlint import __version__
from mqlint.cli.common.group import Program

__all__ = ["main"]


@click.group(
    cls=Program,
    commands_in={
        "baseline": (
            "check.baseline",
            "Record the findings there are: only new ones count.",
        ),
        "check": ("check.command", "Check scripts, dumps and folders."),
        "chlauth": ("chlauth", "Ask who can start which channels, as whom."),
        "config": (
            "config.command",
            "Show the settings that hold, or write a first file.",
        ),
        "estate": (
            "estate.command",
            "Scan a whole estate on Spark, and query what was found.",
        ),
        "explain": (
            "policy.explain",
            "Say why a rule matters, what to do, with examples.",
        ),
        "policy": ("policy", "List, show, check, test and begin policies."),
        "questions": (
            "questions.command",
            "Ask what only people know: a questionnaire for DR.",
        ),
        "runcheck": ("chlauth.runcheck", "Say what CHLAUTH would make of a connection."),
        "show": ("show", "Show what is understood of a file."),
        "rules": ("policy.rules", "List the rules there are."),
        "why": ("policy.why", "Say why a rule speaks or is silent about a place."),
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", prog_name="mqlint")
def main() -> None:
    """Check IBM MQ configuration without a queue manager.

    MQSC scripts, dmpmqcfg dumps, CHLAUTH rules, ini files and the control commands in scripts
    are read, a model of queue managers and sites is built from them, and rules are judged on it.

    \b
    Exit status of `mqlint check`:
      0  nothing at or above --fail-on was found
      1  something was
      2  the command line, the configuration or a policy is wrong
      3  folders were searched and nothing in them was recognised
    """  # noqa: D301 a mark for click: keep these lines
