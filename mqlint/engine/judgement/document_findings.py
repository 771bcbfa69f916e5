"""Findings of one document, from what was reported of it, and findings about a project.

The latter are about waivers, what a change loosens, and what a register lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from posixpath import basename, dirname, splitext

from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.reading import Reading, Reported
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.valued import faults_of_values
from mqlint.finding import Diagnostic, Finding, Location, Rule, Severity, Subject, diagnostic
from mqlint.language.client.signs import is_windows_script
from mqlint.language.declaration import NamedFile
from mqlint.policy.run.message import finding_of
from mqlint.source.budget import Budget
from mqlint.source.checkout import Checkout, folders_above, path_beside
from mqlint.source.lines import LineMap
from mqlint.source.masking import shown
from mqlint.vocabulary.distance import nearest, same_but_for_digits, typo_of

_EACH_FILE = 256
"""Characters of the budget of comparisons for each file that a document names."""
_MADE = "ed"
"""The end of names of what a step makes: `generated` is not a typo of `generate`."""
_SHORTEST_ENDING = len(".mqs")
"""Shorter endings differ by one letter without a typo: `.in`, `.ini`."""


def document_findings(path: str, reading: Reading, context: JudgingContext) -> list[Finding]:
    joined = context.assembly.relations.joined.get(path, ())
    settled = context.assembly.relations.composed.settled.get(path, ())
    every = [
        reported
        for reported in reading.reported
        if not settled or reported.diagnostic.place not in settled
    ]
    every += (Reported(found, reading.language) for found in joined)
    every += faults_of_values(path, reading, context.assembly)
    every += map(Reported, _left_out(path, reading, context.assembly))
    lines = reading.lines
    if context.checkout is not None and reading.files:
        is_of_mq = context.assembly.relations.is_of_mq
        files = [file for file in reading.files if is_of_mq or not file.is_certain]
        budget = Budget(_EACH_FILE * len(files))
        places = {reported.diagnostic.place for reported in every}
        missing = _missing(path, files, context.checkout, budget)
        every += (Reported(found) for found in missing if found.place not in places)
    findings = []
    for reported in every:
        rule = context.rulebook.by_code.get(reported.diagnostic.code)
        severity = context.severity(rule, path) if rule is not None else None
        if rule is not None and severity is not None:
            findings.append(_finding(path, reported, rule, severity, context.assembly, lines))
    return findings


def _left_out(path: str, reading: Reading, assembly: Assembly) -> Iterator[Diagnostic]:
    """Report a file that more queue managers are made of than are judged with it."""
    commands = max((len(part.commands) for part in reading.parts), default=0)
    what = assembly.feeds_left_out(path, commands)
    if what:
        yield diagnostic("beyond-limits", (0, 0), what=what)


def _missing(
    path: str, files: Sequence[NamedFile], checkout: Checkout, budget: Budget
) -> Iterator[Diagnostic]:
    """Report files that a document names and the checkout lacks.

    If the folder is not certain, one above may be meant, and only a single typo is reported. A
    name that the budget does not allow to compare with existing ones does not count as a typo.
    """
    if _is_for_elsewhere(path, files, checkout):
        return
    for file in files:
        places = [path_beside(path, file.name)]
        if not file.is_certain:
            places += (path_beside(folder, file.name) for folder in folders_above(path))
        folders = [place for place in places if file.is_certain or checkout.names(dirname(place))]
        if not folders or not all(map(checkout.lacks, folders)):
            continue
        meant = (_near(place, checkout, budget, file.is_certain) for place in folders)
        near = next(filter(None, meant), "")
        if is_windows_script(path) and near.lower() == basename(file.name).lower():
            continue  # there, upper and lower case are the same
        is_typo = near and not same_but_for_digits(near, basename(file.name))
        if is_typo or file.is_certain:
            hint = f", and the nearest is {shown(near)}" if is_typo else ""
            yield diagnostic(
                "named-file-missing", file.span, word=file.name, file=file.name, hint=hint
            )


def _is_for_elsewhere(path: str, files: Sequence[NamedFile], checkout: Checkout) -> bool:
    """Whether a document is alone in its folder, but names several files there.

    A step copies such a kustomization to its files.
    """
    here = [file for file in files if file.is_certain and not file.name.startswith("..")]
    return len(here) > 1 and [*(checkout.names(dirname(path)) or ())] == [basename(path)]


def _near(place: str, checkout: Checkout, budget: Budget, is_certain: bool) -> str:
    """The name in the folder of a path that is meant; blank for none, or too many to compare.

    If the folder is not certain, names with more than one typo are others.

    Names must also be near without their common ending: end.sh is not a typo of e.sh. If no name
    has the ending, the ending itself may be the typo: queues.mqcs.
    """
    names = checkout.same_ending(place) if not budget.is_spent else []
    if not names and not budget.is_spent:
        return _other_ending(place, checkout, budget)
    find = nearest if is_certain else typo_of
    near = find(basename(place), names) if budget.spend(0, len(names)) else ""
    stem, meant = splitext(basename(place))[0], splitext(near)[0]
    is_made = stem.endswith(_MADE) and not meant.endswith(_MADE)
    return near if nearest(stem, [meant]) and not is_made else ""


def _other_ending(place: str, checkout: Checkout, budget: Budget) -> str:
    """The name in the folder of a path of which only the ending differs, by one typo."""
    stem, ending = splitext(basename(place))
    names = checkout.names(dirname(place)) or ()
    if len(ending) < _SHORTEST_ENDING or not budget.spend(0, len(names)):
        return ""
    others = {splitext(name)[1] for name in names if splitext(name)[0] == stem}
    near = typo_of(ending, {other for other in others if len(other) >= _SHORTEST_ENDING})
    return f"{stem}{near}" if near else ""


def _finding(
    path: str,
    reported: Reported,
    rule: Rule,
    severity: Severity,
    assembly: Assembly,
    lines: LineMap,
) -> Finding:
    fault = reported.diagnostic
    subject = replace(
        assembly.subject(path, reported.queue_manager, reported.entry),
        object_type=reported.object_type,
        object_name=reported.object_name,
        attribute=fault.data.get("attribute"),
    )
    location = Location.of(path, lines, *fault.span)
    word = fault.data.get("word", "")
    return finding_of(rule, severity, fault.data, location, subject, detail=word)


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
