"""`mqlint policy check`: whether policies load, and what they are about in these files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from mqlint.cli.common.output import echo, terminal_width
from mqlint.cli.common.project import (
    Session,
    cache_options,
    config_option,
    open_session,
    policies_option,
)
from mqlint.cli.common.targets import gather
from mqlint.engine import Analyser
from mqlint.engine.matching import matches
from mqlint.report.json import dump
from mqlint.report.terminal import counted, visible, wrap


@click.command("check", short_help="Load policies, and count what each is about.")
@click.argument("paths", metavar="[PATHS]...", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@config_option
@policies_option
@cache_options
def command(
    paths: tuple[str, ...],
    form: str,
    config: Path | None,
    policies: tuple[Path, ...],
    cache: Path | None,
) -> None:
    """Load all policies; with PATHS of configuration, count the objects each is about there.

    An object is counted where the policy's `match` certainly holds and its `unless` certainly
    does not, whatever the check then finds and whichever profile the run has. Exit status 2 when
    a policy does not load.
    """
    session = open_session(paths, config, policies, cache)
    book = session.rulebook
    own = len(session.own_policies)
    loaded = f"{counted(len(book.rules), 'rule')} loaded, {len(book.policies):,} of them policies"
    counts = count(session, paths) if paths else {}
    if form == "json":
        told = {"rules": len(book.rules), "policies": len(book.policies), "own": own}
        echo(dump({**told, "matched": counts}) + "\n")
        return
    echo(f"{loaded}, {own:,} of your own\n")
    if paths:
        echo("\n".join(report(counts, session, min(terminal_width(), 120))) + "\n")


def count(session: Session, paths: tuple[str, ...]) -> Mapping[str, int]:
    """Return how many objects in the files each policy is about."""
    targets = gather(session, paths)
    analyser = Analyser(session.vocabulary)
    return matches(targets.inputs, session.settings, analyser, session.rulebook)


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
