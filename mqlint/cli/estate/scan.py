"""`mqlint estate scan`: a folder, repositories or dumps of any number to tables."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.accepted import baseline_option
from mqlint.cli.check.command import CLEAN, FOUND, NOTHING, report_of
from mqlint.cli.check.judging import How, verdict
from mqlint.cli.common.choice import Choice, choice_options
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import Output, echo, report_options, terminal_width, write, write_file
from mqlint.cli.common.project import (
    Session,
    cache_options,
    config_option,
    open_session,
    policies_option,
    shown_path,
)
from mqlint.cli.estate.command import (
    LostError,
    Mounted,
    master_option,
    out_option,
    require_packages,
    require_spark,
    spark_session,
    submitted,
)
from mqlint.cli.estate.plan import Plan, plan_of
from mqlint.cli.estate.progress import Progress
from mqlint.config.cache import own_folder
from mqlint.config.project import Project
from mqlint.engine import Run
from mqlint.report.report import Report
from mqlint.report.summary import summary
from mqlint.report.terminal import counted, visible, wrap

if TYPE_CHECKING:
    from mqlint.estate.scan import Counts, Scan
    from mqlint.estate.stages.flows import Engine

_WIDTH = 100
_GIB = 1 << 30


@click.command("scan", short_help="Check an estate on Spark and leave tables.")
@click.argument("estate", type=Mounted(exists=True, path_type=Path))
@out_option
@click.option(
    "--engine",
    type=click.Choice(["spark", "process"]),
    default="spark",
    show_default=True,
    help="process: without Spark and Java, in one process.",
)
@master_option
@click.option(
    "--partitions",
    metavar="N",
    type=click.IntRange(min=1),
    help="Cut the work into N parts. Default: one a core, more for many files.",
)
@click.option(
    "--cache",
    "keep",
    metavar="DIR",
    type=Mounted(file_okay=False, path_type=Path),
    help="Keep in DIR what the next scan need not do again. Default: DIR of --out, below it.",
)
@click.option(
    "--history",
    metavar="N",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Keep the tables of the last N scans in DIR, this one among them.",
)
@click.option(
    "--no-tables",
    is_flag=True,
    help="Leave only the tables files, findings and coverage: a gate asks no more.",
)
@click.option(
    "--sarif",
    metavar="DIR",
    type=Mounted(file_okay=False, path_type=Path),
    help="Write a SARIF file for each repository into DIR, its paths as the repository has them.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@report_options("text (a summary), or a format of `mqlint check`.")
@config_option
@choice_options
@click.option(
    "--profile", "profiles", metavar="NAME", multiple=True, help="Run the rules of this profile."
)
@baseline_option
@policies_option
@cache_options
def command(
    estate: Path,
    out: Path,
    engine: str,
    master: str | None,
    partitions: int | None,
    keep: Path | None,
    history: int,
    no_tables: bool,
    sarif: Path | None,
    quiet: bool,
    places: tuple[Output, ...],
    config: Path | None,
    fail_on: str | None,
    choice: Choice,
    profiles: tuple[str, ...],
    baseline: Path | None,
    policies: tuple[Path, ...],
    cache: Path | None,
) -> int:
    """Check ESTATE and leave tables in DIR.

    ESTATE is a folder, judged as `mqlint check` does, one for one; a folder of repositories; or a
    YAML file that names repositories and dumps. What a scan finds replaces the tables of the one
    before when all of it is written, and not earlier. Files and queue managers that have not
    changed since are taken as they were found then.
    """
    require_packages()
    from mqlint.estate.io.private import private_files

    click.get_current_context().with_resource(private_files())
    session = _session(estate, config, policies, cache, baseline)
    session.require_known_words(profiles)
    out = out.absolute()
    plan = plan_of(estate, session, choice, out, profiles)
    if plan.is_empty:
        click.echo("mqlint: there is no file to scan; no tables were written", err=True)
        return NOTHING
    run = _Run(
        estate, out, engine, master, partitions, keep, history, no_tables, cache is None, quiet
    )
    found = run.scan(plan)
    findings, known = plan.accepted(found)
    fails = verdict(findings, fail_on or session.settings.fail_on)
    status = FOUND if fails else CLEAN
    if status == CLEAN and not found.counts.checked:
        click.echo("mqlint: nothing was recognised in what was scanned", err=True)
        status = NOTHING
    how = How(choice, profiles, fail_on=fail_on)
    report = replace(
        _report(found, plan, session, status),
        findings=findings,
        known=known,
        in_force=plan.in_force(found, known, how),
    )
    write(report, [output for output in places if output.format != "text"], "never")
    if sarif is not None:
        from mqlint.cli.estate.reports import write_each

        write_each(report, found.configured.setup.repositories, found.checked, sarif)
    for place in places:
        if place.format == "text":
            _put("\n".join(_summary(report, found, out, engine)) + "\n", place.file)
    return status


def _session(
    estate: Path,
    config: Path | None,
    policies: tuple[Path, ...],
    cache: Path | None,
    baseline: Path | None,
) -> Session:
    """The session of a folder's project; a file that names repositories is no part of one."""
    if estate.is_file() and config is None:
        return Session(Project(Path.cwd(), None), tuple(policies), cache)
    return open_session((str(estate),), config, policies, cache, baseline=baseline)


@dataclass(frozen=True, slots=True)
class _Run:
    """What a scan reads, where it writes, and how it runs."""

    estate: Path
    out: Path
    engine: str
    master: str | None
    partitions: int | None
    keep: Path | None
    history: int
    no_tables: bool
    no_cache: bool
    quiet: bool

    def scan(self, plan: Plan) -> Scan:
        """Run the plan; Refusal for whatever keeps Spark, the memory or the disk from it."""
        try:
            return self._once(plan)
        except LostError:  # what was read and judged is kept: little is to be done again
            click.echo("mqlint: a part of the cluster was lost, beginning anew", err=True)
        try:
            return self._once(plan)
        except LostError:
            raise Refusal(
                "a part of the cluster was lost, and another when all was tried again."
                " Earlier tables are as they were"
            ) from None

    def _once(self, plan: Plan) -> Scan:
        from mqlint.estate.scan import scan
        from mqlint.estate.tables.schema import ALWAYS, TABLES

        java = require_spark(self.estate) if self.engine == "spark" else None
        progress = Progress(self.quiet)
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            with (
                self._scratch() as scratch,
                self._started(java, scratch, progress) as engine,
            ):
                keep = self._cache() or scratch / "keep"
                with progress.watching(engine.progress):
                    return scan(
                        engine,
                        plan.sources,
                        plan.configure,
                        self.out,
                        keep,
                        tell=progress.tell,
                        history=self.history,
                        tables=ALWAYS if self.no_tables else tuple(TABLES),
                    )
        except OSError as error:
            raise Refusal(self._failed(error)) from None
        except MemoryError:
            raise Refusal(
                "there is not enough memory. Earlier tables are as they were; what was read so far"
                " is kept, so that the next scan need not do it again"
            ) from None
        finally:
            progress.clear()

    def _cache(self) -> Path | None:
        """The folder of what one scan keeps for the next; None where there is to be none."""
        if self.no_cache:
            return None
        folder = self.keep or self.out / "cache"
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
        reason = (error.strerror or str(error)).lower()
        free = ""
        with suppress(OSError):  # where the folder is not there nothing can be said of it
            free = f" ({shutil.disk_usage(self.out).free / _GIB:.1f} GiB are free there)"
        return f"cannot write to {visible(str(self.out))}: {reason}{free}"

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder for what is needed during the scan; a later scan removes one that is left."""
        folder = Path(tempfile.mkdtemp(prefix=".scan-work-", dir=self.out))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _started(self, java: Path | None, scratch: Path, progress: Progress) -> Iterator[Engine]:
        if self.engine == "process":
            from mqlint.estate.stages.local import LocalEngine

            yield LocalEngine(scratch)
            return
        from mqlint.estate.spark.cluster import SparkEngine

        progress.tell("starting Spark")
        with spark_session(self.master, self.out / "spark.log", java, self.estate) as spark:
            yield SparkEngine(spark, self.partitions)


def _report(found: Scan, plan: Plan, session: Session, status: int) -> Report:
    run = Run(
        found.findings,
        found.coverage,
        session.rulebook.rules,
        plan.assumed(found),
        ignored=found.ignored,
    )
    return report_of(run, session.project.root, status)


def _summary(report: Report, found: Scan, out: Path, engine: str) -> Iterator[str]:
    width = min(terminal_width(), _WIDTH)
    yield from summary(report, width)
    yield from _work(found.counts)
    manifest = found.manifest
    tables = (f"{name} {number:,}" for name, number in manifest.tables.items())
    rows = counted(sum(manifest.tables.values()), "row")
    yield from wrap(f"{rows} in {visible(shown_path(out / manifest.folder))}:", width, "tables: ")
    yield from wrap(", ".join(tables), width, " " * 8)
    shown = visible(quote(shown_path(out)))
    question = "SELECT rule, count(*) AS number FROM findings GROUP BY rule"
    yield f'ask them: mqlint estate query --out {shown} "{question}"'
    if engine == "spark" and not submitted():
        yield f"Spark's log: {visible(shown_path(out / 'spark.log'))}"


def _work(counts: Counts) -> Iterator[str]:
    """What the scan had to do; the rest was known from the one before."""
    files = counted(counts.documents, "file")
    managers = counted(counts.queue_managers, "queue manager")
    yield f"files: {files}, {counts.read:,} read, {counts.parsed:,} parsed"
    yield f"models: {managers} and loose files, {counts.judged:,} judged"


def _put(text: str, file: Path | None) -> None:
    if file is None:
        echo(text)
        return
    write_file(file, [text])
