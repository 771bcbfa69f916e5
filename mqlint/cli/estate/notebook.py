"""`mqlint.estate.scan`: the scan of an estate as a function, for notebooks and schedulers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.run import RunOptions
from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.estate.audited import AuditOptions
from mqlint.cli.estate.command import LostError, require_packages
from mqlint.cli.estate.engine import PROCESS, SPARK
from mqlint.cli.estate.scan import ScanOptions, ScanResult, scan_estate
from mqlint.cli.estate.summary import scan_summary
from mqlint.cli.estate.tables_folder import TablesFolder, tables_folder
from mqlint.config.errors import ConfigError
from mqlint.dataclass import frozen
from mqlint.estate.history import HISTORY
from mqlint.finding import Finding

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Name = str | PathLike[str]
"""A path."""


class ScanError(Exception):
    """A scan that failed; the text says why. Earlier tables are unchanged."""


@frozen
class EstateScan:
    """A scan that wrote its tables.

    `status` is the exit status of `mqlint estate scan`: 0, 1 (findings, or something was not read)
    or 3 (no file was recognised). `findings` are those that no baseline covers. `tables` has the
    number of rows of each table, `verdicts` the number of verdicts of each kind. `summary` is the
    text that the command prints.
    """

    status: int
    findings: Sequence[Finding]
    folder: Path
    tables: Mapping[str, int]
    verdicts: Mapping[str, int]
    summary: str

    def path(self, table: str) -> str:
        """Return the folder of the Parquet files of a table, for `spark.read.parquet`."""
        if table not in self.tables:
            raise KeyError(table)
        return str(self.folder / table)


def scan(
    spark: SparkSession | None,
    estate: Name,
    out: Name,
    *,
    cache: Name | None = None,
    partitions: int | None = None,
    history: int = HISTORY,
    tables: bool = True,
    policies: Sequence[Name] = (),
    profiles: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    fail_on: str | None = None,
    min_coverage: float | None = None,
    inventory: Name | None = None,
    teams: Name | None = None,
    controls: Sequence[Name] = (),
) -> EstateScan:
    """Scan ESTATE by a Spark session, or in this process with None; return what was found.

    The parameters are the options of `mqlint estate scan`. The session is left as it was, and is
    not stopped. ScanError if the scan fails or finds no file.
    """
    require_packages()
    from mqlint.estate.io.private import private_files

    try:
        folder = tables_folder(fspath(out))
    except ValueError as error:
        raise ScanError(str(error)) from None
    options = ScanOptions(
        out=folder,
        engine=PROCESS if spark is None else SPARK,
        partitions=partitions,
        scan_cache=None if cache is None else Path(cache),
        min_coverage=min_coverage,
        history=history,
        no_tables=not tables,
        no_progress=True,
    )
    choice = PolicyChoice(select=tuple(select), ignore=tuple(ignore))
    audit = AuditOptions(
        None if inventory is None else Path(inventory),
        tuple(map(Path, controls)),
        None if teams is None else Path(teams),
    )
    if not Path(estate).exists():
        raise ScanError(f"{estate} does not exist")
    with _as_scan_errors(), private_files():
        done = scan_estate(
            Path(estate),
            options,
            ProjectOptions(policies=tuple(map(Path, policies))),
            RunOptions(choice, tuple(profiles), fail_on=fail_on),
            audit,
            spark,
            ("mqlint.estate.scan", str(estate)),
        )
    return _finished(done, options.out)


@contextmanager
def _as_scan_errors() -> Iterator[None]:
    """Raise a ScanError instead of the errors that end a command."""
    try:
        yield
    except click.ClickException as error:
        raise ScanError(error.format_message()) from None
    except (ConfigError, LostError) as error:
        raise ScanError(str(error)) from None


def _finished(done: ScanResult, out: TablesFolder) -> EstateScan:
    found, report = done.found, done.report
    if found is None:
        raise ScanError(done.lack or "nothing was scanned")
    manifest = found.manifest
    summary = scan_summary(report, found, out.absolute(), has_log=False)
    return EstateScan(
        done.status,
        report.findings,
        found.out / manifest.folder,
        manifest.tables,
        found.verdicts,
        "\n".join(summary) + "\n",
    )
