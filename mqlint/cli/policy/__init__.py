"""`mqlint policy`: what the author of a policy needs, one module a command."""

from __future__ import annotations

import click

from mqlint.cli.common.group import LazyGroup


@click.group(
    "policy",
    cls=LazyGroup,
    short_help="Work on policies: list, show, check, test, new, schema.",
    commands_in={
        "check": ("policy.check", "Load policies, and count what each is about."),
        "list": ("policy.list", "List policies, by theme or profile."),
        "new": ("policy.new", "Write the skeleton of a policy."),
        "schema": ("policy.schema", "Print the JSON Schema of a policy, for editors."),
        "show": ("policy.show", "Show a policy as it is understood."),
        "test": ("policy.test", "Run the cases of policies."),
    },
)
def command() -> None:
    """Work on policies: those that come along and your own."""
