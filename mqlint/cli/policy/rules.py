"""`mqlint rules`: what there is to find."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter

import click

from mqlint.cli.common.options import format_option, options
from mqlint.cli.common.output import echo, echo_lines, terminal_width
from mqlint.cli.common.project import ProjectOptions
from mqlint.finding import Rule
from mqlint.report.guide import severities
from mqlint.report.terminal import counted, visible, wrap


@click.command("rules", short_help="List the rules there are.")
@format_option
@options("config policies", project=ProjectOptions)
def command(form: str, project: ProjectOptions) -> None:
    """List the rules by group, with the severity they have in each profile.

    A severity without a profile holds in every run.
    """
    session = project.session()
    rules = session.rulebook.rules
    if form == "json":
        rows = [as_json(rule) for rule in rules.values()]
        echo(json.dumps(rows, indent=1) + "\n")
    else:
        echo_lines(table(rules.values(), terminal_width(120)))


def table(rules: Iterable[Rule], width: int) -> Iterator[str]:
    """Yield the rules group by group."""
    ordered = sorted(rules, key=attrgetter("group", "id"))
    for group, members in groupby(ordered, key=attrgetter("group")):
        yield visible(group)
        for rule in members:
            sure = rule.confidence.word
            doubt = "" if sure == "high" else f", {sure} confidence"
            yield f"  {rule.id:<8}{visible(rule.name)}  ({severities(rule)}{doubt})"
            yield from wrap(visible(rule.summary), width, " " * 10)
        yield ""
    yield f"{counted(len(ordered), 'rule')}. One in full: mqlint explain RULE"


def as_json(rule: Rule) -> Mapping[str, object]:
    """Return a rule's header for programs."""
    return {
        "id": rule.id,
        "name": rule.name,
        "group": rule.group,
        "summary": rule.summary,
        "severity": {profile: severity.word for profile, severity in rule.severity.items()},
        "confidence": rule.confidence.word,
        "evidence": rule.evidence,
        "why": rule.why,
        "fix": rule.fix,
        "more": rule.more,
        "see": list(rule.see),
        "messages": list(rule.messages),
        "covers": list(rule.covers),
        "aliases": list(rule.aliases),
        "ignorable": rule.ignorable,
        "habit": rule.habit,
    }
