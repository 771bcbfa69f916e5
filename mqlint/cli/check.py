"""`mqlint check`: read, judge, report."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from mqlint import engine
from mqlint.cli.accepted import baseline_option, baseline_path, waivers_of
from mqlint.cli.choice import Choice, choice_options
from mqlint.cli.group import Refusal
from mqlint.cli.output import Output, report_options, write
from mqlint.cli.project import (
    Session,
    cache_options,
    config_option,
    open_session,
    policies_option,
    shown_path,
)
from mqlint.config.project import git_top
from mqlint.config.settings import Settings
from mqlint.engine import Input, Run, inputs_of
from mqlint.engine.run import Suppressing
from mqlint.finding import Coverage, Finding, Severity
from mqlint.report import Known, Report
from mqlint.report.secret import looks_secret
from mqlint.report.shown import visible
from mqlint.source.discover import discover
from mqlint.source.display import display_path
from mqlint.source.memory import collector_paused
from mqlint.syntax.mqsc.known import KnownShapes

ALIKE = 5
"""More equal complaints than this about one queue manager are printed as one."""

CLEAN, FOUND, NOTHING = 0, 1, 3
"""Exit statuses; 2 stands for every error of usage or configuration."""


@click.command("check", short_help="Check scripts, dumps and folders.")
@click.argument("paths", metavar="[PATHS]...", nargs=-1)
@report_options("text, json, sarif or github, to standard output or to FILE.")
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
@baseline_option
@click.option(
    "--diff",
    "base",
    metavar="BASE",
    help="Report only what is new since this commit of git (main, HEAD, origin/main...).",
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
    baseline: Path | None,
    base: str | None,
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
    click.get_current_context().find_root().with_resource(collector_paused())
    session = open_session(paths, config, policies, cache)
    session.require_known_words(profiles)
    settings = choice.settings(session.settings, lambda: session.rulebook.rules)
    targets = gather(session, paths or (".",), stdin_filename)
    how = How(profiles, jobs, ignores=not no_ignores)
    run, known = judged(session, settings, targets, how, base)
    file = baseline_path(session, baseline)
    if file is not None:
        from mqlint.cli.known import compared, unproven_rules  # here, as few runs need it

        unproven = unproven_rules(session, settings, run.coverage.checked_paths(), profiles)
        gone = unproven if targets.complete else None
        run.findings, known = compared(run.findings, file, gone, known)
    lack = shortfall(run.coverage, min_coverage)
    status = FOUND if lack else verdict(run.findings, fail_on or settings.fail_on)
    if status == CLEAN and targets.searched and not run.coverage.count("checked"):
        lack, status = "nothing was recognised in the folders searched", NOTHING
    why = outcome(lack, is_excused=exit_zero and status == FOUND)
    status = CLEAN if exit_zero and status == FOUND else status
    report = replace(report_of(run, session, status, known), outcome=why)
    write(report, places, color, None if everything else ALIKE, quiet)
    if lack:
        click.echo(f"mqlint: {lack}", err=True)
    return status


@dataclass(frozen=True, slots=True)
class Targets:
    """What to judge, what to read beside it, and whether folders were searched for it.

    `complete` says that the whole project is judged.
    """

    inputs: list[Input]
    context: list[Input]
    searched: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class How:
    """How a run judges: under which profiles, in how many processes, suppressing what."""

    profiles: Sequence[str] = ()
    jobs: int = 1
    ignores: bool = True


def judged(
    session: Session, settings: Settings, targets: Targets, how: How, base: str | None = None
) -> tuple[Run, list[Known]]:
    """Judge what is to be judged; with a commit `base` only what came since is left in the run."""
    complete = targets.complete or base is not None
    waivers = waivers_of(session, complete=complete) if how.ignores else None
    if base is None:
        analyser = engine.Analyser(session.vocabulary)
        shapes = analyser.parser.forms.known = KnownShapes(session.cache)
        run = engine.check(
            targets.inputs,
            settings,
            analyser,
            session.rulebook,
            context=targets.context,
            profiles=how.profiles,
            jobs=how.jobs,
            ignores=how.ignores,
            waivers=waivers,
        )
        shapes.keep()
        return run, []
    from mqlint.cli.diff import check_diff  # here, as most runs need no git

    everything = {one.path: one for one in (*targets.context, *targets.inputs)}
    run, known = check_diff(
        session,
        settings,
        base,
        list(everything.values()),
        [one.path for one in targets.inputs],
        profiles=how.profiles,
        jobs=how.jobs,
        suppressing=Suppressing(how.ignores, waivers),
    )
    return run, [known]


def gather(session: Session, paths: Sequence[str], stdin_filename: str | None) -> Targets:
    """Find what the words of the command line stand for; Refusal when there is no such thing."""
    root, exclude = session.project.root, session.settings.exclude
    named = [path for path in paths if path != "-"]
    found = discover(named, root, exclude=exclude)
    if found.missing:
        shown = ", ".join(visible(path) for path in found.missing)
        raise Refusal(f"no such file or folder: {shown}")
    inputs = inputs_of(found.files, root)
    if len(named) < len(paths):
        inputs.append(standard_input(stdin_filename, root))
    elif stdin_filename is not None:
        raise click.UsageError("--stdin-filename needs the path - (standard input)")
    context = [] if _is_all(session, named) else discover([root], root, exclude=exclude).files
    searched = any(Path(path).is_dir() for path in named) or len(found.files) > len(found.named)
    complete = len(named) == len(paths) and root in map(_absolute, named)
    return Targets(inputs, inputs_of(context, root), searched, complete)


def standard_input(name: str | None, root: Path) -> Input:
    """Return the text on standard input as a document, called `name`."""
    data = sys.stdin.buffer.read()
    path = "-" if name is None else display_path(Path(name).absolute(), root)
    return Input(path, data=data)


def _is_all(session: Session, named: Sequence[str]) -> bool:
    """Whether there is nothing beside what is named.

    So it is when the project itself is named, when there is no project, and when all that is
    named lies outside of it.
    """
    root = session.project.root
    if session.project.config_path is None and git_top(root) is None:
        return True
    places = list(map(_absolute, named))
    outside = bool(places) and not any(place.is_relative_to(root) for place in places)
    return outside or root in places


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 must not follow links


def report_of(
    run: Run, session: Session, status: int = CLEAN, known: Sequence[Known] = ()
) -> Report:
    """Return what is reported of a run that exits with `status`; `known` was there before."""
    vocabulary = session.vocabulary

    def is_secret(word: str) -> bool:
        return looks_secret(word) or vocabulary.is_secret(word.upper())

    root = session.project.root
    shown = "" if root == Path.cwd() else shown_path(root)
    return Report(
        run.findings,
        run.coverage,
        run.assumptions,
        run.text_of,
        is_secret,
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


def outcome(lack: str | None, *, is_excused: bool) -> str:
    """Return why a run ends with the status it has; blank where the findings call for it.

    `lack` is what was not done as asked; `is_excused` says that --exit-zero changes the status.
    """
    if not is_excused:
        return lack or ""
    return f"{lack or 'something at or above the threshold was found'}; --exit-zero was given"


def verdict(findings: Sequence[Finding], threshold: str) -> int:
    """Return the exit status that findings call for, from the severity `threshold` on."""
    if threshold == "never":
        return CLEAN
    limit = Severity.of(threshold)
    return FOUND if any(finding.severity >= limit for finding in findings) else CLEAN
