"""`mqlint rehearse`: the calendar of a DR test, before it takes place."""

from __future__ import annotations

from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import answer, echo, echo_lines
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.rehearse.rehearsal import ClusteredEstate, Rehearsal, estate_of, rehearsed, sites_of
from mqlint.cli.rehearse.render import as_json, text_lines
from mqlint.config.errors import not_among
from mqlint.rehearsal.calendar import CalendarEntry
from mqlint.rehearsal.draft import draft
from mqlint.report.terminal import visible

HARMLESS, HARMFUL = 0, 1
"""Exit statuses by the outcome; 2 stands for every error."""


@click.command("rehearse", short_help="Simulate a DR test of clusters, day by day.")
@paths_argument
@click.option(
    "--scenario",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="What is started where and when; see --init.",
)
@click.option("--init", is_flag=True, help="Print a first scenario from the files, and end.")
@click.option("--site", metavar="NAME", help="With --init: the DR site, if the files have several.")
@click.option(
    "--queue-manager", metavar="NAME", help="Print only what concerns this queue manager."
)
@click.option("--format", "form", type=click.Choice(["text", "json", "html"]), default="text")
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    scenario: Path | None,
    init: bool,
    site: str | None,
    queue_manager: str | None,
    form: str,
    project: ProjectOptions,
) -> int:
    """Simulate a DR test of clusters, day by day, without a queue manager.

    PATHS describe production and DR, by default this folder. The scenario says which queue
    managers start at DR, how they are made, and what is done on which day. The calendar shows which
    cluster records change, which messages and reason codes appear, and which remedies help. Each
    line names its source. What no source decides is shown with both outcomes.

    \b
    Exit status:
      0  no record of production changes in any outcome
      1  a record of production changes, or may change
      2  an error
    """  # noqa: D301 a mark for click: keep these lines
    if init == (scenario is not None):
        raise click.UsageError("name a scenario with --scenario, or print a first one with --init")
    session = project.session(paths)
    estate = estate_of(session, paths or (".",))
    if scenario is None:
        _print_draft(estate, site)
        return HARMLESS
    found = rehearsed(estate, scenario)
    entries = _about(found, queue_manager)
    if form == "html":
        from mqlint.cli.rehearse.page import page_lines  # here, as the other forms need none of it

        echo("".join(page_lines(found, entries)))
    else:
        answer(
            form, lambda: as_json(found, entries), lambda width: text_lines(found, entries, width)
        )
    outcomes = [found.outcome]
    for branch in found.branches:
        outcomes += [branch.if_yes, branch.if_no]
    return HARMLESS if all(outcome.is_untouched for outcome in outcomes) else HARMFUL


def _print_draft(estate: ClusteredEstate, site: str | None) -> None:
    production, dr = sites_of(estate, site)
    echo_lines(draft(estate.members, production, dr))


def _about(found: Rehearsal, name: str | None) -> list[CalendarEntry]:
    """The entries that concern a queue manager, by its name; all without a name."""
    entries = list(found.result.entries)
    if name is None:
        return entries
    instances = list(found.world.instances.values())
    named = [
        instance
        for instance in instances
        if name in (instance.member.name, instance.title, instance.id)
    ]
    if not named:
        names = {instance.member.name for instance in instances}
        choice = visible(not_among(name, names))
        raise Refusal(f"no queue manager {visible(name)!r} in this rehearsal: {choice}")
    titles = {instance.title for instance in named}
    groups = {f"partial repositories at {instance.member.site}" for instance in named}
    return [
        entry
        for entry in entries
        if not entry.who or titles & {*entry.who, *entry.about} or groups & {*entry.who}
    ]
