"""`mqlint plan`: the commands of a change, their order, their undo and their effects."""

from __future__ import annotations

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import answer, echo, echo_lines
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.diff.sides import ORDER, ComparisonOptions, renames_help
from mqlint.cli.plan.plans import Plans, plans_of
from mqlint.cli.plan.render import as_json, markdown_lines, text_lines
from mqlint.cli.plan.wording import script_lines
from mqlint.report.terminal import visible

EQUAL, DIFFERENT = 0, 1
"""Exit statuses, as of diff; 2 stands for every error."""


@click.command("plan", short_help="Plan the commands that change one description into another.")
@paths_argument
@options(ORDER, renames_help("B"), comparison=ComparisonOptions)
@click.option(
    "--queue-manager",
    "manager",
    metavar="NAME",
    help="Show the plan of one queue manager.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html", "mqsc", "undo"]),
    default="text",
    help="mqsc and undo: only the commands, or only those that undo them.",
)
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    manager: str | None,
    form: str,
    project: ProjectOptions,
    comparison: ComparisonOptions,
) -> int:
    """Plan the commands that change A into B.

    PATHS are two files or folders, A and B, or two commits as BASE..HEAD. The plan has the MQSC
    in an order that works, its undo, when each change takes effect, what depends on it, and what
    you must find out first. Nothing is run.

    \b
    Exit status:
      0  no differences
      1  differences, or something undecided
      2  an error
    """  # noqa: D301 a mark for click: keep these lines
    found = plans_of(paths, comparison.ignored, comparison.rename, project)
    if manager is not None:
        found = found.only(manager)
    if form in ("mqsc", "undo"):
        echo_lines(script_lines(_one(found, form), is_undo=form == "undo"))
    elif form == "markdown":
        echo_lines(markdown_lines(found))
    elif form == "html":
        from mqlint.cli.plan.page import page_lines

        echo("".join(page_lines(found)))
    else:
        answer(form, lambda: as_json(found), lambda width: text_lines(found, width))
    return DIFFERENT if found.result.differences else EQUAL


def _one(found: Plans, form: str) -> Plans:
    """Refuse the commands of several queue managers: a pipe to runmqsc would run them all."""
    changed = [plan for plan in found.plans if plan.steps]
    if len(changed) > 1:
        names = ", ".join(sorted(visible(plan.now.key.name) for plan in changed)[:5])
        raise Refusal(
            f"--format {form} needs --queue-manager: {len(changed)} queue managers differ ({names})"
        )
    return found
