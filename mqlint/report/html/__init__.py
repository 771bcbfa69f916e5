"""One HTML file that opens offline: findings to filter, a map, a matrix, and what was not read.

Everything is in the file. A content security policy allows no request, and no script or style but
the two whose digests it names. What files of strangers hold goes in as JSON in an element that no
browser runs, and the script shows it as text only.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.report.html.content import content_of
from mqlint.report.html.page import page_of
from mqlint.report.report import Report, Style


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield the page; the same report always gives the same text."""
    yield from page_of(content_of(report))
