"""`mqlint policy new`: the skeleton of a policy, which loads and passes its cases as it is."""

from __future__ import annotations

from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo, require_inside, write_new
from mqlint.cli.common.project import ProjectOptions
from mqlint.config.data import data_of
from mqlint.policy.language.table import is_id
from mqlint.report.terminal import visible

SCHEMA = "policy.schema.json"
"""What editors find the schema under, beside the policy (`mqlint policy schema`)."""


@click.command("new", short_help="Write the skeleton of a policy.")
@click.argument("rule", metavar="ID")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder to write to. Default: the first of `policies:` in mqlint.yaml, otherwise "
    "this folder.",
)
@options("config policies", project=ProjectOptions)
def command(rule: str, folder: Path | None, project: ProjectOptions) -> None:
    """Write the file of a policy ID (as in OWN002) that loads and passes its cases as it is.

    Change its texts, conditions and cases, and run `mqlint policy test FILE`. An existing file is
    never changed.
    """
    if not is_id(rule):
        raise Refusal(
            f"{visible(rule)!r} is not an id: write letters and three digits, as in OWN002"
        )
    session = project.session()
    if rule in session.rulebook.rules:
        raise Refusal(
            f"the id {rule} is taken by another policy: {session.rulebook.rules[rule].name}"
        )
    folders = [path for path in (*session.policy_folders, *project.policies) if path.is_dir()]
    place = folder or (folders[0] if folders else Path())
    path = place / f"{rule}.yaml"
    write(path, skeleton(rule))
    shown = visible(str(path))
    runs = "" if place in session.policy_folders else f" --policies {shown}"
    echo(f"wrote {shown}\nnext: mqlint policy test {shown}, then mqlint check{runs}\n")


def skeleton(rule: str) -> str:
    text = data_of("mqlint.cli.policy").joinpath("skeleton.yaml").read_text("utf-8")
    return text.replace("{id}", rule)


def write(path: Path, text: str) -> None:
    """Write a new policy; its first line names the schema for editors."""
    if (path.parent / SCHEMA).is_file():
        text = f"# yaml-language-server: $schema={SCHEMA}\n{text}"
    require_inside(path)
    write_new(path, text)
