"""`mqlint policy list`: the policies there are, by theme or profile."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import echo, terminal_width
from mqlint.cli.common.project import cache_folder, config_option, open_session, policies_option
from mqlint.cli.policy.rules import as_json, table
from mqlint.config.errors import not_among
from mqlint.config.settings import PROFILES
from mqlint.policy.rulebook import Rulebook
from mqlint.report.terminal import visible


@click.command("list", short_help="List policies, by theme or profile.")
@click.option("--theme", "themes", metavar="NAME", multiple=True, help="Those of this theme only.")
@click.option(
    "--profile",
    "profiles",
    metavar="NAME",
    multiple=True,
    type=click.Choice(PROFILES),
    help="Those that name this profile only. default: what every run judges.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@config_option
@policies_option
def command(
    themes: tuple[str, ...],
    profiles: tuple[str, ...],
    form: str,
    config: Path | None,
    policies: tuple[Path, ...],
) -> None:
    """List the policies: id, severity by profile, summary.

    `mqlint rules` lists these and the rules of syntax and vocabulary.
    """
    book = open_session(config=config, policies=policies, cache=cache_folder()).rulebook
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
        echo("\n".join(table(shown, min(terminal_width(), 120))) + "\n")


def require_themes(themes: tuple[str, ...], book: Rulebook) -> None:
    """Refuse a theme that no policy has."""
    known = sorted({policy.rule.group for policy in book.policies})
    for theme in themes:
        if theme not in known:
            raise Refusal(f"unknown theme {visible(theme)!r}: {not_among(theme, known)}")
