"""`mqlint policy`: what the author of a policy needs, one module a command."""

from __future__ import annotations

import click

from mqlint.cli.group import LazyGroup


@click.group(
    "policy",
    cls=LazyGroup,
    short_help="Work on policies: list, show, check, test, new, schema.",
    commands_in={
        "check": ("mqlint.cli.policy_check", "Load policies, and count what each is about."),
        "list": ("mqlint.cli.policy_list", "List policies, by theme or profile."),
        "new": ("mqlint.cli.policy_new", "Write the skeleton of a policy."),
        "schema": ("mqlint.cli.policy_schema", "Print the JSON Schema of a policy, for editors."),
        "show": ("mqlint.cli.policy_show", "Show a policy as it is understood."),
        "test": ("mqlint.cli.policy_test", "Run the cases of policies."),
    },
)
def command() -> None:
    """Work on policies: those that come along and your own."""
