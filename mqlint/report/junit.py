"""JUnit's XML, for the test reports of Jenkins, GitLab, Azure DevOps and CircleCI.

A file that was checked is a test suite. Each error and each warning in it is a test that fails,
each note a test that passes with a text; a file without findings is one test that passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Finding, Severity
from mqlint.report.report import Report, Style
from mqlint.report.text import place_of
from mqlint.report.uri import checkout_name
from mqlint.report.xml import DECLARATION, start, text


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a document with a suite for each file checked, and for each that has findings."""
    suites: dict[str, list[Finding]] = {path: [] for path in report.coverage.checked_paths()}
    for finding in report.findings:
        suites.setdefault(finding.location.path, []).append(finding)
    tests = sum(max(1, len(findings)) for findings in suites.values())
    head = start("testsuites", name="mqlint", tests=tests, failures=_failures(report.findings))
    yield f"{DECLARATION}{head}>\n"
    for path, findings in sorted(suites.items()):
        name = checkout_name(path, report.below)
        numbers = {"tests": max(1, len(findings)), "failures": _failures(findings), "errors": 0}
        yield f"  {start('testsuite', name=name, **numbers)}>\n"
        for finding in findings:
            yield _test(finding, name)
        if not findings:
            yield f"    {start('testcase', name='mqlint', classname=name)}/>\n"
        yield "  </testsuite>\n"
    yield "</testsuites>\n"


def _fails(finding: Finding) -> bool:
    return finding.severity >= Severity.WARNING


def _failures(findings: Sequence[Finding]) -> int:
    return sum(map(_fails, findings))


def _test(finding: Finding, suite: str) -> str:
    rule, where = finding.rule, finding.location
    case = start(
        "testcase",
        name=f"{rule.id} {rule.name} at {where.start.line}:{where.start.column}",
        classname=suite,
    )
    words = [f"{place_of(where)}: {finding.message}", rule.why.strip(), finding.fix.strip()]
    body = text("\n\n".join(filter(None, words)))
    if _fails(finding):
        failure = start("failure", type=finding.severity.word, message=finding.message)
        inner = f"{failure}>{body}</failure>"
    else:
        inner = f"<system-out>{body}</system-out>"
    return f"    {case}>\n      {inner}\n    </testcase>\n"
