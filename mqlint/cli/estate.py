"""`mqlint estate`: scan a folder of any size on Spark, and ask the tables that this leaves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from mqlint.cli.accepted import baseline_option, baseline_path, waivers_of
from mqlint.cli.check import CLEAN, NOTHING, report_of, verdict
from mqlint.cli.choice import Choice, choice_options
from mqlint.cli.group import LazyGroup, Refusal
from mqlint.cli.java import find_java
from mqlint.cli.output import Output, echo, report_options, terminal_width, write
from mqlint.cli.progress import Progress
from mqlint.cli.project import (
    Session,
    cache_folder,
    cache_options,
    config_option,
    open_session,
    policies_option,
    shown_path,
)
from mqlint.cli.rows import FORMATS
from mqlint.config.settings import Settings
from mqlint.engine import Input, Run, inputs_of
from mqlint.engine.assemble import Assembly
from mqlint.engine.run import assumptions
from mqlint.report.report import Known, Report
from mqlint.report.shown import counted, visible, wrap
from mqlint.report.summary import summary
from mqlint.source.discover import discover

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mqlint.finding.waiver import Waivers
    from mqlint.spark.scan import Scan

BRIEF = 2000
"""Up to this number of files Java is started for a short run."""

_NEEDED = ("pandas", "pyarrow", "pyspark")
_KNOWN_ENDS = {
    "No space left on device": "the disk is full",
    "OutOfMemoryError": "Java ran out of memory",
    "Permission denied": "no permission to write there",
}
_WIDTH = 100


@click.group(
    "estate",
    cls=LazyGroup,
    short_help="Scan a whole estate on Spark, and query what was found.",
    commands_in={
        "diff": ("mqlint.cli.estate_diff", "Count what is new, fixed and remains in two scans."),
    },
)
def command() -> None:
    """Scan folders of any size on Spark, and query the tables that a scan leaves.

    Needs Java 17 or newer and `pip install 'mqlint[spark]'`.
    """


_out = click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the tables.",
)
_master = click.option(
    "--master",
    metavar="URL",
    default="local[*]",
    show_default=True,
    help="The Spark to run on, as in spark://host:7077.",
)


@command.command("scan", short_help="Check a folder on Spark and leave tables.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@_out
@_master
@click.option(
    "--partitions",
    metavar="N",
    type=click.IntRange(min=1),
    help="Cut the work into N parts. Default: one a core, more for many files.",
)
@report_options("text (a summary), or a format of `mqlint check`.")
@config_option
@choice_options
@click.option(
    "--profile", "profiles", metavar="NAME", multiple=True, help="Run the rules of this profile."
)
@baseline_option
@policies_option
@cache_options
def scan_command(
    folder: Path,
    out: Path,
    master: str,
    partitions: int | None,
    places: tuple[Output, ...],
    config: Path | None,
    fail_on: str | None,
    choice: Choice,
    profiles: tuple[str, ...],
    baseline: Path | None,
    policies: tuple[Path, ...],
    cache_dir: Path | None,
    no_cache: bool,
) -> int:
    """Check FOLDER as `mqlint check` does, on Spark, and leave tables in DIR.

    The findings are those of `mqlint check`, one for one. What a scan finds replaces the tables
    of the one before when all of it is written, and not earlier.
    """
    session = open_session((str(folder),), config, policies, cache_folder(cache_dir, no_cache))
    session.require_known_words(profiles)
    out = out.absolute()
    settings = choice.settings(session.settings, lambda: session.rulebook.rules)
    inputs = files_of(session, folder, out)
    if not inputs:
        click.echo("mqlint: there is no file to scan; no tables were written", err=True)
        return NOTHING
    complete = folder.absolute() == session.project.root
    waivers = waivers_of(session, complete=complete)
    found = _scan(session, settings, inputs, _Plan(out, master, partitions, profiles, waivers))
    findings, known = found.findings, list[Known]()
    file = baseline_path(session, baseline)
    if file is not None:
        from mqlint.cli.known import compared, unproven_rules  # here, as few runs need it

        unproven = unproven_rules(session, settings, found.coverage, profiles)
        findings, known = compared(findings, file, unproven if complete else None)
    status = verdict(findings, fail_on or settings.fail_on)
    if status == CLEAN and not found.coverage.count("checked"):
        click.echo("mqlint: nothing was recognised in the folder scanned", err=True)
        status = NOTHING
    report = replace(_report(found, session, settings, status), findings=findings, known=known)
    write(report, [one for one in places if one.format != "text"], "never")
    for place in places:
        if place.format == "text":
            _put("\n".join(_summary(report, found, out)) + "\n", place.file)
    return status


@command.command("query", short_help="Ask the tables of a scan in SQL.")
@click.argument("question", metavar="SQL")
@_out
@_master
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
    help="csv is safe to open in a spreadsheet.",
)
def query_command(question: str, out: Path, master: str, form: str) -> None:
    """Ask the tables of the last whole scan in DIR, in Spark's SQL.

    The tables are files, queue_managers, objects, findings and coverage.
    """
    java = require_spark()
    from mqlint.spark.query import QueryError, ask
    from mqlint.spark.store import NoScanError, latest

    try:
        manifest = latest(out)
        with _spark(master, _query_log(out), java, brief=True) as spark:
            answer = ask(spark, out, manifest, question)
            for piece in FORMATS[form](answer.columns, answer.rows, terminal_width()):
                echo(piece)
    except NoScanError as error:
        raise Refusal(f"there are no tables in {visible(str(out))}: {error}") from None
    except QueryError as error:
        lines = (visible(line) for line in str(error).splitlines())
        raise Refusal("\n".join(lines)) from None


def require_spark() -> Path:
    """Return the home of Java; Refusal when Java or a Python package is missing."""
    require_packages()
    return find_java()


def require_packages() -> None:
    """Refusal when a Python package that tables need is missing."""
    for name in _NEEDED:
        try:
            import_module(name)
        except ImportError:
            raise Refusal(
                f"the Python package {name} is missing or too old:"
                " pip install 'mqlint[spark]'. `mqlint check` needs none."
            ) from None


def files_of(session: Session, folder: Path, out: Path) -> list[Input]:
    """Return the files below `folder` but those of `out`, where a scan writes."""
    root = session.project.root
    found = discover([folder], root, exclude=session.settings.exclude)
    return inputs_of([one for one in found.files if not one.is_relative_to(out)], root)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where a scan writes, and how it runs."""

    out: Path
    master: str
    partitions: int | None
    profiles: Sequence[str]
    waivers: Waivers | None = None

    @property
    def log(self) -> Path:
        return self.out / "spark.log"


def _scan(session: Session, settings: Settings, inputs: Sequence[Input], plan: _Plan) -> Scan:
    """Run the plan; Refusal for whatever keeps Spark or the disk from it."""
    java = require_spark()
    from mqlint.spark.progress import tasks
    from mqlint.spark.scan import scan
    from mqlint.spark.toolbox import setup_of

    setup = setup_of(session.vocabulary.compiled, session.rulebook, settings, plan.profiles)
    progress = Progress()
    progress.tell("starting Spark")
    try:
        plan.out.mkdir(parents=True, exist_ok=True)
        with (
            _spark(plan.master, plan.log, java, brief=len(inputs) <= BRIEF) as spark,
            progress.watching(lambda: tasks(spark)),
        ):
            run = partial(scan, spark, inputs, setup, plan.out)
            return run(partitions=plan.partitions, waivers=plan.waivers, tell=progress.tell)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write to {visible(str(plan.out))}: {reason}") from None
    finally:
        progress.clear()


@contextmanager
def _spark(master: str, log: Path, java: Path, *, brief: bool) -> Iterator[SparkSession]:
    """Give a Spark session; what goes wrong in it becomes one message."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    from mqlint.spark.session import SessionError, session

    more = f"{visible(shown_path(log))} says more"
    try:
        with session(master, log=log, java_home=java, brief=brief) as spark:
            yield spark
    except SessionError as error:
        raise Refusal(f"Spark did not start on {master}: {visible(str(error))}; {more}") from None
    except (PySparkException, Py4JError) as error:
        # The error's own words are not shown: they may quote a file, and a file hold a secret.
        words = str(error)
        known = [said for sign, said in _KNOWN_ENDS.items() if sign in words]
        reason = known[0] if known else type(error).__name__
        if os.environ.get("MQLINT_DEBUG"):
            raise
        raise Refusal(f"Spark stopped: {reason}; {more}. Earlier tables are as they were") from None


def _query_log(out: Path) -> Path:
    """A reader of tables need not be allowed to write beside them."""
    return out / "query.log" if os.access(out, os.W_OK) else Path(os.devnull)


def _report(found: Scan, session: Session, settings: Settings, status: int) -> Report:
    assembly = Assembly(settings, session.vocabulary)
    checked = [one.path for one in found.coverage.files if one.status == "checked"]
    guessed = assumptions(checked, assembly)
    rules = session.rulebook.rules
    run = Run(found.findings, found.coverage, rules, guessed, ignored=found.ignored)
    return report_of(run, session, status)


def _summary(report: Report, found: Scan, out: Path) -> Iterator[str]:
    width = min(terminal_width(), _WIDTH)
    yield from summary(report, width)
    manifest = found.manifest
    tables = (f"{name} {number:,}" for name, number in manifest.tables.items())
    rows = counted(sum(manifest.tables.values()), "row")
    yield from wrap(f"{rows} in {visible(shown_path(out / manifest.folder))}:", width, "tables: ")
    yield from wrap(", ".join(tables), width, " " * 8)
    shown = visible(quote(shown_path(out)))
    question = "SELECT rule, count(*) AS number FROM findings GROUP BY rule"
    yield f'ask them: mqlint estate query --out {shown} "{question}"'
    yield f"Spark's log: {visible(shown_path(out / 'spark.log'))}"


def _put(text: str, file: Path | None) -> None:
    if file is None:
        echo(text)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write {click.format_filename(file)}: {reason}") from None
