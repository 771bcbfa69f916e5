"""Annotations on a pull request: workflow commands that a step of GitHub Actions prints.

Their escapes are those of actions/toolkit: `%`, CR and LF in a message, also `:` and `,` in a
property. A runner takes every line that begins with `::`, and anything after `##[`, for a command;
neither can come from a file, as each finding is one escaped line and the last line holds numbers
only. Columns are given where a finding is on one line: GitHub takes no others.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Severity
from mqlint.report.fold import FoldedEntry, fold
from mqlint.report.report import Report, Style
from mqlint.report.summary import severity_counts
from mqlint.report.terminal import counted, visible
from mqlint.report.uri import checkout_name

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_TITLE = 255


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield one command an incident, one about what is in force, and a line with the numbers."""
    for entry in fold(report.findings, len(report.findings)):
        yield _command(entry, report.below) + "\n"
    if report.in_force:
        from mqlint.report.in_force import block  # here, as most runs have nothing in force

        lines = list(block(report.in_force, style.width))
        yield f"::notice title=mqlint::{_data(lines)}\n" if lines else ""
    if not style.quiet:
        known = sum(len(part.findings) for part in report.known)
        rest = f" ({known:,} known before not shown)" if known else ""
        yield f"mqlint: {severity_counts(report.findings)}{rest}\n"


def _command(entry: FoldedEntry, below: str) -> str:
    finding, *others = entry.first
    where, rule = finding.location, finding.rule
    start, end = where.start, where.end
    places = {"line": start.line, "endLine": max(end.line, start.line)}
    if places["line"] == places["endLine"]:
        # The last column that is marked, where ours is the one after it.
        places |= {"col": start.column, "endColumn": max(end.column - 1, start.column)}
    properties = [
        f"file={_property(checkout_name(where.path, below))}",
        *(f"{key}={value}" for key, value in places.items()),
        f"title={_property(visible(f'{rule.id} {rule.name}')[:_TITLE])}",
    ]
    more = f" (and {counted(len(others), 'more place')})" if others else ""
    texts = [visible(finding.message) + more, *map(visible, finding.fix.strip().split("\n"))]
    return f"::{_COMMANDS[entry.severity]} {','.join(properties)}::{_data(texts)}"


def _data(lines: list[str]) -> str:
    """A message: lines joined, what is special escaped."""
    text = "\n".join(line for line in lines if line.strip())
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A property: no end of line, colon or comma is left; other control characters are shown."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(text.replace(":", "%3A").replace(",", "%2C"))
