"""The trend: numbers of the scans of a year, which each scan takes from the one before.

So they outlive the tables of those scans. They are summed by team and site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import Draft, Manifest, NoScanError, scans
from mqlint.estate.tables.batches import Values, rows
from mqlint.estate.tables.schema import JUDGEMENTS, TREND

OLDEST: Final = timedelta(days=400)
"""The age of the oldest numbers."""

EACH: Final = timedelta(days=31)
"""The age up to which each scan has its numbers; of older ones the last of each day has."""

_COUNTED: Final = {
    "findings": ("team", "site", "severity", "known", "scanned"),
    JUDGEMENTS: ("team", "site", "verdict", "rules_total", "is_excepted", "scanned"),
    "coverage": ("team", "status", "files", "scanned"),
}
VERDICTS: Final = ("pass", "fail", "unknown")
"""The measures that count verdicts: one of them for each rule that applies to a queue manager."""

_FILES: Final = ("checked", "unreadable")


class TrendRow(NamedTuple):
    """A row of the table `trend`, less its labels: one number of one scan."""

    repository: str
    counted_scan: str
    counted_at: datetime
    counted_team: str | None
    site: str | None
    measure: str
    total: int


def trend_rows(draft: Draft) -> Iterator[TrendRow]:
    """Yield the rows of the table `trend` of a scan whose other tables are written."""
    began = draft.stamp.scanned
    counts: Counter[tuple[str, str, str]] = Counter()
    for table, columns in _COUNTED.items():
        counts.update(_counts(table, rows(draft.read(table, columns))))
    earlier = _thinned([*trend(draft.out, scans(draft.out))], began)
    yield from (*earlier, *_summed(draft.stamp.scan, began, counts))


def trend(out: Path, stored: Sequence[Manifest]) -> Iterator[TrendRow]:
    """Yield the numbers of the scans `stored` in `out`, the oldest first, and of those before them.

    The last one has those of all. If it was made by an earlier mqlint, or its table is damaged,
    its findings are counted, and the one before has the others.
    """
    for scan in reversed(stored):
        try:
            if TREND in scan.tables:
                found = table_rows(out, scan, TREND, TrendRow._fields)
                yield from [TrendRow(**row) for row in found]
                return
        except NoScanError:
            pass
        yield from _counted(out, scan)


def _counted(out: Path, scan: Manifest) -> Iterator[TrendRow]:
    """The numbers of a scan by its tables; none of a table that is damaged."""
    counts: Counter[tuple[str, str, str]] = Counter()
    began = datetime.fromisoformat(scan.finished)
    for table, columns in _COUNTED.items():
        with suppress(NoScanError):
            found = table_rows(out, scan, table, columns) if table in scan.tables else iter(())
            for first in found:
                began = first["scanned"]
                counts.update(_counts(table, chain((first,), found)))
    yield from _summed(scan.scan, began, counts)


def _counts(table: str, found: Iterable[Values]) -> Counter[tuple[str, str, str]]:
    """Numbers by team, site and measure."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in found:
        owner = row["team"] or "", row.get("site") or ""
        if table == "findings":
            counts[*owner, row["severity"]] += not row["known"]
        elif table == "coverage":
            if row["status"] in _FILES:
                counts[*owner, row["status"]] += row["files"]
        elif row["verdict"] in VERDICTS:
            counts[*owner, row["verdict"]] += row["rules_total"]
            counts[*owner, "excepted"] += bool(row["is_excepted"])
    return counts


def _summed(
    scan: str, began: datetime, counts: Counter[tuple[str, str, str]]
) -> Iterator[TrendRow]:
    for (team, site, measure), total in sorted(counts.items()):
        if total:
            yield TrendRow("", scan, began, team or None, site or None, measure, total)


def _thinned(found: Sequence[TrendRow], now: datetime) -> Iterator[TrendRow]:
    """The rows that a scan which began at `now` takes from those before it."""
    last_of_day: dict[date, str] = {}
    for row in found:
        day = row.counted_at.date()
        last_of_day[day] = max(row.counted_scan, last_of_day.get(day, ""))
    for row in found:
        age = now - row.counted_at
        is_last = last_of_day[row.counted_at.date()] == row.counted_scan
        if age <= EACH or (age <= OLDEST and is_last):
            yield row
