"""The summary of a scan for people: first what was not read, then what was found and left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from shlex import quote
from typing import TYPE_CHECKING

from mqlint.cli.common.output import terminal_width
from mqlint.cli.common.project import shown_path
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.finding import UNCOUNTED, Checked
from mqlint.grouping import grouped
from mqlint.report.report import Report
from mqlint.report.summary import SummaryHints, summary
from mqlint.report.terminal import counted, visible, wrap
from mqlint.source.display import listed

if TYPE_CHECKING:
    from mqlint.estate.stages.scan import Counts, Scan

_WIDTH = 100
_IN_TABLES = SummaryHints(" (table exceptions)", " (table judgements)", " (table files)")
_MOST_SHOWN = 5


def scan_summary(report: Report, found: Scan, out: TablesFolder, *, has_log: bool) -> Iterator[str]:
    """Yield the lines of the summary; repositories that were not read whole come first."""
    width = terminal_width(_WIDTH)
    named: list[str] = []
    for path, line in not_read_whole(report, found):
        named.append(path)
        yield from wrap(line, width, "not read whole: ")
    yield from summary(report, width, more=replace(_IN_TABLES, shown=named))
    yield from _left_out(report, out, width)
    yield from _work(found.counts)
    yield from _compliance(found.verdicts)
    manifest = found.manifest
    tables = (f"{name} {number:,}" for name, number in manifest.tables.items())
    rows = counted(sum(manifest.tables.values()), "row")
    yield from wrap(f"{rows} in {visible(f'{out.shown}/{manifest.folder}')}:", width, "tables: ")
    yield from wrap(", ".join(tables), width, " " * 8)
    shown = visible(quote(out.argument))
    question = "SELECT rule, count(*) AS number FROM findings GROUP BY rule"
    yield f'query them: mqlint estate query --out {shown} "{question}"'
    if has_log:
        yield f"Spark's log: {visible(shown_path(out.path / 'spark.log'))}"


def _left_out(report: Report, out: TablesFolder, width: int) -> Iterator[str]:
    """Files that were not checked and that the summary counts only; and where all of them are."""
    rows = [row for row in report.coverage.files if row.status != "checked"]
    silent = [row for row in rows if row.status != "unreadable" and row.reason in UNCOUNTED]
    for status, files in groupby(
        sorted(silent, key=attrgetter("status", "path")), key=attrgetter("status")
    ):
        paths = listed([file.path for file in files], _MOST_SHOWN)
        yield from wrap(paths, width, f"{status.replace('-', ' ')}: ")
    if rows:
        shown = visible(quote(out.argument))
        question = "SELECT status, reason, path FROM files WHERE status <> 'checked'"
        yield f'list them: mqlint estate query --out {shown} "{question}"'


def _work(counts: Counts) -> Iterator[str]:
    """What the scan had to do; the rest was known from the one before."""
    files = counted(counts.documents, "file")
    managers = counted(counts.queue_managers, "queue manager")
    yield f"files: {files}, {counts.read:,} read, {counts.parsed:,} parsed"
    unjudged = f", {counts.unjudged:,} could not be checked" if counts.unjudged else ""
    yield f"models: {managers} and loose files, {counts.judged:,} judged{unjudged}"


def _compliance(verdicts: Mapping[str, int]) -> Iterator[str]:
    """How many of the rules that apply to queue managers pass; the share is rounded down."""
    passed, failed, unknown = (verdicts.get(word, 0) for word in ("pass", "fail", "unknown"))
    total = passed + failed + unknown
    if total:
        share = f"{passed * 1000 // total / 10:.1f} %"
        numbers = f"{passed:,} of {total:,} ({share}) pass, {failed:,} fail, {unknown:,} unknown"
        yield f"rules that apply to a queue manager: {numbers}"


def not_read_whole(report: Report, found: Scan) -> Iterator[tuple[str, str]]:
    """Yield for each repository of which a file could not be read one such file, and a line."""
    from mqlint.estate.io.sources import repository_of

    names = found.configuration.setup.repositories
    rows = grouped((repository_of(row.path, names), row) for row in report.coverage.files)
    for name, files in sorted(rows.items()):
        unread = [row for row in files if row.status == "unreadable"]
        if not unread:
            continue
        others = sum(row.status not in ("unreadable", "checked") for row in files)
        total = found.checked.get(name, Checked()).files + others + len(unread)
        see = names[name].fault if name in names else ""
        first = min(unread, key=lambda row: (row.reason == see, row.path))
        is_all = first.path in (name, ".")  # the row of all of a repository, and not of a file
        where = "" if is_all or first.path in str(first.reason) else f"{first.path}: "
        number = "" if is_all and total == 1 else f"{len(unread):,} of {counted(total, 'file')}: "
        text = f"{name or 'the folder'}: {number}{where}{first.reason}"
        yield first.path, visible(text)
