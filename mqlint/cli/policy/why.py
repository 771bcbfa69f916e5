"""`mqlint why`: why a rule speaks or is silent about what is in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from mqlint.cli.check.run import RunOptions
from mqlint.cli.check.waivers import waivers_of
from mqlint.cli.common import completion
from mqlint.cli.common.documents import report_unread
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import format_option, options
from mqlint.cli.common.output import answer
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.cli.policy.explain import find
from mqlint.dataclass import frozen
from mqlint.engine import Analyser, Run
from mqlint.engine.judgement.criteria import Criteria, Suppressing
from mqlint.engine.project import Project, load_all
from mqlint.engine.run import judge_loaded
from mqlint.finding import Finding, Rule
from mqlint.model.facts.registry import Facts
from mqlint.number import whole_number
from mqlint.policy.compile.logic import Truth
from mqlint.policy.compile.predicate import SUBQUERIES
from mqlint.policy.policy import Policy
from mqlint.policy.run.explain import VERDICTS, ConditionPart, Explanation, explain
from mqlint.report.json import Json, fields_of
from mqlint.report.terminal import counted, wrap
from mqlint.source.display import display_path
from mqlint.source.masking import shown

_MOST = 10
"""Facts that are explained; the others are counted."""

_TRUTH: Mapping[Truth, str] = {True: "true", False: "false", None: "unknown"}


_QUIET = ("not-about", "as-required")
"""Verdicts that come last where no place was asked about."""


@frozen
class Answer:
    """Why a rule speaks or is silent at a place.

    `reasons` are those that hold for the whole project; `findings` are what it reports there.
    """

    rule: Rule
    reasons: Sequence[str]
    findings: Sequence[Finding]
    explained: Sequence[Explanation]
    more: int


@click.command("why", short_help="Explain why a rule does or does not report a place.")
@click.argument("rule", shell_complete=completion.rules)
@click.argument("place", metavar="[PATH[:LINE]]", required=False)
@format_option
@options("config policies profiles cache no_cache", project=ProjectOptions, run=RunOptions)
def command(
    rule: str, place: str | None, form: str, project: ProjectOptions, run: RunOptions
) -> None:
    """Explain why RULE does or does not report PATH, LINE, or any place here.

    The whole project is read. Each part of the conditions under match, unless and check is shown
    with its value. A rule reports a place only if all of them are known. The exit status is 0.
    """
    file, line = split_place(place)
    session = project.session((file,) if file else ())
    chosen = find(rule, session.rulebook.rules)
    session.require_known_words(run.profiles)
    found = answer_of(chosen, session, run, file, line)
    answer(form, lambda: as_json(found), lambda width: as_text(found, width), 100, 2)


def split_place(place: str | None) -> tuple[str, int | None]:
    """Return the file and the line of `FILE:LINE`, the line None if there is none.

    A file that exists under the whole name is meant by it.
    """
    if place is None:
        return "", None
    name, colon, line = place.rpartition(":")
    number = whole_number(line)
    is_line = colon and number is not None and not Path(place).exists()
    return (name, number) if is_line else (place, None)


def answer_of(
    rule: Rule, session: Session, options: RunOptions, file: str, line: int | None
) -> Answer:
    """Read the project and ask the rule; Refusal where there is no such file."""
    if file and not Path(file).exists():
        raise Refusal(f"no such file: {file}")
    whole = str(session.project.root) if session.project.config_path or not file else file
    targets = collect(session, (whole,))
    path = display_path(Path(file).absolute(), session.project.root) if file else ""
    settings, analyser = session.settings, Analyser(session.vocabulary)
    loaded = load_all(targets.everything, settings, analyser)
    report_unread((document.coverage for document in loaded.values()), targets.everything)
    suppressing = Suppressing(waivers=waivers_of(session, complete=targets.complete))
    rulebook, profiles = session.rulebook, options.profiles
    criteria = Criteria.of(settings, analyser, rulebook, profiles, suppressing)
    run = judge_loaded(loaded, criteria)
    policy = session.rulebook.policies_by_id.get(rule.id)
    found = [
        finding
        for finding in (*run.findings, *run.ignored)
        if finding.rule.id == rule.id
        and _is_in(finding.location.path, path)
        and line in (None, finding.location.start.line)
    ]
    reasons = [*_reasons(rule, criteria, policy, run)]
    if policy is None:
        reasons.append("it is reported when the file is read and has no conditions")
        return Answer(rule, reasons, found, (), 0)
    project = Project(loaded, settings, session.vocabulary)
    explained = [
        explanation
        for descriptions in project.descriptions()
        for explanation in _explained(policy, descriptions, path)
    ]
    if file:
        explained = _nearest(explained, line)
    else:
        explained.sort(key=lambda explanation: explanation.verdict in _QUIET)
    return Answer(rule, reasons, found, explained[:_MOST], len(explained[_MOST:]))


def _reasons(rule: Rule, criteria: Criteria, policy: Policy | None, run: Run) -> Iterator[str]:
    settings, grading = criteria.settings, criteria.grading
    configured = settings.profiles
    if rule.id in settings.severity and settings.severity[rule.id] == "off":
        yield "`severity` in the configuration turns it off"
    elif all(grading.severity(rule, role, configured) is None for role in (None, "production")):
        yield (
            f"it runs in the profiles {', '.join(sorted(rule.severity))}, "
            f"and this run has {', '.join(sorted(grading.profiles_at(None, configured)))}"
        )
    for key, rules in run.coverage.waiting.items():
        if rule.id in rules:
            yield f"it needs `{key}` in mqlint.yaml"
    if policy is not None and policy.kind.looks_for:
        yield "it compares several queue managers"


def _explained(policy: Policy, descriptions: Iterable[Facts], path: str) -> Iterator[Explanation]:
    for facts in descriptions:
        for fact in facts.of(policy.object):
            if _is_in(fact.where().path, path):
                yield explain(policy, fact, facts)


def _is_in(path: str, place: str) -> bool:
    """Whether a file is a place, or in it; a blank one is the whole project."""
    return place in ("", ".", path) or path.startswith(f"{place}/")


def _nearest(explained: Sequence[Explanation], line: int | None) -> list[Explanation]:
    """Those at a line, else at the last line before it where there are any; all without one."""
    if line is None:
        return list(explained)
    nearest = max((at for at in map(_line, explained) if at <= line), default=None)
    return [explanation for explanation in explained if _line(explanation) == nearest]


def _line(explanation: Explanation) -> int:
    return explanation.fact.where().start.line


def as_text(answer: Answer, width: int) -> Iterator[str]:
    yield f"{answer.rule.id} {answer.rule.name}"
    for reason in answer.reasons:
        yield from wrap(reason, width, "  ")
    for finding in answer.findings:
        what = f"ignored: {finding.ignored.reason}" if finding.ignored else finding.severity.word
        where = finding.location.line_text
        yield from wrap(f"{where} {what}: {finding.message}", width, "  reported: ")
    if not answer.findings:
        yield "  no finding here"
    for explanation in answer.explained:
        yield ""
        yield from _explanation(explanation, width)
    if answer.more:
        yield ""
        yield f"and {counted(answer.more, 'more')} (name a line)"


def _explanation(explanation: Explanation, width: int) -> Iterator[str]:
    fact = explanation.fact
    place = fact.where()
    manager = fact.manager.key
    whose = "" if manager.anonymous else f" of {manager.name}"
    head = shown(f"{place.line_text} {fact.type} {fact.name}{whose}")
    at = "".join(f", at {fault.line_text}" for fault in explanation.places if fault != place)
    yield from wrap(f"{head}: {VERDICTS[explanation.verdict]}{at}", width)
    for clause, parts in explanation.clauses.items():
        for part in parts:
            yield from _part(part, clause, width, 2)


def _part(part: ConditionPart, clause: str, width: int, depth: int) -> Iterator[str]:
    words = f"{part.key}:" if part.test or part.value or part.parts else part.key
    if part.test:
        words += f" {part.test}"
    if part.value or (part.test and part.key not in SUBQUERIES):
        words += f" (value: {part.value or 'blank'})"
    lead = f"{' ' * depth}{clause:<7} {_TRUTH[part.truth]:<8}"
    yield from wrap(words, width, lead)
    for inner in part.parts:
        yield from _part(inner, "", width, depth + 2)


def as_json(answer: Answer) -> dict[str, Json]:
    return {
        "rule": answer.rule.id,
        "reasons": list(answer.reasons),
        "findings": [finding.fingerprint for finding in answer.findings],
        "facts": [
            {
                "path": explanation.fact.where().path,
                "line": _line(explanation),
                "object": {"type": explanation.fact.type, "name": shown(explanation.fact.name)},
                "verdict": explanation.verdict,
                "clauses": {
                    clause: [_part_as_json(part) for part in parts]
                    for clause, parts in explanation.clauses.items()
                },
            }
            for explanation in answer.explained
        ],
        "more": answer.more,
    }


def _part_as_json(part: ConditionPart) -> dict[str, Json]:
    parts = [_part_as_json(inner) for inner in part.parts]
    return {**fields_of(part, "key test truth value"), "parts": parts}
