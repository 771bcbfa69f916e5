"""`mqlint schema`: for editors that complete and check MQSC in YAML and JSON."""

from __future__ import annotations

import click

from mqlint.cli.common.output import echo
from mqlint.language.objects.schema import as_text
from mqlint.vocabulary.load import load_vocabulary


@click.command("schema", short_help="Print the JSON Schema of MQSC in YAML and JSON.")
def command() -> None:
    """Print the JSON Schema of MQSC in YAML and JSON.

    It is about bodies of the REST API (runCommandJSON) and lists mq_commands of Ansible. Write it
    to a file, and begin each file of YAML with a line that names it:
    # yaml-language-server: $schema=mqsc-objects.schema.json
    """
    echo(as_text(load_vocabulary()))
