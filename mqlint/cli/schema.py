"""`mqlint schema` and `mqlint policy schema`: for editors that complete and check YAML and JSON."""

from __future__ import annotations

import click

from mqlint.cli.common.output import echo


@click.command("schema", short_help="Print the JSON Schema of MQSC in YAML and JSON.")
@click.argument("kind", type=click.Choice(["mqsc", "scenario"]), default="mqsc")
def command(kind: str) -> None:
    """Print the JSON Schema of MQSC in YAML and JSON, or of a scenario of `mqlint rehearse`.

    The first describes bodies of the REST API (runCommandJSON) and lists mq_commands of Ansible.
    Write a schema to a file, and begin each file of YAML with a line that names it:

    \b
    # yaml-language-server: $schema=mqsc-objects.schema.json
    """  # noqa: D301 a mark for click: keep these lines
    from mqlint.config.forms import schema_text

    if kind == "scenario":
        from mqlint.rehearsal.scenario import SCHEMA  # here, as the other needs none

        echo(schema_text(SCHEMA))
        return
    from mqlint.language.objects.schema import objects_schema
    from mqlint.vocabulary.load import load_vocabulary

    echo(schema_text(objects_schema(load_vocabulary())))


@click.command("schema", short_help="Print the JSON Schema of a policy, for editors.")
def policy() -> None:
    """Print the JSON Schema of a policy.

    Keep it beside your policies, and begin each of them with a line that names it:

    \b
    # yaml-language-server: $schema=policy.schema.json
    """  # noqa: D301 a mark for click: keep these lines
    from mqlint.config.forms import schema_text
    from mqlint.policy.language.schema import policy_schema

    echo(schema_text(policy_schema()))
