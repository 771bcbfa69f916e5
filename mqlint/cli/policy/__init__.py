"""`mqlint policy`: what the author of a policy needs, one module a command."""

from __future__ import annotations

import click

from mqlint.cli.common.group import LazyGroup


@click.group(
    "policy",
    cls=LazyGroup,
    short_help="Work on policies: list, show, check, test, new, learn, schema.",
    commands_in={
        "check": ("policy.check", "Load policies and count the objects that each one matches."),
        "learn": ("policy.learn", "Propose policies for what your objects have in common."),
        "list": ("policy.rules", "List the rules, with filters."),
        "new": ("policy.new", "Write the skeleton of a policy."),
        "schema": ("schema:policy", "Print the JSON Schema of a policy, for editors."),
        "show": ("policy.show", "Show how mqlint reads a policy."),
        "test": ("policy.test", "Run the cases of policies."),
    },
)
def command() -> None:
    """Work on policies: built-in ones and your own."""
