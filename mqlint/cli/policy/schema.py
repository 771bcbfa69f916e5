"""`mqlint policy schema`: for editors that complete and check YAML."""

from __future__ import annotations

import click

from mqlint.cli.common.output import echo
from mqlint.config.forms import schema_text
from mqlint.policy.language.schema import policy_schema


@click.command("schema", short_help="Print the JSON Schema of a policy, for editors.")
def command() -> None:
    """Print the JSON Schema of a policy.

    Keep it beside your policies, and begin each of them with a line that names it:
    # yaml-language-server: $schema=policy.schema.json
    """
    echo(schema_text(policy_schema()))
