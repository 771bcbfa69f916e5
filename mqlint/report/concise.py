"""One line a finding, `path:line:column` first, which editors and `grep -n` readers recognise."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.report.report import Report, Style
from mqlint.report.summary import summary
from mqlint.report.terminal import visible
from mqlint.report.text import place_of


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a line for each finding, and the first line of the summary."""
    for finding in report.findings:
        rule = finding.rule
        words = f"{finding.severity.word} {rule.id} {visible(finding.message)}"
        yield f"{place_of(finding.location)}: {words}\n"
    if not style.quiet:
        yield next(iter(summary(report, style.width))) + "\n"
