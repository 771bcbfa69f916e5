"""One scan as the command runs it: with an engine, a cache, and messages for what goes wrong."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import make_folder, require_inside
from mqlint.cli.common.project import require_untracked, shown_path
from mqlint.cli.estate.command import LostError, given_session, require_spark, spark_session
from mqlint.cli.estate.engine import PROCESS, SPARK
from mqlint.cli.estate.plan import EstatePlan
from mqlint.cli.estate.progress import Progress
from mqlint.config.cache import own_folder
from mqlint.dataclass import frozen
from mqlint.report.terminal import visible

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mqlint.cli.estate.scan import ScanOptions
    from mqlint.estate.stages.audit import About
    from mqlint.estate.stages.frame import Engine
    from mqlint.estate.stages.scan import Scan

_GIB = 1 << 30


@frozen
class ScanRun:
    """What a scan reads, and how it runs."""

    estate: Path
    options: ScanOptions
    no_cache: bool
    about: About
    spark: SparkSession | None = None

    def scan(self, plan: EstatePlan) -> Scan:
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

    def _once(self, plan: EstatePlan) -> Scan:
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
                        plan.configure,
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

    def _tables(self, plan: EstatePlan) -> Sequence[str]:
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
        folder, free = self.options.folder, ""
        places = [folder, *filter(None, [self.options.scan_cache])]
        if error.errno in (errno.EROFS, errno.EACCES):
            closed = (place for place in places if not os.access(place, os.W_OK))
            folder = next(closed, folder)
        else:
            with suppress(OSError):  # a folder may not exist
                spaces = [shutil.disk_usage(place).free for place in places]
                free = f" ({min(spaces) / _GIB:.1f} GiB are free there)"
                folder = places[spaces.index(min(spaces))]
        return f"cannot write to {visible(str(folder))}: {reason}{free}"

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
