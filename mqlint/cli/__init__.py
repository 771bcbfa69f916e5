"""The command line, one module a command.

The only room that prints, reads the environment or exits. A command is loaded when it is asked
for, so that `mqlint --version` costs next to nothing.
"""

from __future__ import annotations

from mqlint import __version__
from mqlint.server import OPTION
from mqlint.source.gc_control import gc_paused

with gc_paused():
    import click

    from mqlint.cli.common.group import Program

__all__ = ["main"]


@click.group(
    cls=Program,
    commands_in={
        "baseline": (
            "check.baseline",
            "Record existing findings so that only new ones fail the check.",
        ),
        "check": ("check.command", "Check scripts, dumps and folders."),
        "chlauth": ("chlauth", "Show who can start which channels, and as which user."),
        "completion": ("completion", "Print a script that completes words in a shell."),
        "config": (
            "config.command",
            "Show the settings in force, or write a first file.",
        ),
        "diff": (
            "diff.command",
            "Compare two descriptions of queue managers by meaning.",
        ),
        "doctor": ("doctor", "Show versions, configuration, and what would be checked."),
        "estate": (
            "estate.command",
            "Scan a whole estate and query the findings.",
        ),
        "explain": (
            "policy.explain",
            "Explain a rule, a group, or a message or reason code.",
        ),
        "fix": ("fix", "Fix findings; each fix is proven by the model."),
        "format": (
            "format",
            "Give MQSC scripts one layout without changing their meaning.",
        ),
        "lsp": ("lsp.command", "Show findings in an editor (language server)."),
        "plan": ("plan.command", "Plan the commands that change one description into another."),
        "policy": ("policy", "List, show, check, test and create policies."),
        "questions": (
            "questions",
            "Print a DR questionnaire about what no file shows.",
        ),
        "rehearse": (
            "rehearse.command",
            "Simulate a DR test of clusters, day by day.",
        ),
        "runcheck": ("chlauth.runcheck", "Show how CHLAUTH decides about a connection."),
        "schema": ("schema", "Print the JSON Schema of MQSC in YAML and JSON."),
        "server": ("server", "Keep mqlint loaded, for hooks and editors."),
        "show": ("show", "Show how mqlint reads a file."),
        "rules": ("policy.rules", "List the rules, with filters."),
        "why": ("policy.why", "Explain why a rule does or does not report a place."),
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    OPTION,
    is_flag=True,
    expose_value=False,
    help="Let mqlint server run the command, as MQLINT_SERVER=1. Only as the first word.",
)
@click.version_option(__version__, "-V", "--version", prog_name="mqlint")
def main() -> None:
    """Check IBM MQ configuration without a queue manager.

    mqlint reads MQSC scripts, dmpmqcfg dumps, CHLAUTH rules, ini files and the control
    commands in scripts, builds a model of queue managers and sites, and checks rules on it.

    \b
    Exit status of `mqlint check`:
      0  no finding at or above --fail-on
      1  a finding at or above --fail-on, or a file that cannot be read
      2  the command line, the configuration or a policy is wrong
      3  folders were searched and no file was recognised
    """  # noqa: D301 a mark for click: keep these lines
