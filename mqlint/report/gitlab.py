"""Code quality of GitLab: its subset of Code Climate's issues, as one JSON array.

GitLab compares the fingerprints of two branches, and keeps one of equal ones
(docs.gitlab.com/ci/testing/code_quality, "Code Quality report format"). In a run about several
projects, two findings may share a fingerprint: each further one is numbered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mqlint.finding import Finding, Severity
from mqlint.report.json import Json, json_array
from mqlint.report.report import Report, Style
from mqlint.report.terminal import visible, visible_lines
from mqlint.report.uri import checkout_name

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield an array with an issue for each finding that counts."""
    seen: Counter[str] = Counter()
    yield from json_array(_issue(finding, seen, report.below) for finding in report.findings)
    yield "\n"


def _issue(finding: Finding, seen: Counter[str], below: str) -> dict[str, Json]:
    """The issue of a finding; `seen` counts fingerprints up to it."""
    rule, where = finding.rule, finding.location
    seen[finding.fingerprint] += 1
    occurrence = seen[finding.fingerprint]
    issue: dict[str, Json] = {
        "type": "issue",
        "check_name": f"{rule.id} {rule.name}",
        "description": f"{rule.id}: {visible(finding.message)}",
        "categories": ["Security" if rule.group == "security" else "Bug Risk"],
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": finding.fingerprint + (f"-{occurrence}" if occurrence > 1 else ""),
        "location": {
            "path": checkout_name(where.path, below),
            "lines": {"begin": where.start.line, "end": max(where.end.line, where.start.line)},
        },
    }
    if finding.fix.strip():
        issue["content"] = {"body": visible_lines(finding.fix.strip("\n"))}
    return issue
