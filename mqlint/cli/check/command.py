"""`mqlint check`: read, judge, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.accepted import baseline_option, waivers_option
from mqlint.cli.check.judging import How, Outcome, change_of, folder_of, judged
from mqlint.cli.common.choice import Choice, choice_options
from mqlint.cli.common.output import Output, report_options, write
from mqlint.cli.common.project import (
    cache_options,
    config_option,
    open_session,
    policies_option,
    shown_path,
)
from mqlint.cli.common.targets import Scope, owners_of, scopes_of
from mqlint.config.project import git_top
from mqlint.engine import Run
from mqlint.finding import Coverage
from mqlint.report import FORMATS, Known, Report
from mqlint.report.terminal import counted, visible
from mqlint.source.gc_control import gc_paused

if TYPE_CHECKING:
    from mqlint.report.in_force import InForce

ALIKE = 5
"""More equal complaints than this about one queue manager are printed as one."""

CLEAN, FOUND, NOTHING = 0, 1, 3
"""Exit statuses; 2 stands for every error of usage or configuration."""


@click.command("check", short_help="Check scripts, dumps and folders.")
@click.argument("paths", metavar="[PATHS]...", nargs=-1)
@report_options(f"{', '.join(FORMATS)}; to standard output or to FILE.")
@config_option
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option(
    "--min-coverage",
    metavar="PERCENT",
    type=click.FloatRange(0, 100),
    help="Exit with 1 when a smaller share of the MQSC commands is understood.",
)
@choice_options
@click.option(
    "--profile", "profiles", metavar="NAME", multiple=True, help="Run the rules of this profile."
)
@click.option(
    "--no-ignores",
    is_flag=True,
    help="Show also what comments (mqlint: ignore[...]) and waivers suppress.",
)
@waivers_option
@baseline_option
@click.option(
    "--diff",
    "base",
    metavar="BASE",
    help="Report only what is new since this commit of git (main, HEAD, origin/main...).",
)
@click.option(
    "--accept-exceptions",
    is_flag=True,
    help="With --diff: new ignores, waivers and looser settings count, and are still reported.",
)
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), default=1, help="Processes.")
@policies_option
@click.option(
    "--stdin-filename",
    metavar="NAME",
    help="What the text on standard input (PATH `-`) is called, and judged as.",
)
@cache_options
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="auto: on a terminal, unless NO_COLOR is set.",
)
@click.option("--all", "everything", is_flag=True, help="Print each finding, roll nothing up.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings only; nothing when all is well.")
def command(
    paths: tuple[str, ...],
    places: tuple[Output, ...],
    config: Path | None,
    fail_on: str | None,
    exit_zero: bool,
    min_coverage: float | None,
    choice: Choice,
    profiles: tuple[str, ...],
    no_ignores: bool,
    waivers: Path | None,
    baseline: Path | None,
    base: str | None,
    accept_exceptions: bool,
    jobs: int,
    policies: tuple[Path, ...],
    stdin_filename: str | None,
    cache: Path | None,
    color: str,
    everything: bool,
    quiet: bool,
) -> int:
    """Check PATHS: files, folders, or `-` for standard input. Default: this folder.

    Files that are named are checked, the rest of their project is read as context. Of folders in
    a git checkout, what git tracks or would track is read.
    """
    click.get_current_context().find_root().with_resource(gc_paused())
    first = open_session(paths, config, policies, cache, waivers=waivers, baseline=baseline)
    how = How(choice, profiles, jobs, not no_ignores, fail_on)
    named = paths or (".",)
    change = change_of(base, first, named, accept=accept_exceptions)
    owners = owners_of(first, named) if change is None else change.owners
    session_of = first.beside if change is None else change.session_of
    scopes = scopes_of(named, stdin_filename, owners, session_of)
    outcomes = judged(scopes, how, change)
    root = Path(os.path.commonpath([outcome.session.project.root for outcome in outcomes]))
    run, known = merged(outcomes, root)
    lack = shortfall(run.coverage, min_coverage) or unread(run.coverage)
    status = FOUND if lack or any(outcome.fails for outcome in outcomes) else CLEAN
    searched = any(scope.targets.searched for scope in scopes)
    if status == CLEAN and searched and not run.coverage.count("checked"):
        lack, status = "nothing was recognised in the folders searched", NOTHING
    why = ending(lack, is_excused=exit_zero and status == FOUND)
    status = CLEAN if exit_zero and status == FOUND else status
    report = report_of(run, root, status, known)
    in_force = in_force_of(outcomes, scopes, how, root)
    report = replace(report, in_force=in_force, outcome=why)
    write(report, places, color, None if everything else ALIKE, quiet)
    if lack:
        click.echo(f"mqlint: {lack}", err=True)
    return status


def merged(outcomes: Sequence[Outcome], root: Path) -> tuple[Run, list[Known]]:
    """Return the runs of several projects as one, with paths relative to `root`."""
    known = [part for outcome in outcomes for part in outcome.known]
    if len(outcomes) == 1:
        return outcomes[0].run, known
    from mqlint.engine.several import together  # here, as most runs are about one project

    return together([(folder_of(one.session.project, root), one.run) for one in outcomes]), known


def in_force_of(
    outcomes: Sequence[Outcome], scopes: Sequence[Scope], how: How, root: Path
) -> list[InForce]:
    """Return what is in force in a run over several projects, kind by kind."""
    if replace(how, jobs=1, ignores=True) == How() and not any(map(_is_set, outcomes)):
        return []
    from mqlint.cli.check.in_force import (  # here, as most runs have nothing in force
        in_force,
        in_order,
    )

    return in_order(
        (row.below(folder_of(outcome.session.project, root)) if len(outcomes) > 1 else row)
        for outcome, scope in zip(outcomes, scopes, strict=True)
        for row in in_force(outcome, scope.targets, how)
    )


def _is_set(outcome: Outcome) -> bool:
    """Whether something of a project may be in force."""
    run = outcome.run
    return outcome.session.written is not None or bool(run.ignored) or bool(outcome.known)


def report_of(run: Run, root: Path, status: int = CLEAN, known: Sequence[Known] = ()) -> Report:
    """Return what is reported of a run that exits with `status`; `known` was there before.

    `root` is the folder that paths are relative to.
    """
    shown = "" if root == Path.cwd() else shown_path(root)
    return Report(
        run.findings,
        run.coverage,
        run.assumptions,
        run.text_of,
        root=shown,
        below=below_checkout(root),
        status=status,
        warn=warn,
        ignored=run.ignored,
        known=known,
    )


def below_checkout(root: Path) -> str:
    """Return where a folder stands in its git checkout, with slashes; blank for the top."""
    top = git_top(root)
    return "" if top is None or top == root else root.relative_to(top).as_posix()


def warn(text: str) -> None:
    """Say something on standard error, where no report can swallow it."""
    click.echo(f"mqlint: {visible(text)}", err=True)


def unread(coverage: Coverage) -> str | None:
    """Return what is said when files could not be read, None where there are none."""
    number = coverage.count("unreadable")
    return f"{counted(number, 'file')} could not be read" if number else None


def shortfall(coverage: Coverage, least: float | None) -> str | None:
    """Return what is said when less than `least` percent of the commands are understood."""
    seen, understood = coverage.commands, coverage.understood
    if least is None or 100 * understood >= least * seen:
        return None
    share = 1000 * understood // seen / 10
    return (
        f"{understood:,} of {seen:,} commands understood ({share} %), "
        f"--min-coverage asks for {least:g} %"
    )


def ending(lack: str | None, *, is_excused: bool) -> str:
    """Return why a run ends with the status it has; blank where the findings call for it.

    `lack` is what was not done as asked; `is_excused` says that --exit-zero changes the status.
    """
    if not is_excused:
        return lack or ""
    return f"{lack or 'something at or above the threshold was found'}; --exit-zero was given"
