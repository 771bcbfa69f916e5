"""Fixes of findings: edits that policies propose, and the proof that they have no other effect.

A fix is proven if its finding is gone, no finding is new, and the model of the queue managers is
unchanged. An unsafe fix may change what it is intended to change: the attributes that it sets, or
one object whose command was rejected before.

A trial of fixes judges again the queue managers that they touch, so each trial has fixes of many
files. If a trial fails, the files at fault are found, and their fixes are halved until the wrong
one is isolated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mqlint.dataclass import NamedTuple, frozen
from mqlint.engine.fixing.edits import Edit, FindingPlace, IndexedText, applied, edit_of
from mqlint.engine.fixing.fix import Fix, edits_of, fix_of, split_batch, without_overlaps
from mqlint.engine.fixing.trial import DescribedManagers, is_worse, objects, without_renamed
from mqlint.engine.judgement.criteria import Criteria, JudgementCache
from mqlint.engine.loading.load import Input, Loaded, opened, typed
from mqlint.engine.project import Project, load_all
from mqlint.engine.run import judge_loaded
from mqlint.finding import Diagnostic, Finding, Location, Proposal
from mqlint.finding.baseline import BaselineEntry, split
from mqlint.grouping import grouped
from mqlint.language.mqsc import decode
from mqlint.model.comparison.difference import Ignored
from mqlint.model.comparison.managers import compared
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.refusal import is_refused
from mqlint.source.lines import LineMap
from mqlint.vocabulary import Target

Identity = tuple[str, Location]
"""The fingerprint of a finding, and its location."""

MOST = 60
"""Limit of the trials in one run."""

_LONGEST_PROPOSAL = 4_000
"""Limit of the characters between the places of a fix that a report proposes."""

_DESTROYING = frozenset({"CLEAR", "DELETE", "PURGE", "RESOLVE"})
_DESTROYING_FORMS = frozenset(
    {("REFRESH", "CLUSTER"), ("RESET", "CLUSTER"), ("RESET", "CHANNEL"), ("STOP", "QMGR")}
)
_REMOVING = ("REMOVE", "REMOVEALL")


@frozen
class Fixed:
    """A file with its proven fixes, and its text before and after them."""

    source: Input
    before: str
    fixes: list[Fix]

    @property
    def after(self) -> str:
        return applied(self.before, edits_of(self.fixes))


class Refused(NamedTuple):
    """A fix that is not offered, the rules that would report something new, as of `_Failure`."""

    fix: Fix
    causes: tuple[str, ...]
    destroys: bool


@frozen
class Proven:
    """Files with proven fixes; numbers of unsafe fixes not asked for, and of fixes not tried."""

    files: list[Fixed]
    refused: list[Refused]
    unsafe: int = 0
    missed: int = 0


class _Failure(NamedTuple):
    """Why the fixes of a file failed in a trial.

    `idle` edits removed no finding. `causes` are rules with new findings. With `destroys` a command
    would run that cannot be undone, and that the queue manager rejects as it is.
    """

    idle: frozenset[Edit]
    causes: tuple[str, ...]
    destroys: bool


class Repair:
    """The files of a project, their findings, and what proves fixes of them."""

    def __init__(self, inputs: Sequence[Input], criteria: Criteria) -> None:
        self._inputs = {source.path: source for source in inputs}
        self._criteria = replace(criteria, known=JudgementCache())
        self.loaded = self._load(inputs)
        self._before = judge_loaded(self.loaded, self._criteria)
        self._entries = [BaselineEntry.of(finding) for finding in self._before.findings]
        self._managers = self._described(self.loaded)
        self._assembly = criteria.context.assembly
        self._texts: dict[str, str] = {}
        self._reloaded: dict[str, tuple[str, Loaded]] = {}

    def proven(
        self,
        paths: Collection[str],
        *,
        unsafe: bool,
        rules: Collection[str] | None = None,
        only: Collection[Identity] | None = None,
    ) -> Proven:
        """Return the files of `paths` with fixes that are proven together.

        Without `unsafe`, only safe fixes. `rules` and `only` restrict the fixes to these rules and
        to these findings.
        """
        waiting: list[list[Fix]] = []
        left = 0
        for path, findings in grouped(
            (finding.location.path, finding)
            for finding in self._before.findings
            if finding.location.path in paths
            and (rules is None or finding.rule.id in rules)
            and (only is None or _identity(finding) in only)
        ).items():
            fixes = list(self._proposals(path, findings))
            chosen = [fix for fix in fixes if unsafe or fix.is_safe]
            left += len(fixes) - len(chosen)
            if chosen:
                waiting.append(chosen)
        accepted, refused, missed = self._accepted(waiting)
        by_path = grouped(
            (fix.path, fix) for fix in sorted(accepted, key=lambda fix: (fix.path, fix.edit.start))
        )
        files = [
            Fixed(self._inputs[path], self._texts[path], fixes) for path, fixes in by_path.items()
        ]
        return Proven(files, refused, left, missed)

    def with_proposals(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings, each with its fix if one is proven."""
        findings = list(findings)
        paths = {finding.location.path for finding in findings}
        wanted = {_identity(finding) for finding in findings}
        found: dict[Identity, Proposal] = {}
        for file in self.proven(paths, unsafe=True, only=wanted).files:
            lines = LineMap.of(file.before)
            for fix in file.fixes:
                edit = fix.edit.whole(file.before)
                if fix.edit.also and edit.end - edit.start > _LONGEST_PROPOSAL:
                    continue  # it has all text between its places
                if self._touches_secret(fix.path, _lines(file.before, edit)):
                    continue  # a tool that shows a proposal shows its lines
                start, end = lines.position(edit.start), lines.position(edit.end)
                proposal = Proposal(start, end, edit.text, fix.is_safe)
                found[_identity(fix.finding)] = proposal
        return [replace(finding, proposal=found.get(_identity(finding))) for finding in findings]

    # -- proposals ------------------------------------------------------------------------------

    def _proposals(self, path: str, findings: Sequence[Finding]) -> Iterator[Fix]:
        """Yield the proposed fixes of a file in order of their offsets, not proven yet."""
        repairs = {
            finding.rule.id: self._criteria.rulebook.compiled_rule(finding.rule.id).get("repair")
            for finding in findings
        }
        text = self._text_of(path) if any(repairs.values()) else None
        reading = self.loaded[path].reading if path in self.loaded else None
        if text is None or reading is None:
            return
        diagnostics: dict[tuple[str, int], Diagnostic] = {}
        for reported in reading.reported:
            rule = self._criteria.rulebook.by_code.get(reported.diagnostic.code)
            if rule is not None:
                diagnostics.setdefault((rule.id, reported.diagnostic.start), reported.diagnostic)
        source, starts = IndexedText(reading, text), reading.lines.starts
        proposed: dict[Edit, Fix] = {}
        for finding in findings:
            repair = repairs[finding.rule.id]
            where = finding.location
            if not repair or where.end.line > len(starts):
                continue
            start = starts[where.start.line - 1] + where.start.column - 1
            end = starts[where.end.line - 1] + where.end.column - 1
            place = FindingPlace(source, start, end, diagnostics.get((finding.rule.id, start)))
            edit = edit_of(repair, place)
            if edit is not None and not self._touches_secret(path, edit):
                proposed.setdefault(edit, fix_of(finding, text, edit, repair))
        yield from without_overlaps(
            sorted(proposed.values(), key=lambda fix: (fix.edit.start, fix.edit.end))
        )

    def _text_of(self, path: str) -> str | None:
        """The text of a file, None unless it is UTF-8 with LF, which can be written unchanged."""
        document = opened(typed(self._inputs[path], self._assembly))
        if isinstance(document, Loaded):
            return None
        decoded = document.document.decoded
        if decoded.encoding != "utf-8" or decoded.line_ends != "lf":
            return None
        self._texts[path] = document.document.text
        return self._texts[path]

    def _touches_secret(self, path: str, edit: Edit) -> bool:
        shown, text = self.loaded[path].text, self._texts[path]
        stretches = [slice(part.start, part.end) for part in edit.parts]
        return len(shown) != len(text) or any(shown[each] != text[each] for each in stretches)

    # -- proofs ---------------------------------------------------------------------------------

    def _accepted(self, waiting: list[list[Fix]]) -> tuple[list[Fix], list[Refused], int]:
        """The fixes that are proven together, those that fail, and the number not tried."""
        accepted: list[Fix] = []
        refused: list[Refused] = []
        suspects: list[list[Fix]] = []
        tries = 0
        stacks = {batch[0].path: [batch] for batch in waiting}
        while stacks and tries < MOST:
            trial = {path: stack.pop() for path, stack in stacks.items()}
            while trial and tries < MOST:
                tries += 1
                wrong = self._wrong(accepted, trial)
                for path, failure in wrong.items():
                    batch = trial.pop(path)
                    stacks[path] += split_batch(batch, failure.idle)
                    if len(batch) == 1 and len(wrong) > 1 and not failure.destroys:
                        suspects.append(batch)  # another file may be at fault
                    elif len(batch) == 1:
                        refused.append(Refused(batch[0], failure.causes, failure.destroys))
                if not wrong:
                    accepted += (fix for batch in trial.values() for fix in batch)
                    trial = {}
            for path, batch in trial.items():
                stacks[path].append(batch)
            stacks = {path: stack for path, stack in stacks.items() if stack}
        missed = sum(len(batch) for stack in stacks.values() for batch in stack)
        missed += max(0, len(suspects) - (MOST - tries))
        for batch in suspects[: MOST - tries]:
            path = batch[0].path
            failed = self._wrong(accepted, {path: batch}).get(path)
            if failed is None:
                accepted += batch
            else:
                refused.append(Refused(batch[0], failed.causes, failed.destroys))
        return accepted, refused, missed

    def _wrong(
        self, accepted: Sequence[Fix], trial: Mapping[str, list[Fix]]
    ) -> dict[str, _Failure]:
        """The files of a trial whose fixes fail."""
        by_path = grouped(
            (fix.path, fix)
            for fix in (*accepted, *(fix for batch in trial.values() for fix in batch))
        )
        loaded = {**self.loaded, **dict(map(self._with, by_path.items()))}
        after = judge_loaded(loaded, self._criteria)
        new = split(after.findings, self._entries).new
        left = split(self._before.findings, map(BaselineEntry.of, after.findings)).new
        new, left = without_renamed(new, left)
        gone = Counter((finding.rule.id, finding.location.path) for finding in left)
        ids = {id(finding) for finding in left}
        wrong: dict[str, frozenset[Edit]] = {}
        for path, batch in trial.items():
            wanted = Counter(fix.finding.rule.id for fix in by_path[path])
            short = {rule for rule, number in wanted.items() if gone[rule, path] < number}
            if short:
                wrong[path] = frozenset(
                    fix.edit
                    for fix in batch
                    if fix.finding.rule.id in short and id(fix.finding) not in ids
                )
        managers = self._described(loaded)
        destroys = {
            path
            for path in trial
            if self._destroying(loaded[path]) - self._destroying(self.loaded[path])
        }
        worse = {path for path in trial if is_worse(self.loaded[path], loaded[path])} | destroys
        for path in worse | self._at_fault(new, managers, by_path, trial):
            wrong.setdefault(path, frozenset())
        causes = {path: dict[str, None]() for path in wrong}
        for finding in new:
            causes.get(finding.location.path, {})[finding.rule.id] = None
        return {
            path: _Failure(idle, tuple(causes[path]), path in destroys)
            for path, idle in wrong.items()
        }

    def _destroying(self, loaded: Loaded) -> Counter[tuple[str, ...]]:
        """The commands that the queue manager may accept and nothing takes back: their values."""
        parts = () if loaded.reading is None else loaded.reading.parts
        vocabulary = self._criteria.analyser.vocabulary
        return Counter(
            (command.verb or "", command.noun or "", *sorted(map(decode, command.values)))
            for part in parts
            for command in part.commands
            if (
                command.verb in _DESTROYING
                or (command.verb, command.noun) in _DESTROYING_FORMS
                or decode(command.get("ACTION") or "").upper() in _REMOVING
            )
            and vocabulary.command(command.verb or "", command.noun or "") is not None
            and not is_refused(command, vocabulary, Target())
        )

    def _with(self, changed: tuple[str, list[Fix]]) -> tuple[str, Loaded]:
        """The path and the reading of a file after its fixes."""
        path, fixes = changed
        text = applied(self._texts[path], edits_of(fixes))
        known = self._reloaded.get(path)
        if known is None or known[0] != text:
            source = replace(self._inputs[path], file=None, data=text.encode("utf-8"))
            known = text, self._load([source])[path]
            self._reloaded[path] = known
        return path, known[1]

    def _at_fault(
        self,
        new: Iterable[Finding],
        managers: DescribedManagers,
        fixes: Mapping[str, Sequence[Fix]],
        trial: Collection[str],
    ) -> set[str]:
        """The files of a trial whose fixes may have caused new findings or differences."""
        then, now = self._managers.keys_of(fixes), managers.keys_of(fixes)
        about = {path: then[path] | now[path] for path in fixes}
        by_key: dict[QueueManagerKey, list[Fix]] = defaultdict(list)
        for path, keys in about.items():
            for key in keys:
                by_key[key] += fixes[path]
        changed = {*(managers.keys ^ self._managers.keys)}
        for key in by_key.keys() - changed:
            if not self._is_as_before(key, managers, by_key[key]):
                changed.add(key)
        wrong = {path for path in trial if about[path] & changed}
        places = {finding.location.path for finding in new}
        wrong |= places & {*trial}
        others = places - wrong
        if others:
            near = set().union(*managers.keys_of(others).values())
            wrong |= {path for path in trial if about[path] & near}
        if (changed or places) and not wrong:
            return {*trial}
        return wrong

    def _is_as_before(
        self, key: QueueManagerKey, managers: DescribedManagers, fixes: Sequence[Fix]
    ) -> bool:
        """Return whether a queue manager differs only as the fixes of its files intend."""
        sets = frozenset[str]().union(*(fix.sets for fix in fixes))
        pair = compared(self._managers.managers[key], managers.managers[key], Ignored(), str)
        for kind in (False, True):
            found = [diff for diff in pair.differences if (diff.attribute in sets) is kind]
            if objects(found) > sum(fix.objects for fix in fixes if bool(fix.sets) is kind):
                return False
        return True

    def _described(self, loaded: Mapping[str, Loaded]) -> DescribedManagers:
        criteria = self._criteria
        vocabulary = criteria.analyser.vocabulary
        return DescribedManagers(Project(loaded, criteria.settings, vocabulary))

    def _load(self, inputs: Sequence[Input]) -> dict[str, Loaded]:
        return load_all(inputs, self._criteria.settings, self._criteria.analyser)


def _identity(finding: Finding) -> Identity:
    return finding.fingerprint, finding.location


def _lines(text: str, edit: Edit) -> Edit:
    end = text.find("\n", edit.end)
    return Edit(text.rfind("\n", 0, edit.start) + 1, len(text) if end < 0 else end, "")
