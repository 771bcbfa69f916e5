"""Runs the cases that a policy carries; `mqlint.policy.language.cases` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from datetime import date

from mqlint.config.loader import read_settings, settings_from
from mqlint.config.project import CONFIG_NAMES
from mqlint.config.reader import read_yaml
from mqlint.dataclass import frozen
from mqlint.engine.change import EarlierProject, check_change
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.fixing.repair import Repair
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.criteria import Criteria, Suppressing, grading_of
from mqlint.engine.judgement.exceptions import Baseline, Terms, findings_of, loosenings
from mqlint.engine.judgement.register import FILE_NAME as REGISTER
from mqlint.engine.judgement.register import (
    DescribedManager,
    matches,
    register_findings,
    register_from,
)
from mqlint.engine.loading.load import Input
from mqlint.engine.project import Project
from mqlint.engine.run import Run, check
from mqlint.finding.baseline import FILE_NAME as BASELINE
from mqlint.finding.baseline import BaselineEntry, parsed, split
from mqlint.finding.waiver import FILE_NAME, Waivers, waivers_from
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, compile_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.source.checkout import Checkout


@frozen
class CaseResult:
    """The result of a case: the places flagged, and the other rules that were raised.

    `fixed` are the files that the repair of the policy changes, after the change; none if the case
    does not ask.
    """

    rule: str
    case: Case
    found: tuple[str, ...]
    besides: frozenset[str]
    fixed: Mapping[str, str] = field(default_factory=dict)

    @property
    def misfixed(self) -> list[str]:
        wanted = dict(self.case.fixed)
        paths = sorted(wanted.keys() | self.fixed.keys())
        return [path for path in paths if wanted.get(path) != self.fixed.get(path)]

    @property
    def passed(self) -> bool:
        """Whether exactly the expected places were flagged, and are fixed as expected."""
        return self.found == self.case.flagged and not self.misfixed


def run_case(case: Case, analyser: Analyser, rulebook: Rulebook, profiles: set[str]) -> Run:
    """Check the files of a case under all rules of `rulebook`."""
    profiles = set(case.profiles) or profiles
    if case.base is not None:
        return _run_change(case, case.base, analyser, rulebook, profiles)
    files = dict(case.files)
    register = files.pop(REGISTER, None)
    inputs = _inputs(files.items())
    run = check(
        inputs,
        case.settings,
        analyser,
        rulebook,
        profiles=profiles,
        waivers=_waivers(files, case.today, rulebook),
        checkout=Checkout.of_texts(files),
    )
    if register is None:
        return run
    project = Project.of(inputs, case.settings, analyser)
    described = [
        DescribedManager(key.name, key.site, "", path)
        for path, reading in project.readings.items()
        for key, _ in project.assembly.contributions(path, reading)
        if not key.anonymous
    ]
    context = JudgingContext(project.assembly, rulebook, grading_of(case.settings, profiles))
    found = matches(register_from(register, REGISTER), described)
    return replace(run, findings=[*run.findings, *register_findings(found, context)])


def _run_change(
    case: Case,
    base: tuple[tuple[str, str], ...],
    analyser: Analyser,
    rulebook: Rulebook,
    profiles: set[str],
) -> Run:
    then, now = (_terms(dict(files), case, analyser, rulebook) for files in (base, case.files))
    suppressing = Suppressing(waivers=now.waivers)
    criteria = Criteria.of(then.settings, analyser, rulebook, profiles, suppressing)
    before = EarlierProject(frozenset(), _inputs(base), Suppressing(waivers=then.waivers))
    compared = check_change(_inputs(case.files), before, criteria)
    new = split(compared.now.findings, map(BaselineEntry.of, compared.then.findings)).new
    exceptions = [*compared.added, *loosenings(then, now, rulebook.rules)]
    found = findings_of(exceptions, criteria.context, accepted=False)
    return replace(compared.now, findings=[*new, *found])


def _terms(files: Mapping[str, str], case: Case, analyser: Analyser, rulebook: Rulebook) -> Terms:
    text = files.get(CONFIG_NAMES[0])
    written = None if text is None else read_settings(text, CONFIG_NAMES[0])
    baseline = files.get(BASELINE)
    sources = [
        PolicySource(path, "own", source)
        for path, source in files.items()
        if path.startswith("policies/")
    ]
    compiled = compile_sources(sources, analyser.vocabulary)
    return Terms(
        settings=case.settings if written is None else settings_from(written),
        config=CONFIG_NAMES[0],
        written=written,
        waivers=_waivers(files, case.today, rulebook),
        known=Baseline()
        if baseline is None
        else Baseline(BASELINE, baseline, parsed(_bytes(baseline))),
        policies={
            policy["id"]: (source.path, policy)
            for source, policy in zip(sources, compiled, strict=True)
        },
    )


def _inputs(files: Iterable[tuple[str, str]]) -> list[Input]:
    return [Input(path, data=_bytes(text), named=True) for path, text in files]


def _waivers(files: Mapping[str, str], today: date, rulebook: Rulebook) -> Waivers | None:
    text = files.get(FILE_NAME)
    if text is None:
        return None
    entries = waivers_from(read_yaml(text, FILE_NAME), rulebook.rules)
    return Waivers(entries, today, complete=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def judge_cases(
    source: PolicySource, rule_id: str, analyser: Analyser, rulebook: Rulebook
) -> Iterator[CaseResult]:
    """Run the cases of one policy and yield their results.

    A case without profiles runs under all profiles the policy has a severity in.
    """
    profiles = set(rulebook.rules[rule_id].severity)
    for case in cases_of(source):
        run = run_case(case, analyser, rulebook, profiles)
        found = tuple(
            sorted(
                finding.location.line_text for finding in run.findings if finding.rule.id == rule_id
            )
        )
        raised = frozenset(finding.rule.id for finding in run.findings)
        fixed = _fixed(case, rule_id, analyser, rulebook, profiles) if case.fixed else {}
        yield CaseResult(rule_id, case, found, raised - {rule_id}, fixed)


def _fixed(
    case: Case, rule_id: str, analyser: Analyser, rulebook: Rulebook, profiles: set[str]
) -> dict[str, str]:
    """The files of a case that the repair of its policy changes, as they are afterwards."""
    inputs = _inputs(case.files)
    profiles = set(case.profiles) or profiles
    repair = Repair(inputs, Criteria.of(case.settings, analyser, rulebook, profiles))
    proven = repair.proven(dict(case.files), unsafe=True, rules=(rule_id,))
    return {file.source.path: file.after for file in proven.files}
