"""The findings for a spreadsheet: CSV as RFC 4180 has it, with nothing in it that is worked out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from mqlint.finding import Finding
from mqlint.report.report import Report, Style
from mqlint.report.terminal import visible

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the start of a formula (OWASP, CSV injection)."""

COLUMNS: Final = (
    *("state", "severity", "rule", "name", "message", "path", "line", "column", "site"),
    *("queue_manager", "object_type", "object_name", "attribute", "incident", "fingerprint"),
)
"""The first line."""


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a line for each finding; `state` is counts, suppressed or known."""
    yield line_of(COLUMNS)
    for finding in report.findings:
        yield line_of(_cells("counts", finding))
    for finding in report.ignored:
        yield line_of(_cells("suppressed", finding))
    for known in report.known:
        for finding in known.findings:
            yield line_of(_cells("known", finding))


def line_of(cells: Iterable[object]) -> str:
    """Return one line of texts and numbers; no text is worked out by a spreadsheet."""
    line = io.StringIO()
    safe = [_safe(cell) if isinstance(cell, str) else cell for cell in cells]
    csv.writer(line, lineterminator="\r\n").writerow(safe)
    return line.getvalue()


def _safe(text: str) -> str:
    """A text that a spreadsheet would work out gets an apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _cells(state: str, finding: Finding) -> Iterator[object]:
    rule, place, subject = finding.rule, finding.location, finding.subject
    yield from (state, finding.severity.word, rule.id, rule.name, visible(finding.message))
    yield from (visible(place.path), place.start.line, place.start.column)
    for text in (
        *(subject.site, subject.queue_manager, subject.object_type, subject.object_name),
        *(subject.attribute, finding.incident, finding.fingerprint),
    ):
        yield visible(text or "")
