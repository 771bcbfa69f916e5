"""Waivers: the findings that they suppress, and findings about the waivers.

A run marks all findings first: the waivers without effect are known after the last finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import timedelta

from mqlint.dataclass import mutable
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.document_findings import project_finding
from mqlint.finding import Finding
from mqlint.finding.waiver import Finder, Waiver, Waivers

ENDS_SOON = timedelta(days=30)
"""A waiver that ends within this time is reported."""


def rules_run(paths: Iterable[str], context: JudgingContext) -> frozenset[str]:
    """Return the ids of the rules that are run for any of the files `paths`."""
    profiles = {context.profiles_at(path) for path in paths}
    return frozenset(
        rule
        for rule, head in context.rulebook.heads.items()
        if any(context.grading.runs(rule, head.severities, each) for each in profiles)
    )


def waive(
    findings: Iterable[Finding],
    waivers: Waivers,
    paths: Iterable[str],
    context: JudgingContext,
) -> list[Finding]:
    """Return the findings, with those marked that waivers suppress, and findings about waivers.

    `paths` are the files judged. A finding that a comment suppresses keeps its mark.
    """
    waiving = WaiverApplication(waivers, context)
    settled = [waiving.mark(finding) for finding in findings]
    return [*settled, *waiving.complaints(paths)]


@mutable
class WaiverApplication:
    """Waivers that are applied to one finding after the other.

    `used` are those that covered something: pairs of their index and a rule.
    """

    waivers: Waivers
    context: JudgingContext
    used: set[tuple[int, str]] = field(default_factory=set)
    finder: Finder = field(init=False)

    def __post_init__(self) -> None:
        self.finder = Finder(self.waivers.entries)

    def mark(self, finding: Finding) -> Finding:
        """Return the finding, marked with the first waiver that covers it and has not ended.

        A finding that is suppressed already stays as it is marked.
        """
        marked = finding
        for at, waiver in self.finder.covering(finding):
            self.used.add((at, finding.rule.id))
            if marked.ignored is None and waiver.holds_on(self.waivers.today):
                marked = replace(finding, ignored=waiver.excuse)
        return marked

    def complaints(self, paths: Iterable[str]) -> Iterator[Finding]:
        """Yield the findings about the waivers, once all others are marked.

        `paths` are the files judged. If these are only a part of the project, only about waivers
        that covered something.
        """
        ran = rules_run(paths, self.context)
        for at, waiver in enumerate(self.waivers.entries):
            used = [rule for rule in waiver.rules if (at, rule) in self.used]
            if not used and not self.waivers.complete:
                continue
            for code, problem in self._problems(waiver, used, ran):
                finding = project_finding(
                    self.context, code, problem, waiver.location, _identity(waiver)
                )
                if finding is not None:
                    yield finding

    def _problems(
        self, waiver: Waiver, used: Sequence[str], ran: frozenset[str]
    ) -> Iterator[tuple[str, str]]:
        today, expires = self.waivers.today, waiver.expires
        rules = ", ".join(waiver.rules)
        idle = [rule for rule in waiver.rules if rule in ran and rule not in used]
        if expires is not None and expires < today:
            left = "" if used or not idle else "; it covers no finding"
            yield (
                "waiver-expired",
                f"the waiver for {rules} expired on {expires}{left} ({_who(waiver)})",
            )
            return
        if idle and self.waivers.complete:
            words = ", ".join(idle)
            yield "waiver-unmatched", f"the waiver covers no finding of {words}"
        if expires is not None and expires - today <= ENDS_SOON:
            days = (expires - today).days
            when = f"in {days} day{'' if days == 1 else 's'}" if days else "today"
            problem = f"the waiver for {rules} expires {when}, on {expires} ({_who(waiver)})"
            yield "waiver-ends-soon", problem


def _who(waiver: Waiver) -> str:
    ticket = f", {waiver.ticket}" if waiver.ticket else ""
    return f"owner: {waiver.owner}{ticket}"


def _identity(waiver: Waiver) -> str:
    """The identity of a waiver: its subject, without its words and its place."""
    return repr((waiver.rules, *waiver.scopes))
