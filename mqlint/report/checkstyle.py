"""Checkstyle's XML, which Jenkins, reviewdog and many editors read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mqlint.finding import Finding, Severity
from mqlint.report.report import Report, Style
from mqlint.report.uri import checkout_name
from mqlint.report.xml import DECLARATION, start

_SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "info"}


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a document with an element for each file that has findings that count."""
    yield f"{DECLARATION}{start('checkstyle', version='10.0')}>\n"
    findings = sorted(report.findings, key=_path)
    for path, group in groupby(findings, _path):
        yield f"  {start('file', name=checkout_name(path, report.below))}>\n"
        for finding in group:
            position = finding.location.start
            element = start(
                "error",
                line=position.line,
                column=position.column,
                severity=_SEVERITIES[finding.severity],
                message=finding.message,
                source=f"mqlint.{finding.rule.group}.{finding.rule.id}",
            )
            yield f"    {element}/>\n"
        yield "  </file>\n"
    yield "</checkstyle>\n"


def _path(finding: Finding) -> str:
    return finding.location.path
