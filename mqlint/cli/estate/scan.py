"""`mqlint estate scan`: a folder, repositories or dumps of any number to tables."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.command import CLEAN, FOUND, NOTHING, ending, report_of, shortfall, unread
from mqlint.cli.check.run import RunOptions, verdict
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import AT_LEAST_ONE, min_coverage_field, option, options
from mqlint.cli.common.output import (
    ReportOptions,
    formats_help,
    put,
    write,
)
from mqlint.cli.common.project import ProjectOptions, Session, shown_path
from mqlint.cli.estate.audited import AuditOptions
from mqlint.cli.estate.command import (
    Mounted,
    master_field,
    out_field,
    require_tables,
    submitted,
)
from mqlint.cli.estate.engine import PROCESS, SPARK, choice_of, time_of
from mqlint.cli.estate.plan import plan_of
from mqlint.cli.estate.running import ScanRun
from mqlint.cli.estate.summary import scan_summary
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.config.project import Project
from mqlint.dataclass import frozen
from mqlint.engine import Run
from mqlint.estate.history import HISTORY
from mqlint.report.report import Report
from mqlint.report.terminal import visible
from mqlint.source.project_files import link_fault

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mqlint.estate.stages.scan import Scan


_STATUS = 128 + signal.SIGTERM
"""Exit status after SIGTERM: what shells give for a program that it ended."""


@frozen
class ScanOptions:
    """The options that say where a scan writes, how it runs, and what it keeps."""

    out: TablesFolder = out_field()
    engine: str | None = option(
        "--engine",
        "process: without Spark and Java, in one process. Default: the faster one, spark "
        "with --master.",
        type=click.Choice([SPARK, PROCESS]),
    )
    master: str | None = master_field()
    partitions: int | None = option(
        "--partitions N",
        "Divide the work into N parts. Default: one for each core, more for many files.",
        type=AT_LEAST_ONE,
    )
    scan_cache: Path | None = option(
        "--cache DIR",
        "Store in DIR what the next scan can reuse. Default: a folder in DIR of --out.",
        type=Mounted(file_okay=False, path_type=Path),
    )
    min_coverage: float | None = min_coverage_field()
    fail_on_unreadable: bool = option(
        "--fail-on-unreadable",
        "Exit with 1 if a file or repository cannot be read, also with --exit-zero.",
    )
    history: int = option(
        "--history N",
        "Keep the tables of the last N scans in DIR, including this one.",
        type=AT_LEAST_ONE,
        default=HISTORY,
        show_default=True,
    )
    no_tables: bool = option(
        "--no-tables",
        "Omit the tables of queue managers and objects: the others are enough for a gate.",
    )
    sarif: Path | None = option(
        "--sarif DIR",
        "Write a SARIF file for each repository into DIR, its paths as the repository has them.",
        type=Mounted(file_okay=False, path_type=Path),
    )
    exit_zero: bool = option("--exit-zero", "Exit with 0 instead of 1.")
    no_progress: bool = option("--quiet", "Show no progress.")

    @property
    def folder(self) -> Path:
        return self.out.path


@click.command("scan", short_help="Check an estate and write tables.")
@click.argument("estate", type=Mounted(exists=True, path_type=Path))
@options(
    "out engine master partitions scan_cache history no_tables sarif no_progress places fail_on"
    " fail_on_unreadable min_coverage exit_zero inventory controls teams"
    " config select ignore severity target profiles baseline policies cache no_cache",
    formats_help("text (a summary), or a format of `mqlint check`."),
    scan=ScanOptions,
    output=ReportOptions,
    project=ProjectOptions,
    run=RunOptions,
    audit=AuditOptions,
)
def command(
    estate: Path,
    scan: ScanOptions,
    output: ReportOptions,
    project: ProjectOptions,
    run: RunOptions,
    audit: AuditOptions,
) -> int:
    """Check ESTATE and write tables to DIR.

    ESTATE is a folder, checked with the same results as `mqlint check`; a folder of repositories;
    or a YAML file that names repositories and dumps. A scan replaces the tables of the previous
    scan only when all its tables are written. It reuses the results of files and queue managers
    that have not changed.
    """
    require_tables()
    from mqlint.estate.io.private import private_files

    click.get_current_context().with_resource(private_files())
    with _terminable():
        done = scan_estate(estate, scan, project, run, audit)
    if done.lack:
        click.echo(f"mqlint: {done.lack}", err=True)
    if done.found is None:
        return done.status
    report = done.report
    if any(place.format == "json" for place in output.places):
        report = replace(report, coverage=done.found.whole_coverage())
    write(report, [place for place in output.places if place.format != "text"], "never")
    if scan.sarif is not None:
        from mqlint.cli.estate.reports import write_each

        write_each(report, done.found, scan.sarif)
    for place in output.places:
        if place.format == "text":
            has_log = done.engine == SPARK and not submitted()
            lines = scan_summary(report, done.found, scan.out.absolute(), has_log=has_log)
            put("\n".join(lines) + "\n", place.file)
    return done.status


@frozen
class ScanResult:
    """The result of a scan: its exit status, and why, if not because of findings.

    `found` is None if there was nothing to scan.
    """

    status: int
    lack: str | None
    found: Scan | None = None
    report: Report = Report()
    engine: str = PROCESS


def scan_estate(
    estate: Path,
    scan: ScanOptions,
    project: ProjectOptions,
    run: RunOptions,
    audit: AuditOptions,
    spark: SparkSession | None = None,
    words: Sequence[str] | None = None,
) -> ScanResult:
    """Scan ESTATE, by the session `spark` if one is given; reports are not written yet.

    `words` are what the table `scans` tells of the call, by default the command line.
    """
    fault = link_fault(estate)
    if fault is not None:
        raise Refusal(f"cannot read {estate}: {fault}")
    scan = replace(scan, out=scan.out.absolute())
    if estate.is_dir() and estate.resolve().is_relative_to(scan.folder.resolve()):
        shown = visible(shown_path(scan.folder))
        raise Refusal(f"{shown} contains ESTATE: a scan does not read files in the folder of --out")
    scan.out.pulled(history=False)
    session = _session(estate, project)
    session.require_known_words(run.profiles)
    plan = plan_of(estate, session, run.choice, scan.folder, run.profiles, audit)
    if plan.is_empty:
        return ScanResult(NOTHING, "no file to scan was found; no tables were written")
    if scan.engine is None:
        chosen = choice_of(scan.master, plan, estate, _since(scan, project.no_cache))
        scan = replace(scan, engine=chosen.engine)
        if not scan.no_progress and chosen.reason:
            click.echo(f"mqlint: engine {chosen.engine}: {visible(chosen.reason)}", err=True)
    engine = scan.engine or PROCESS
    about = plan.audited.about(session.rulebook, engine, words)
    found = ScanRun(estate, scan, project.no_cache, about, spark).scan(plan)
    known = plan.known(found)
    fails = verdict(found.findings, run.fail_on or session.settings.fail_on)
    status, lack, is_excused = _status(found, scan, fails=fails)
    ran = Run([], found.coverage, session.rulebook.rules, plan.assumed(found))
    report = replace(
        report_of(ran, session.project.root, status),
        outcome=ending(lack, is_excused=is_excused),
        findings=found.findings,
        ignored=found.ignored,
        known=known,
        in_force=plan.in_force(found, known, run),
        controls=about.controls,
    )
    return ScanResult(status, lack, found, report, engine)


def _status(found: Scan, scan: ScanOptions, *, fails: bool) -> tuple[int, str | None, bool]:
    """The exit status, why if not because of findings, and whether --exit-zero changed it.

    `fails` says that findings call for 1.
    """
    missed = unread(found.coverage)
    lack = shortfall(found.coverage, scan.min_coverage) or missed
    if not (lack or fails or found.counts.checked):
        return NOTHING, "no file was recognised in the scan", False
    status = FOUND if lack or fails else CLEAN
    is_strict = scan.fail_on_unreadable and missed is not None
    is_excused = scan.exit_zero and status == FOUND and not is_strict
    return CLEAN if is_excused else status, lack, is_excused


def _session(estate: Path, project: ProjectOptions) -> Session:
    """The session of a folder's project; a file that names repositories belongs to no project."""
    if not estate.is_dir() and project.config is None:
        return project.session_of(Project(Path.cwd(), None))
    return project.session((str(estate),))


def _since(scan: ScanOptions, no_cache: bool) -> float | None:
    """When the previous scan was finished whose results this one can reuse."""
    from mqlint.estate.history.store import NoScanError, latest

    if no_cache:
        return None
    try:
        return time_of(latest(scan.folder).finished)
    except NoScanError:
        return None


class _Terminated(KeyboardInterrupt):
    """SIGTERM; code that cleans up after Ctrl-C does so after it too."""


@contextmanager
def _terminable() -> Iterator[None]:
    """End the block at SIGTERM as at Ctrl-C, then the process with its own exit status.

    What the block raises after the signal is a consequence of it: a library may turn the exception
    into one of its own.
    """
    if current_thread() is not main_thread():  # only the main thread has signals
        yield
        return
    received: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not stop the clean-up
        received.append(number)
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except BaseException:
        if received:
            raise SystemExit(_STATUS) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
