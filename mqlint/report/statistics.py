"""How many findings each rule, file and queue manager has: where to begin in an old repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter

from mqlint.finding import Finding
from mqlint.report.report import Report, Style
from mqlint.report.summary import summary
from mqlint.report.table import table

_UNKNOWN = "(not known)"


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a table each by rule, file and queue manager, most findings first; then the summary."""
    for columns, cells in _TABLES.items():
        counts = Counter(map(cells, report.findings))
        rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
        if rows:
            texts = [(f"{number:,}", *row) for row, number in rows]
            yield "\n".join(table(("findings", *columns), texts, style.width)) + "\n\n"
    if not style.quiet:
        yield "\n".join(summary(report, style.width, verbose=style.verbose)) + "\n"


_TABLES: dict[tuple[str, ...], Callable[[Finding], tuple[str, ...]]] = {
    ("rule", "severity", "summary"): attrgetter("rule.id", "severity.word", "rule.summary"),
    ("file",): lambda finding: (finding.location.path,),
    ("queue manager", "site"): lambda finding: (
        finding.subject.queue_manager or _UNKNOWN,
        finding.subject.site or "",
    ),
}
