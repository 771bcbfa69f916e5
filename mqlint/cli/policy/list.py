"""`mqlint policy list`: the policies there are, by theme or profile."""

from __future__ import annotations

import json

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import format_option, options
from mqlint.cli.common.output import echo, echo_lines, terminal_width
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.policy.rules import as_json, table
from mqlint.config.errors import not_among
from mqlint.config.settings import PROFILES
from mqlint.policy.rulebook import Rulebook
from mqlint.report.terminal import visible


@click.command("list", short_help="List policies by group or profile.")
@click.option(
    "--theme", "themes", metavar="NAME", multiple=True, help="Only policies of this group."
)
@click.option(
    "--profile",
    "profiles",
    metavar="NAME",
    multiple=True,
    type=click.Choice(PROFILES),
    help="Only policies of this profile. default: policies of every run.",
)
@format_option
@options("config policies", project=ProjectOptions)
def command(
    themes: tuple[str, ...], profiles: tuple[str, ...], form: str, project: ProjectOptions
) -> None:
    """List the policies: id, severity by profile, summary.

    `mqlint rules` lists these and the rules of syntax and vocabulary.
    """
    book = project.session().rulebook
    require_themes(themes, book)
    shown = [
        policy.rule
        for policy in book.policies
        if (not themes or policy.rule.group in themes)
        and (not profiles or not policy.rule.severity.keys().isdisjoint(profiles))
    ]
    if form == "json":
        echo(json.dumps([as_json(rule) for rule in shown], indent=1) + "\n")
    else:
        echo_lines(table(shown, terminal_width(120)))


def require_themes(themes: tuple[str, ...], book: Rulebook) -> None:
    """Refuse a theme that no policy has."""
    known = sorted({policy.rule.group for policy in book.policies})
    for theme in themes:
        if theme not in known:
            raise Refusal(f"unknown theme {visible(theme)!r}: {not_among(theme, known)}")
