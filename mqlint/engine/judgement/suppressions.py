"""The effect of comments that suppress findings, and findings about such comments.

`settle` is called once for a run, in one process or on Spark. A suppressed finding is only marked:
its claims on other queue managers remain, and so do theirs on it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.engine.judgement.context import JudgingContext
from mqlint.finding import (
    Excuse,
    Finding,
    Location,
    Position,
    Rule,
    Severity,
    Suppression,
    names_of,
)
from mqlint.policy.run.message import finding_of
from mqlint.vocabulary.distance import nearest


def settle(
    findings: Iterable[Finding],
    suppressions: Mapping[str, Sequence[Suppression]],
    context: JudgingContext,
) -> list[Finding]:
    """Return the findings, with suppressed ones marked, and findings about the comments.

    `suppressions` are by path. Findings keep their fingerprints whether suppressed or not.
    """
    if not any(suppressions.values()):
        return list(findings)
    names = names_of(context.rulebook.rules.values())
    scopes = {
        path: _CommentScopes.of(comments, names)
        for path, comments in suppressions.items()
        if comments
    }
    settled = [
        scopes[finding.location.path].mark(finding) if finding.location.path in scopes else finding
        for finding in findings
    ]
    reporter = _Reporter(context, names)
    for path in sorted(scopes):
        settled += reporter.complaints(path, suppressions[path], scopes[path].used)
    return settled


@mutable
class _Tree:
    """The stretches that comments cover for one rule, by their start; they nest or are apart."""

    starts: list[Position] = field(default_factory=list)
    ends: list[Position] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    comments: list[int] = field(default_factory=list)

    def add(self, start: Position, end: Position, comment: int) -> None:
        """Add the next stretch; starts come in order, of equal starts the longer one first."""
        parent = len(self.starts) - 1
        while parent >= 0 and self.ends[parent] <= start:
            parent = self.parents[parent]
        if parent >= 0 and (self.starts[parent], self.ends[parent]) == (start, end):
            return  # repeated: the second comment has no effect
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(parent)
        self.comments.append(comment)

    def find(self, place: Position) -> int | None:
        """Return the comment whose stretch holds `place`, the nearest one."""
        at = bisect_right(self.starts, place) - 1
        while at >= 0 and self.ends[at] <= place:
            at = self.parents[at]
        return self.comments[at] if at >= 0 else None


@mutable
class _CommentScopes:
    """The stretches that the comments of a file cover, and the rules that each was used for."""

    comments: Sequence[Suppression]
    trees: dict[str, _Tree] = field(default_factory=dict)
    used: set[tuple[int, str]] = field(default_factory=set)

    @classmethod
    def of(cls, comments: Sequence[Suppression], names: Mapping[str, Rule]) -> _CommentScopes:
        """Bind the comments of one file to the rules they name."""
        scopes = cls(comments)
        order = sorted(range(len(comments)), key=lambda at: comments[at].until, reverse=True)
        for at in sorted(order, key=lambda at: comments[at].since):
            comment = comments[at]
            found = (names.get(word.casefold()) for word in comment.rules)
            rules = {rule.id: rule for rule in found if rule is not None and rule.ignorable}
            if comment.since < comment.until:
                for rule in rules.values():
                    tree = scopes.trees.setdefault(rule.id, _Tree())
                    tree.add(comment.since, comment.until, at)
        return scopes

    def mark(self, finding: Finding) -> Finding:
        tree = self.trees.get(finding.rule.id)
        at = tree.find(finding.location.start) if tree is not None else None
        if at is None:
            return finding
        self.used.add((at, finding.rule.id))
        return replace(finding, ignored=Excuse(self.comments[at].reason))


@mutable
class _Reporter:
    """Makes the findings about comments that say too little or are of no use."""

    context: JudgingContext
    names: Mapping[str, Rule]
    hints: int = 100

    def complaints(
        self, path: str, comments: Sequence[Suppression], used: set[tuple[int, str]]
    ) -> Iterator[Finding]:
        for at, comment in enumerate(comments):
            for code, problem, detail in self._problems(at, comment, used, path):
                rule = self.context.rulebook.by_code.get(code)
                severity = self.context.severity(rule, path) if rule is not None else None
                if rule is not None and severity is not None:
                    yield self._finding(path, comment, rule, severity, problem, detail)

    def _problems(
        self, at: int, suppression: Suppression, used: set[tuple[int, str]], path: str
    ) -> Iterator[tuple[str, str, str]]:
        """Yield the code, the words of the message, and a detail that identifies the finding."""
        if not suppression.reason:
            words = ", ".join(suppression.rules) or "RULE"
            yield "ignore-without-reason", f"ignore[{words}] has no reason", words
        if not suppression.rules:
            yield "ignore-unknown-rule", "the comment names no rule: write ignore[RULE] reason", ""
        idle = []
        for word in dict.fromkeys(suppression.rules):
            rule = self.names.get(word.casefold())
            if rule is None:
                yield "ignore-unknown-rule", f"rule {word} does not exist{self._hint(word)}", word
            elif (at, rule.id) in used or self.context.severity(rule, path) is None:
                continue
            elif rule.ignorable:
                idle.append(word)
            else:
                yield "ignore-unused", f"rule {word} cannot be ignored", word
        if idle:
            words = ", ".join(idle)
            problem = f"{words} reports nothing in the lines that this comment covers"
            yield "ignore-unused", problem, words

    def _hint(self, word: str) -> str:
        """The nearest rule; not for endless many words, as it takes long."""
        self.hints -= 1
        near = nearest(word.casefold(), self.names) if self.hints >= 0 else ""
        return f" (did you mean {self.names[near].id}?)" if near else ""

    def _finding(
        self,
        path: str,
        suppression: Suppression,
        rule: Rule,
        severity: Severity,
        problem: str,
        detail: str,
    ) -> Finding:
        location, subject = (
            Location(path, suppression.start, suppression.end),
            self.context.assembly.subject(path),
        )
        return finding_of(rule, severity, {"problem": problem}, location, subject, detail=detail)
