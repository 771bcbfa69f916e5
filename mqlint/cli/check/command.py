"""`mqlint check`: read, judge, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.run import GitComparison, ProjectRun, RunOptions, folder_of, run_check
from mqlint.cli.common.options import min_coverage_field, option, options, paths_argument
from mqlint.cli.common.output import ReportOptions, formats_help
from mqlint.cli.common.project import ProjectOptions, Session, shown_path
from mqlint.cli.common.targets import Naming, Scope, owners_of, scopes_of, starts_of
from mqlint.config.project import git_top
from mqlint.dataclass import frozen
from mqlint.engine import Run
from mqlint.finding import DOCUMENT, Coverage
from mqlint.report import FORMATS, Known, Report
from mqlint.report.terminal import counted, visible
from mqlint.source.gc_control import gc_paused

if TYPE_CHECKING:
    from mqlint.cli.check.diff import CommitChange
    from mqlint.config.settings import Settings
    from mqlint.report.in_force import InForce
    from mqlint.report.topology import Topology

CLEAN, FOUND, NOTHING = 0, 1, 3
"""Exit statuses; 2 stands for every error of usage or configuration."""


@frozen
class StatusOptions:
    exit_zero: bool = option("--exit-zero", "Exit with 0 even if findings exist.")
    min_coverage: float | None = min_coverage_field()


@click.command("check", short_help="Check scripts, dumps and folders.")
@paths_argument
@click.option(
    "--fixes",
    is_flag=True,
    help="Add proven fixes to reports in the formats sarif, rdjson, json and jsonl.",
)
@options(
    "places fail_on config exit_zero min_coverage select ignore severity target profiles no_ignores"
    " waivers baseline base accept_exceptions jobs policies language filtered stdin_filename cache"
    " no_cache color output_file statistics everything verbose quiet",
    formats_help(f"{', '.join(FORMATS)}; to standard output or to FILE."),
    project=ProjectOptions,
    run=RunOptions,
    comparison=GitComparison,
    naming=Naming,
    result=StatusOptions,
    output=ReportOptions,
)
def command(
    paths: tuple[str, ...],
    project: ProjectOptions,
    run: RunOptions,
    comparison: GitComparison,
    naming: Naming,
    result: StatusOptions,
    output: ReportOptions,
    fixes: bool,
) -> int:
    """Check PATHS: files, folders, or `-` for standard input. Default: this folder.

    Named files are checked, and the rest of their project is read as context. Of folders in
    a git checkout, what git tracks or would track is read.
    """
    click.get_current_context().find_root().with_resource(gc_paused())
    first = project.session(paths)
    named = paths or (".",)
    change = change_of(comparison, first, named)
    owners = owners_of(first, named) if change is None else change.owners
    session_of = first.beside if change is None else change.session_of
    scopes = scopes_of(named, owners, session_of, naming)
    outcomes = run_check(scopes, run, change)
    if fixes:
        from mqlint.cli.check.fixes import propose  # here, as few runs look for fixes

        propose(scopes, outcomes, run)
    root = Path(os.path.commonpath([outcome.session.project.root for outcome in outcomes]))
    whole, known = merged(outcomes, root)
    lack = shortfall(whole.coverage, result.min_coverage) or unread(whole.coverage)
    status = FOUND if lack or any(outcome.fails for outcome in outcomes) else CLEAN
    searched = any(scope.targets.searched for scope in scopes)
    if status == CLEAN and searched and not whole.coverage.count("checked"):
        lack, status = _nothing(whole.coverage), NOTHING
    is_excused = result.exit_zero and status == FOUND
    report = replace(
        report_of(whole, root, CLEAN if is_excused else status, known),
        in_force=in_force_of(outcomes, scopes, run, root),
        outcome=ending(lack, is_excused=is_excused),
        topology=partial(_topology, outcomes, scopes, root),
        advice=_advice(outcomes, whole.coverage, run.profiles),
    )
    output.write(report)
    if lack:
        click.echo(f"mqlint: {lack}", err=True)
    return report.status


def _advice(
    outcomes: Sequence[ProjectRun], coverage: Coverage, profiles: Sequence[str]
) -> list[str]:
    """Return commands that show more: rules need a configuration, or are for a DR test."""
    advice = []
    if coverage.waiting and not any(outcome.session.project.config_path for outcome in outcomes):
        is_misnamed = Path("mqlint.yml").is_file()  # no file of this name is read
        advice.append("mv mqlint.yml mqlint.yaml" if is_misnamed else "mqlint config init")
    if any(_lacks_dr_test(outcome.settings, profiles) for outcome in outcomes):
        advice.append("mqlint check --profile dr-test")
    return advice


def _lacks_dr_test(settings: Settings, profiles: Sequence[str]) -> bool:
    """Whether there is a site of DR, and the run has no profile that may include `dr-test`."""
    names = {"dr-test", *(profile.name for profile in settings.own_profiles)}
    is_dr = any(site.role == "dr" for site in settings.sites)
    return is_dr and names.isdisjoint(profiles or settings.profiles)


def _nothing(coverage: Coverage) -> str:
    """Say that nothing was found or recognised, and which documents could be named."""
    if not coverage.files:
        return "the searched folders have no files"
    documents = [row.path for row in coverage.files if row.reason == DOCUMENT]
    if not documents:
        return "no file was recognised in the searched folders; name the files, or their folder"
    example = visible(documents[0])
    return f"no file was recognised in the searched folders; name documents such as {example}"


def _topology(outcomes: Sequence[ProjectRun], scopes: Sequence[Scope], root: Path) -> Topology:
    from mqlint.cli.check.topology import topology_of  # here, as one format needs it

    return topology_of(outcomes, scopes, root)


def change_of(
    comparison: GitComparison, first: Session, paths: Sequence[str]
) -> CommitChange | None:
    """Return the change that is judged; None without --diff.

    `paths` are those that are judged, `first` is the session of the first one.
    """
    if comparison.base is None:
        if comparison.accept_exceptions:
            raise click.UsageError("--accept-exceptions needs --diff")
        return None
    from mqlint.cli.check.diff import CommitChange  # here, as most runs need no git

    accept = comparison.accept_exceptions
    return CommitChange(comparison.base, first, starts_of(paths), accept=accept)


def merged(outcomes: Sequence[ProjectRun], root: Path) -> tuple[Run, list[Known]]:
    """Return the runs of several projects as one, with paths relative to `root`."""
    if len(outcomes) == 1:
        return outcomes[0].run, outcomes[0].known
    from mqlint.engine.run import merge_runs  # here, as most runs are about one project

    runs = [(folder_of(outcome.session.project, root), outcome.run) for outcome in outcomes]
    known = [
        replace(part, findings=[finding.below(folder) for finding in part.findings])
        for (folder, _), outcome in zip(runs, outcomes, strict=True)
        for part in outcome.known
    ]
    return merge_runs(runs), known


def in_force_of(
    outcomes: Sequence[ProjectRun], scopes: Sequence[Scope], run_options: RunOptions, root: Path
) -> list[InForce]:
    """Return what is in force in a run over several projects, kind by kind."""
    is_default = replace(run_options, jobs=None, no_ignores=False) == RunOptions()
    if is_default and not any(map(_is_set, outcomes)):
        return []
    from mqlint.cli.check.in_force import (  # here, as most runs have nothing in force
        in_force,
        in_order,
    )

    return in_order(
        (row.below(folder_of(outcome.session.project, root)) if len(outcomes) > 1 else row)
        for outcome, scope in zip(outcomes, scopes, strict=True)
        for row in in_force(outcome, scope.targets, run_options)
    )


def _is_set(outcome: ProjectRun) -> bool:
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
    """Return the path of a folder in its git checkout, with slashes; blank for the top."""
    top = git_top(root)
    return "" if top is None or top == root else root.relative_to(top).as_posix()


def warn(text: str) -> None:
    """Print a warning on standard error, apart from reports."""
    click.echo(f"mqlint: {visible(text)}", err=True)


def unread(coverage: Coverage) -> str | None:
    """Return the message about files that could not be read, None if there are none."""
    number = coverage.count("unreadable")
    return f"{counted(number, 'file')} could not be read" if number else None


def shortfall(coverage: Coverage, least: float | None) -> str | None:
    """Return the message if less than `least` percent of the commands or files was read.

    Files that hold nothing of MQ do not count.
    """
    if least is None:
        return None
    files = coverage.count("checked")
    shares = (
        ("commands understood", coverage.understood, coverage.commands),
        ("files checked", files, files + coverage.missed),
    )
    for what, done, number in shares:
        if 100 * done < least * number:
            share = 1000 * done // number / 10
            asked = f"--min-coverage requires {least:g} %"
            return f"{done:,} of {number:,} {what} ({share} %), {asked}"
    return None


def ending(lack: str | None, *, is_excused: bool) -> str:
    """Return why a run ends with the status it has; blank if the findings call for it.

    `lack` says what was not read; `is_excused` says that --exit-zero changes the status.
    """
    if not is_excused:
        return lack or ""
    return f"{lack or 'a finding at or above the threshold exists'}; --exit-zero was given"
