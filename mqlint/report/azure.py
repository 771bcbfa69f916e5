"""Issues of an Azure DevOps pipeline: logging commands that a step prints.

A property ends at `;`, `]` or the end of the line, a message at the end of the line. Their escapes
are those of the agent: `%3B`, `%5D`, `%0D`, `%0A`, and `%AZP25` for `%`, which it decodes where
`DECODE_PERCENTS` is set (learn.microsoft.com, "Logging commands"; microsoft/azure-pipelines-agent,
docs/design/percentEncoding.md). The agent takes the first command of a line, wherever it is: each
line begins with ours. Azure DevOps knows errors and warnings; a note is debug output.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Finding, Severity
from mqlint.report.report import Report, Style
from mqlint.report.summary import summary
from mqlint.report.terminal import visible
from mqlint.report.text import place_of
from mqlint.report.uri import checkout_name

_TYPES = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a command for each finding, and the first line of the summary."""
    for finding in report.findings:
        yield _command(finding, report.below) + "\n"
    if not style.quiet:
        yield next(iter(summary(report, style.width))) + "\n"


def _command(finding: Finding, below: str) -> str:
    where, rule = finding.location, finding.rule
    text = _escaped(f"{rule.id}: {finding.message}")
    if finding.severity not in _TYPES:
        return f"##vso[task.debug]{_escaped(place_of(where))} {text}"
    properties = {
        "type": _TYPES[finding.severity],
        "sourcepath": checkout_name(where.path, below),
        "linenumber": str(where.start.line),
        "columnnumber": str(where.start.column),
        "code": rule.id,
    }
    words = ";".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"##vso[task.logissue {words}]{text}"


def _escaped(text: str) -> str:
    return visible(text.replace("%", "%AZP25"))


def _property(text: str) -> str:
    return _escaped(text).replace(";", "%3B").replace("]", "%5D")
