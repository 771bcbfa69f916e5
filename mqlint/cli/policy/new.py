"""`mqlint policy new`: the skeleton of a policy, which loads and passes its cases as it is."""

from __future__ import annotations

from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo, require_inside
from mqlint.cli.common.project import ProjectOptions
from mqlint.policy.language.table import is_id
from mqlint.report.terminal import visible

SCHEMA = "policy.schema.json"
"""What editors find the schema under, beside the policy (`mqlint policy schema`)."""

SKELETON = """\
id: {id}
name: name-of-the-rule          # words joined by hyphens
summary: What is wrong, in at most 70 characters
severity: {{default: note}}       # note, warning or error, by profile
confidence: medium              # high, medium or low
why: |
  The effect on the user's system first, then its cause. At most 60 words.
fix: |
  Say what to do, any condition first. Indented lines keep their breaks:

      ALTER QLOCAL(the.queue) MAXDEPTH(5000)
# more: |
#   Further detail, which `mqlint explain` shows and a report does not.
# What it is about: the type of object, and a condition on it.
match: {{object: qlocal, name: {{like: APP.*}}}}
# What such an object must be. Its kinds: attributes, related, grouped, sequence.
check:
  attributes: {{MAXDEPTH: {{ge: {{param: least}}}}}}
# What a user may set in mqlint.yaml, under `parameters: {{{id}: {{least: 100}}}}`.
parameters:
  least: {{default: 1000, type: integer, says: the smallest MAXDEPTH that is not reported}}
message: "queue {{name}} has MAXDEPTH({{MAXDEPTH}}), less than {{param.least}}"
cases:
  - name: too few
    files: {{q.mqsc: "DEFINE QLOCAL(APP.A) MAXDEPTH(999)\\n"}}
    flagged: [q.mqsc:1]
  - name: just enough
    files: {{q.mqsc: "DEFINE QLOCAL(APP.A) MAXDEPTH(1000)\\n"}}
    flagged: []
  - name: a queue of another application
    files: {{q.mqsc: "DEFINE QLOCAL(OTHER.A) MAXDEPTH(1)\\n"}}
    flagged: []
  - name: a template fills in the depth
    files: {{q.mqsc: "DEFINE QLOCAL(APP.A) MAXDEPTH({{{{ depth }}}})\\n"}}
    flagged: []
"""


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
    write(path, SKELETON.format(id=rule))
    shown = visible(str(path))
    runs = "" if place in session.policy_folders else f" --policies {shown}"
    echo(f"wrote {shown}\nnext: mqlint policy test {shown}, then mqlint check{runs}\n")


def write(path: Path, text: str) -> None:
    """Write a new policy; its first line names the schema for editors."""
    if (path.parent / SCHEMA).is_file():
        text = f"# yaml-language-server: $schema={SCHEMA}\n{text}"
    require_inside(path)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise Refusal(f"{visible(str(path))} already exists; nothing was written") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write {visible(str(path))}: {reason}") from None
