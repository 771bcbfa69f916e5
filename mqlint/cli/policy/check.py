"""`mqlint policy check`: whether policies load, and what they are about in these files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import click

from mqlint.cli.common.documents import project_of
from mqlint.cli.common.options import format_option, options, paths_argument
from mqlint.cli.common.output import echo, echo_lines, terminal_width
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.engine.project import Project
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.index import Index
from mqlint.report.json import dump
from mqlint.report.terminal import counted, visible, wrap


@click.command("check", short_help="Load policies and count the objects that each one matches.")
@paths_argument
@format_option
@options("config policies cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    form: str,
    project: ProjectOptions,
) -> None:
    """Load all policies; with PATHS of configuration, count the objects each is about there.

    An object is counted where the policy's `match` certainly holds and its `unless` certainly
    does not, whatever the check then finds and whichever profile the run has. Exit status 2 when
    a policy does not load.
    """
    session = project.session(paths)
    rulebook = session.rulebook
    own = len(session.own_policies)
    rules, policies = len(rulebook.rules), len(rulebook.policies)
    loaded = f"{counted(rules, 'rule')} loaded, {policies:,} of them policies"
    counts = count(session, paths) if paths else {}
    if form == "json":
        numbers = {"rules": rules, "policies": policies, "own": own}
        echo(dump({**numbers, "matched": counts}) + "\n")
        return
    echo(f"{loaded}, {own:,} of your own\n")
    if paths:
        echo_lines(report(counts, session, terminal_width(120)))


def count(session: Session, paths: tuple[str, ...]) -> Mapping[str, int]:
    """Return how many objects in the files each policy is about."""
    project = project_of(session, collect(session, paths).inputs)
    return matches(project, session.rulebook)


def report(counts: Mapping[str, int], session: Session, width: int) -> Iterator[str]:
    """Yield a line for each policy that is about something, and the names of the others."""
    rules = session.rulebook.rules
    for key, number in counts.items():
        if number:
            yield f"  {number:>8,}  {key:<8}{visible(rules[key].name)}"
    idle = [key for key, number in counts.items() if not number]
    if idle:
        text = f"about nothing here, {len(idle):,} of {len(counts):,}: {', '.join(idle)}"
        yield from wrap(text, width, "", "  ")


def matches(project: Project, rulebook: Rulebook) -> dict[str, int]:
    """Return the number of facts that each policy matches, by the policy's id.

    A fact that scripts and a dump of one queue manager both describe counts once.
    """
    # An index leaves out what cannot be wrong: here it is asked without what it knows.
    index = Index(replace(policy, clauses=()) for policy in rulebook.policies)
    counts = dict.fromkeys((policy.id for policy in rulebook.policies), 0)
    for descriptions in project.descriptions():
        seen: dict[str, set[tuple[str, str]]] = {}
        for facts in descriptions:
            for rule, found in index.matched(facts).items():
                seen.setdefault(rule, set()).update((fact.type, fact.key) for fact in found)
        for rule, keys in seen.items():
            counts[rule] += len(keys)
    return counts
