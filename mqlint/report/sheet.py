"""The findings for a spreadsheet: CSV as RFC 4180 has it, with nothing in it that is worked out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from mqlint.finding import Finding
from mqlint.report.report import Report, Style
from mqlint.report.terminal import visible

_FORMULA: Final = ("=", "+", "-", "@")
"""What a spreadsheet takes for the start of a formula (OWASP, CSV injection)."""

COLUMNS: Final = (
    *("state", "severity", "rule", "name", "message", "path", "line", "column", "repository"),
    *("site", "queue_manager", "object_type", "object_name", "attribute", "incident"),
    "fingerprint",
)
"""The first line."""


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a line for each finding; `state` is counts, suppressed or known."""
    known = (finding for known in report.known for finding in known.findings)
    states = (("counts", report.findings), ("suppressed", report.ignored), ("known", known))
    yield from lines(
        COLUMNS, (_cells(state, finding) for state, findings in states for finding in findings)
    )


def lines(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield a line of headings and one for each row of texts and numbers.

    A spreadsheet takes no text for a formula, and no text steers a terminal or a log.
    """
    for row in chain([columns], rows):
        line = io.StringIO()
        safe = [_safe(cell) if isinstance(cell, str) else cell for cell in row]
        csv.writer(line, lineterminator="\r\n").writerow(safe)
        yield line.getvalue()


def _safe(text: str) -> str:
    """A text that a spreadsheet would work out gets an apostrophe."""
    text = visible(text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _cells(state: str, finding: Finding) -> Iterator[object]:
    rule, place, subject = finding.rule, finding.location, finding.subject
    yield from (state, finding.severity.word, rule.id, rule.name, finding.message)
    yield from (place.path, place.start.line, place.start.column)
    for text in (
        *(finding.repository, subject.site, subject.queue_manager, subject.object_type),
        *(subject.object_name, subject.attribute, finding.incident, finding.fingerprint),
    ):
        yield text or ""
