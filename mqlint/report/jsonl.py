"""The findings for programs that read line by line: an object a line, nothing else.

Each is an object of the report in JSON. `suppression` and `known` are in those that have them: what
has neither counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.report.json import dump, finding_object, known_object, suppressed_object
from mqlint.report.report import Report, Style


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a line for each finding: those that count, then the suppressed, then the known."""
    for finding in report.findings:
        yield dump(finding_object(finding)) + "\n"
    for finding in report.ignored:
        yield dump(suppressed_object(finding)) + "\n"
    for known in report.known:
        for finding in known.findings:
            yield dump(known_object(finding, known)) + "\n"
