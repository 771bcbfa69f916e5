"""`mqlint estate scan`: a folder, repositories or dumps of any number to tables."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.command import CLEAN, FOUND, NOTHING, ending, report_of, shortfall, unread
from mqlint.cli.check.run import RunOptions, verdict
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import min_coverage_field, option, options
from mqlint.cli.common.output import (
    ReportOptions,
    echo,
    formats_help,
    make_folder,
    require_inside,
    write,
    write_file,
)
from mqlint.cli.common.project import ProjectOptions, Session, require_untracked, shown_path
from mqlint.cli.estate.audited import AuditOptions
from mqlint.cli.estate.command import (
    LostError,
    Mounted,
    given_session,
    master_field,
    out_field,
    require_packages,
    require_spark,
    spark_session,
    submitted,
)
from mqlint.cli.estate.engine import PROCESS, SPARK, choice_of, time_of
from mqlint.cli.estate.plan import ScanPlan, plan_of
from mqlint.cli.estate.progress import Progress
from mqlint.cli.estate.summary import scan_summary
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.cli.estate.termination import terminable
from mqlint.config.cache import own_folder
from mqlint.config.project import Project
from mqlint.dataclass import frozen
from mqlint.engine import Run
from mqlint.report.report import Report
from mqlint.report.terminal import visible
from mqlint.source.project_files import link_fault

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mqlint.estate.io.config_files import Texts
    from mqlint.estate.scanning import Configure
    from mqlint.estate.stages.audit import About
    from mqlint.estate.stages.collect import Configuration
    from mqlint.estate.stages.frame import Engine
    from mqlint.estate.stages.scan import Scan

_GIB = 1 << 30


@frozen
class ScanOptions:
    """The options that say where a scan writes, how it runs, and what it keeps."""

    out: TablesFolder = out_field()
    engine: str | None = option(
        "--engine",
        type=click.Choice([SPARK, PROCESS]),
        help="process: without Spark and Java, in one process. Default: the faster one, spark "
        "with --master.",
    )
    master: str | None = master_field()
    partitions: int | None = option(
        "--partitions",
        metavar="N",
        type=click.IntRange(min=1),
        help="Divide the work into N parts. Default: one for each core, more for many files.",
    )
    scan_cache: Path | None = option(
        "--cache",
        metavar="DIR",
        type=Mounted(file_okay=False, path_type=Path),
        help="Store in DIR what the next scan can reuse. Default: a folder in DIR of --out.",
    )
    min_coverage: float | None = min_coverage_field()
    fail_on_unreadable: bool = option(
        "--fail-on-unreadable",
        is_flag=True,
        help="Exit with 1 if a file or repository cannot be read, also with --exit-zero.",
    )
    history: int = option(
        "--history",
        metavar="N",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        help="Keep the tables of the last N scans in DIR, including this one.",
    )
    no_tables: bool = option(
        "--no-tables",
        is_flag=True,
        help="Omit the tables of queue managers and objects: the others are enough for a gate.",
    )
    sarif: Path | None = option(
        "--sarif",
        metavar="DIR",
        type=Mounted(file_okay=False, path_type=Path),
        help="Write a SARIF file for each repository into DIR, "
        "its paths as the repository has them.",
    )
    exit_zero: bool = option("--exit-zero", is_flag=True, help="Exit with 0 instead of 1.")
    no_progress: bool = option("--quiet", is_flag=True, help="Show no progress.")

    @property
    def folder(self) -> Path:
        """The folder of the tables on this machine."""
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
    require_packages()
    from mqlint.estate.io.private import private_files

    click.get_current_context().with_resource(private_files())
    with terminable():
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
            _put("\n".join(lines) + "\n", place.file)
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
        raise Refusal(f"cannot read {visible(str(estate))}: {fault}")
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
    found = _Run(estate, scan, project.no_cache, about, spark).scan(plan)
    known = plan.known(found)
    fails = verdict(found.findings, run.fail_on or session.settings.fail_on)
    missed = unread(found.coverage)
    lack = shortfall(found.coverage, scan.min_coverage) or missed
    status = FOUND if lack or fails else CLEAN
    if status == CLEAN and not found.counts.checked:
        lack, status = "no file was recognised in the scan", NOTHING
    is_strict = scan.fail_on_unreadable and missed is not None
    is_excused = scan.exit_zero and status == FOUND and not is_strict
    status = CLEAN if is_excused else status
    report = replace(
        report_of(_run(found, plan, session), session.project.root, status),
        outcome=ending(lack, is_excused=is_excused),
        findings=found.findings,
        ignored=found.ignored,
        known=known,
        in_force=plan.in_force(found, known, run),
    )
    return ScanResult(status, lack, found, report, engine)


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


def _with_audit(plan: ScanPlan) -> Configure:
    """How the plan is judged, with its register and its teams."""
    audited = plan.audited

    def configure(texts: Mapping[str, Texts]) -> Configuration:
        found = plan.configure(texts)
        return replace(found, teams=audited.teams, register=audited.register)

    return configure


@frozen
class _Run:
    """What a scan reads, and how it runs."""

    estate: Path
    options: ScanOptions
    no_cache: bool
    about: About
    spark: SparkSession | None = None

    def scan(self, plan: ScanPlan) -> Scan:
        """Run the plan; Refusal if Spark, the memory or the disk fails."""
        try:
            return self._once(plan)
        except LostError:  # what was read and judged is kept: little is to be done again
            click.echo("mqlint: a part of the cluster was lost, starting again", err=True)
        try:
            return self._once(plan)
        except LostError:
            raise Refusal(
                "a part of the cluster was lost, and another part during the second try."
                " Earlier tables are unchanged"
            ) from None

    def _once(self, plan: ScanPlan) -> Scan:
        from mqlint.estate.scanning import scan

        starts = self.options.engine == SPARK and self.spark is None
        java = require_spark(self.estate) if starts else None
        progress = Progress(self.options.no_progress)
        try:
            make_folder(self.options.folder)
            with (
                self._scratch() as scratch,
                self._started(java, scratch, progress) as engine,
            ):
                cache = self._cache() or scratch / "cache"
                with progress.watching(engine.progress):
                    return scan(
                        engine,
                        plan.sources,
                        _with_audit(plan),
                        self.options.folder,
                        cache,
                        on_stage=progress.begin,
                        history=self.options.history,
                        tables=self._tables(plan),
                        about=self.about,
                        publish=self.options.out.publisher(self.options.history),
                    )
        except OSError as error:
            raise Refusal(self._failed(error)) from None
        except MemoryError:
            raise Refusal(
                "not enough memory. Earlier tables are unchanged; what was read so far"
                " is kept, so that the next scan need not do it again"
            ) from None
        finally:
            progress.clear()

    def _tables(self, plan: ScanPlan) -> Sequence[str]:
        """The tables that are written; a register is compared with that of queue managers."""
        from mqlint.estate.tables.schema import ALWAYS, TABLES

        if not self.options.no_tables:
            return tuple(TABLES)
        return (*ALWAYS, "queue_managers") if plan.audited.register is not None else ALWAYS

    def _cache(self) -> Path | None:
        """The folder of what one scan keeps for the next; None if there is to be none."""
        if self.no_cache:
            return None
        folder = self.options.scan_cache or self.options.folder / "cache"
        require_untracked(folder)
        if own_folder(folder):
            return folder
        shown = visible(shown_path(folder))
        click.echo(
            f"mqlint: {shown} is not used: it must be a folder of yours that nobody else "
            "may write to (chmod 700), and no link",
            err=True,
        )
        return None

    def _failed(self, error: OSError) -> str:
        # Arrow's errors have the words of the system at their end, after a number in brackets.
        reason = (error.strerror or str(error)).rpartition("] ")[2].lower()
        free = ""
        if error.errno not in (errno.EROFS, errno.EACCES):
            with suppress(OSError):  # the folder may not exist
                left = shutil.disk_usage(self.options.folder).free / _GIB
                free = f" ({left:.1f} GiB are free there)"
        return f"cannot write to {visible(str(self.options.folder))}: {reason}{free}"

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder for what is needed during the scan; a later scan removes one that is left."""
        folder = Path(tempfile.mkdtemp(prefix=".scan-work-", dir=self.options.folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _started(self, java: Path | None, scratch: Path, progress: Progress) -> Iterator[Engine]:
        if self.options.engine == PROCESS:
            from mqlint.estate.stages.local import LocalEngine

            yield LocalEngine(scratch)
            return
        from mqlint.estate.spark.cluster import SparkEngine

        if self.spark is not None:
            with given_session(self.spark) as spark:
                yield SparkEngine(spark, self.options.partitions)
            return
        progress.begin("starting Spark")
        log = self.options.folder / "spark.log"
        require_inside(log)
        with spark_session(self.options.master, log, java, self.estate) as spark:
            yield SparkEngine(spark, self.options.partitions)


def _run(found: Scan, plan: ScanPlan, session: Session) -> Run:
    """What a scan has done, without its findings."""
    return Run([], found.coverage, session.rulebook.rules, plan.assumed(found))


def _put(text: str, file: Path | None) -> None:
    if file is None:
        echo(text)
        return
    write_file(file, [text])
