"""The run on one machine: files to documents to queue managers to findings.

The runs of several projects can be merged into one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from posixpath import basename
from typing import TYPE_CHECKING

from mqlint.config.settings import Settings
from mqlint.dataclass import mutable
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.document.unjudged import names_of_files, with_awaited
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.criteria import Criteria, Suppressing
from mqlint.engine.judgement.document_findings import project_finding
from mqlint.engine.judgement.judging import judge
from mqlint.engine.judgement.partition import Outcome, Partition
from mqlint.engine.judgement.shares import Shares, dealt
from mqlint.engine.loading.load import Input, Loaded
from mqlint.engine.project import load_all
from mqlint.finding import (
    Coverage,
    FileCoverage,
    Finding,
    Location,
    Rule,
    Suppression,
    below,
    rules_waiting,
    with_ordinals,
)
from mqlint.policy.rulebook import Rulebook
from mqlint.source.checkout import Checkout
from mqlint.source.gc_control import gc_paused
from mqlint.source.lines import Position
from mqlint.source.secrets import without_secrets

if TYPE_CHECKING:
    from mqlint.finding.waiver import Waivers


NOT_RECOGNISED = (
    "language not recognised; specify it with --language, or with `files: types` in mqlint.yaml"
)
"""The reason for a file that mqlint read and did not recognise."""


@mutable
class Run:
    """The result of a run.

    `findings` are in order of place. `ignored` are those that comments in the files, and waivers,
    suppress. `assumptions` are sentences for people. `text_of` returns the text of a file that has
    findings, without its secrets.
    """

    findings: list[Finding]
    coverage: Coverage
    rules: Mapping[str, Rule]
    assumptions: list[str] = field(default_factory=list)
    texts: Mapping[str, str] = field(default_factory=dict)
    ignored: list[Finding] = field(default_factory=list)

    def text_of(self, path: str) -> str | None:
        return self.texts.get(path)


@gc_paused()
def check(
    inputs: Sequence[Input],
    settings: Settings,
    analyser: Analyser,
    rulebook: Rulebook,
    *,
    context: Sequence[Input] = (),
    profiles: Iterable[str] = (),
    jobs: int | None = 1,
    ignores: bool = True,
    waivers: Waivers | None = None,
    checkout: Checkout | None = None,
) -> Run:
    """Judge `inputs`, with `context` read too but not reported on.

    `profiles` override those of the settings. Without `ignores`, comments and `waivers` suppress
    nothing, and are not reported on. Up to `jobs` processes share the work; None for as many as
    pay off.
    """
    read_only = [replace(document, judged=False) for document in context]
    everything = {document.path: document for document in (*read_only, *inputs)}
    jobs = jobs or jobs_for(everything.values(), analyser)
    suppressing = Suppressing(ignores, waivers if ignores else None)
    criteria = Criteria.of(settings, analyser, rulebook, profiles, suppressing)
    criteria = replace(criteria, checkout=checkout)
    judged = {document.path for document in inputs}
    shares = dealt(list(everything.values()), jobs, Input.size)
    loads = [partial(load_all, documents, settings, analyser) for documents in shares]
    return _judge(
        [partial(Partition, load, criteria, judged) for load in loads],
        [partial(Partition, partial(load, apart=True), criteria, judged) for load in loads],
        everything,
        criteria,
        judged,
        {document.path for document in inputs if document.named},
    )


def jobs_for(inputs: Collection[Input], analyser: Analyser) -> int:
    """Return how many processes pay off for documents.

    One if their readings are kept for the next run: those of another process are lost.
    """
    if analyser.cache is not None or len(inputs) < 2:
        return 1
    from mqlint.engine.judgement.shares import (
        processes_for,  # here, as a run of one file needs none
    )

    return processes_for([document.size() for document in inputs])


def judge_loaded(
    loaded: Mapping[str, Loaded],
    criteria: Criteria,
    *,
    named: Set[str] = frozenset(),
    jobs: int = 1,
) -> Run:
    """Judge the documents `loaded`, by path; a `named` one that cannot be checked is a finding."""
    judged = loaded.keys()
    make = [
        partial(Partition, partial(dict[str, Loaded], part), criteria, judged)
        for part in dealt(list(loaded.items()), jobs, lambda item: len(item[1].text))
    ]
    return _judge(make, make, loaded, criteria, judged, named)


def _judge(
    make: Sequence[Callable[[], Partition]],
    again: Sequence[Callable[[], Partition]],
    paths: Iterable[str],
    criteria: Criteria,
    judged: Set[str],
    named: Set[str],
) -> Run:
    """Judge the documents of partitions, which are made as of `Shares`; `paths` in their order.

    `judged` are the paths of those reported on.
    """
    comments_count, waivers = criteria.suppressing.comments, criteria.suppressing.waivers
    with Shares(make, again) as partitions:
        part, assembly = judge(
            partitions, paths, criteria.settings, criteria.analyser.vocabulary, criteria.rulebook
        )
        outcomes = {
            path: outcome
            for of_partition in partitions.ask(Partition.outcomes)
            for path, outcome in of_partition.items()
        }
    read = {path: outcome for path, outcome in outcomes.items() if outcome.is_read}
    judging = JudgingContext(assembly, criteria.rulebook, criteria.grading)
    findings = [finding for outcome in read.values() for finding in outcome.findings]
    findings += [finding for finding in part.findings if finding.location.path in judged]
    findings += not_checked((outcomes[path].coverage for path in sorted(named)), judging)
    findings += key_databases(outcomes.keys(), judging)
    comments = {path: outcome.suppressions for path, outcome in read.items()}
    findings = suppressed(findings, comments if comments_count else {}, judging, waivers, read)
    findings = with_ordinals(findings)
    texts = {path: outcome.text for path, outcome in read.items()}
    return Run(
        findings=[finding for finding in findings if finding.ignored is None],
        coverage=Coverage(
            tuple(_covered(outcomes, part.faults, paths)),
            waiting=part.waiting,
        ),
        rules=criteria.rulebook.rules,
        assumptions=[*assumptions(read, assembly), *assembly.relations.owners.left_open],
        texts=texts if waivers is None else {**texts, waivers.path: without_secrets(waivers.text)},
        ignored=[finding for finding in findings if finding.ignored is not None],
    )


def not_checked(files: Iterable[FileCoverage], judging: JudgingContext) -> Iterator[Finding]:
    for file in files:
        if file.status in ("checked", "without-mq"):
            continue
        reason = file.reason or NOT_RECOGNISED
        place = Location(file.path, Position(1, 1), Position(1, 1))
        finding = project_finding(judging, "file-not-checked", reason, place)
        if finding is not None:
            yield finding


def key_databases(paths: Set[str], judging: JudgingContext) -> Iterator[Finding]:
    """Yield a finding for each key database with the stash file of its password beside it."""
    for stash in sorted(path for path in paths if path.endswith(".sth")):
        stem = stash.removesuffix(".sth")
        database = next((name for name in (f"{stem}.kdb", f"{stem}.p12") if name in paths), None)
        if database is not None:
            place = Location(database, Position(1, 1), Position(1, 1))
            finding = project_finding(judging, "key-database", basename(stash), place)
            if finding is not None:
                yield finding


def _covered(
    outcomes: Mapping[str, Outcome], faults: Mapping[str, str], paths: Iterable[str]
) -> Iterator[FileCoverage]:
    """Yield the coverage of each file; `paths` are those of all files of the project."""
    awaits = any(outcome.awaited for outcome in outcomes.values())
    names = names_of_files(paths) if awaits else frozenset()
    unread = _unread(outcomes) if awaits else frozenset()
    for path, outcome in sorted(outcomes.items(), key=itemgetter(0)):
        row = outcome.coverage
        if path in faults:
            yield FileCoverage(path, "unreadable", row.language, row.encoding, faults[path])
        elif outcome.awaited:
            counts, unjudged = with_awaited(
                row.counts, row.unjudged, outcome.awaited, names, unread
            )
            yield replace(row, counts=counts, unjudged=unjudged)
        else:
            yield row


def _unread(outcomes: Mapping[str, Outcome]) -> Set[str]:
    """Return the names that files have only if they are not read."""
    is_unread = {
        path: outcome.coverage.status in ("not-recognised", "unreadable")
        for path, outcome in outcomes.items()
    }
    others = names_of_files(path for path, unread in is_unread.items() if not unread)
    return names_of_files(path for path, unread in is_unread.items() if unread) - others


def suppressed(
    findings: list[Finding],
    comments: Mapping[str, Sequence[Suppression]],
    judging: JudgingContext,
    waivers: Waivers | None = None,
    paths: Iterable[str] = (),
) -> list[Finding]:
    """Return all findings, with suppressed ones marked, and findings about what suppresses them.

    `paths` are the files that are judged. Call it once for all findings of a run, before ordinals
    are given.
    """
    if any(comments.values()):
        from mqlint.engine.judgement.suppressions import (
            settle,  # here, as few estates have such comments
        )

        findings = settle(findings, comments, judging)
    if waivers is not None:
        from mqlint.engine.judgement.waivers import waive  # here, as few estates have waivers

        findings = waive(findings, waivers, paths, judging)
    return findings


def assumptions(paths: Iterable[str], assembly: Assembly) -> list[str]:
    """Return what was guessed about the files, one sentence a guess."""
    guessed: dict[tuple[str, str], tuple[str, int]] = {}
    unlabelled = assembly.relations.unlabelled
    for path in paths:
        place = assembly.placement.site_of(path)
        if place is not None and place.guessed and path not in unlabelled:
            given = place.site.name, "path" if place.by in path else "namespace"
            first, number = guessed.get(given, (path, 0))
            guessed[given] = min(first, path), number + 1
    sited = assembly.relations.sited_by_name
    twins = sorted(assembly.relations.twins.items())
    copies = sorted(assembly.relations.copies.items())
    return [
        *(
            f"site {name} guessed from the {by} of {first}"
            + (f" and {number - 1:,} more" if number > 1 else "")
            for (name, by), (first, number) in sorted(guessed.items(), key=lambda item: item[1])
        ),
        *(f"site {site} guessed from the name of {name}" for name, site in sited[:_TWINS]),
        *([f"{len(sited) - _TWINS} more sites, from names"] if len(sited) > _TWINS else []),
        *(
            f"{name} is of production: DR has the same, and no name says production"
            for name in unlabelled[:_TWINS]
        ),
        *([f"{len(unlabelled) - _TWINS} more of production"] if len(unlabelled) > _TWINS else []),
        *(f"{copy} at DR is the twin of {name}, by its name" for copy, name in twins[:_TWINS]),
        *([f"{len(twins) - _TWINS} more twins, by their names"] if len(twins) > _TWINS else []),
        *(
            f"{path} is a copy of {live}, by its name, so only its passwords are checked"
            for path, live in copies[:_TWINS]
        ),
        *([f"{len(copies) - _TWINS} more copies, by their names"] if len(copies) > _TWINS else []),
    ]


_TWINS = 3
"""Twins that an assumption names; an estate may have hundreds."""


def merge_runs(runs: Iterable[tuple[str, Run]]) -> Run:
    """Return the runs of several projects as one; each comes with the folder of its paths.

    The folder ends with a slash, and is blank if paths stay as they are; it is the `repository` of
    the findings below it. Fingerprints are those of each run alone.
    """
    moved = [_below(folder, run) for folder, run in runs]
    files = chain.from_iterable(run.coverage.files for run in moved)
    return Run(
        findings=_in_order(run.findings for run in moved),
        coverage=Coverage(
            tuple(sorted(files, key=lambda file: file.path)),
            waiting=rules_waiting(run.coverage.waiting for run in moved),
        ),
        rules={key: rule for run in moved for key, rule in run.rules.items()},
        assumptions=[assumption for run in moved for assumption in run.assumptions],
        texts={path: text for run in moved for path, text in run.texts.items()},
        ignored=_in_order(run.ignored for run in moved),
    )


def _in_order(parts: Iterable[list[Finding]]) -> list[Finding]:
    return sorted(chain.from_iterable(parts), key=lambda finding: finding.location)


def _below(folder: str, run: Run) -> Run:
    """A run with its paths as they are from above `folder`."""
    if not folder:
        return run
    files = (replace(file, path=below(folder, file.path)) for file in run.coverage.files)
    return replace(
        run,
        findings=[finding.below(folder) for finding in run.findings],
        coverage=replace(run.coverage, files=tuple(files)),
        assumptions=[f"{folder.rstrip('/')}: {assumption}" for assumption in run.assumptions],
        texts={below(folder, path): text for path, text in run.texts.items()},
        ignored=[finding.below(folder) for finding in run.ignored],
    )
