"""Findings about a project: its waivers, what a change loosens, what its register lists."""

from __future__ import annotations

from mqlint.engine.assemble import JudgingContext
from mqlint.finding import Finding, Location, Severity, Subject
from mqlint.policy.run.message import finding_of


def project_finding(
    context: JudgingContext,
    code: str,
    problem: str,
    location: Location,
    detail: str = "",
    severity: Severity | None = None,
    subject: Subject | None = None,
) -> Finding | None:
    """Return the finding of the rule for `code`; None if that rule does not run.

    `detail` distinguishes it from others of its rule. `severity` replaces that of the rule.
    `subject` is the queue manager that it is about, if any.
    """
    rule = context.rulebook.by_code.get(code)
    profiles = context.assembly.settings.profiles
    own = context.grading.severity(rule, None, profiles) if rule is not None else None
    if rule is None or own is None:
        return None
    subject = subject or Subject()
    data = {"problem": problem, "queue_manager": subject.queue_manager or ""}
    return finding_of(
        rule, own if severity is None else severity, data, location, subject, detail=detail
    )
