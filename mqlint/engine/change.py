"""A run over a project as it is and as it was, under the same rules and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from mqlint.dataclass import frozen
from mqlint.engine.judgement.criteria import Criteria, Suppressing
from mqlint.engine.judgement.exceptions import Loosening, added_comments
from mqlint.engine.loading.load import Input, Loaded
from mqlint.engine.project import load_all, readings_of
from mqlint.engine.run import Run, jobs_for, judge_loaded
from mqlint.finding import Finding, Suppression, fingerprint
from mqlint.finding.baseline import BaselineEntry, Split, split
from mqlint.finding.waiver import Finder, Waivers
from mqlint.patterns import later
from mqlint.source.checkout import Checkout
from mqlint.source.gc_control import gc_paused


@frozen
class EarlierProject:
    """A project before a change: the paths of unchanged files, and the other files.

    `suppressing` is what suppressed findings then, `checkout` has the files of then.
    """

    unchanged: frozenset[str]
    changed: Sequence[Input]
    suppressing: Suppressing = field(default_factory=Suppressing)
    checkout: Checkout | None = None


@frozen
class Moves:
    """Which findings of a project as it is may be those of the project as it was.

    `stay` are the paths that both have. A finding that belongs to no known queue manager, or is
    about a part of a file, is the same if its file stays, was renamed, or is a new one of the same
    folder, and if the site is the same: in another file the same text may be for another queue
    manager, and the connection that of another application.
    """

    stay: frozenset[str]

    def split(self, now: Sequence[Finding], then: Iterable[Finding]) -> Split:
        parts = split(now, map(self._in_file, then), self._in_file)
        rest = [replace(entry, fingerprint=entry.fingerprint[:32]) for entry in parts.stale]
        moved = split(parts.new, map(self._in_folder, rest), self._in_new_file)
        new = {id(finding) for finding in moved.new}
        known = [finding for finding in now if id(finding) not in new]
        return Split(moved.new, known, moved.stale)

    def _in_file(self, finding: Finding) -> BaselineEntry:
        entry = _unnumbered(finding)
        path = entry.path if entry.path in self.stay else ""
        is_of_file = not entry.queue_manager or _is_of_file(finding)
        return _narrowed(entry, path) if is_of_file else entry

    def _in_new_file(self, finding: Finding) -> BaselineEntry:
        entry = _unnumbered(finding)
        return _narrowed(entry, entry.path) if entry.path in self.stay else self._in_folder(entry)

    def _in_folder(self, entry: BaselineEntry) -> BaselineEntry:
        return _narrowed(entry, f"{entry.path.rpartition('/')[0]}/")


_OF_FILES = frozenset("agent certificate_label command connection port step topic_use use".split())
"""The types of facts that are parts of a file, and of which several may have one name."""
_NUMBER = later(r" \d+\Z")


def _is_of_file(finding: Finding) -> bool:
    return finding.subject.object_type in _OF_FILES


def _unnumbered(finding: Finding) -> BaselineEntry:
    """The entry of a finding, without the number by which parts of files with one name differ.

    The number depends on the order of the files, which one more file changes.
    """
    entry, subject = BaselineEntry.of(finding), finding.subject
    if not _is_of_file(finding) or subject.object_name is None:
        return entry
    subject = replace(subject, object_name=_NUMBER.sub("", subject.object_name))
    return replace(entry, fingerprint=fingerprint(entry.rule, subject, finding.detail))


def _narrowed(entry: BaselineEntry, place: str) -> BaselineEntry:
    return replace(entry, fingerprint=f"{entry.fingerprint}\x1f{entry.site}\x1f{place}")


@frozen
class Compared:
    """A run over a project as it is and one as it was, and the comments that came between.

    `parts` are the findings as it is.
    """

    now: Run
    then: Run
    added: Sequence[Loosening]
    parts: Split


@gc_paused()
def check_change(
    inputs: Sequence[Input],
    before: EarlierProject,
    criteria: Criteria,
    *,
    jobs: int | None = 1,
    accepted: bool = False,
) -> Compared:
    """Judge `inputs`, the whole project, and the project `before`.

    An unchanged file is read and parsed once. A comment suppresses only what a comment or waiver
    suppressed before, and a waiver what a waiver of then covers too. With `accepted` they suppress
    all that they cover.
    """
    settings, analyser = criteria.settings, criteria.analyser
    jobs = jobs or jobs_for(inputs, analyser)
    loaded = load_all(inputs, settings, analyser)
    past = {path: loaded[path] for path in loaded.keys() & before.unchanged}
    past |= load_all(before.changed, settings, analyser)
    named = {document.path for document in inputs if document.named}
    past_criteria = replace(criteria, suppressing=before.suppressing, checkout=before.checkout)
    now, then = (
        judge_loaded(files, judging, named=named & files.keys(), jobs=jobs)
        for files, judging in ((loaded, criteria), (past, past_criteria))
    )
    moves = Moves(frozenset(loaded.keys() & past.keys()))
    if not accepted:
        now = _without_new_excuses(now, then, before.suppressing.waivers, moves)
    added = (
        added_comments(_comments(past), _comments(loaded)) if criteria.suppressing.comments else ()
    )
    return Compared(now, then, list(added), moves.split(now.findings, then.findings))


def _without_new_excuses(now: Run, then: Run, waivers: Waivers | None, moves: Moves) -> Run:
    """The run in which comments suppress only old findings, and waivers those of `waivers`."""
    commented = [finding for finding in now.ignored if _is_ignored_by(finding, "comment")]
    waived = [finding for finding in now.ignored if _is_ignored_by(finding, "waiver")]
    parts = moves.split(commented, then.ignored)
    finder = Finder(waivers.entries if waivers is not None else ())
    held = {
        id(finding)
        for finding in waived
        for _, waiver in finder.covering(finding)
        if waivers is not None and waiver.holds_on(waivers.today)
    }
    counted = [*parts.new, *(finding for finding in waived if id(finding) not in held)]
    findings = [*now.findings, *(replace(finding, ignored=None) for finding in counted)]
    ignored = [*(finding for finding in waived if id(finding) in held), *parts.known]
    return replace(
        now, findings=sorted(findings, key=in_order), ignored=sorted(ignored, key=in_order)
    )


def _is_ignored_by(finding: Finding, kind: str) -> bool:
    return finding.ignored is not None and finding.ignored.by == kind


def in_order(finding: Finding) -> tuple[object, ...]:
    """Return what findings of a report are sorted by."""
    return finding.location, finding.rule.id, finding.fingerprint


def _comments(loaded: Mapping[str, Loaded]) -> dict[str, Sequence[Suppression]]:
    readings = readings_of(loaded).items()
    return {path: reading.suppressions for path, reading in readings if reading.suppressions}


def narrowed(run: Run, paths: Iterable[str]) -> Run:
    """Return a run with only the findings and coverage of some files."""
    wanted = frozenset(paths)
    return replace(
        run,
        findings=[finding for finding in run.findings if finding.location.path in wanted],
        ignored=[finding for finding in run.ignored if finding.location.path in wanted],
        coverage=replace(
            run.coverage, files=tuple(row for row in run.coverage.files if row.path in wanted)
        ),
    )
