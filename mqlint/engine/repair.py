"""Fixes of findings: edits of a text, and the proof that each does what it says and no more.

A fix is safe if no effect of a script changes: the second of two equal commands is removed, which
the queue manager rejects anyway. All others let a command run that is rejected as it is, or change
a value: they are unsafe. A fix is proven if its finding is gone afterwards, no finding is new, and
the queue managers are the same, but for one object of an unsafe fix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.analyse import Analyser
from mqlint.engine.load import Input, Loaded
from mqlint.engine.run import (
    Run,
    Suppressing,
    assembly_of,
    judge_loaded,
    load_all,
    queue_managers,
    readings_of,
)
from mqlint.finding import Diagnostic, Finding
from mqlint.finding.baseline import Entry, split
from mqlint.language.mqsc import Command, decode
from mqlint.language.mqsc.lines import BLANKS
from mqlint.model.comparison.difference import Difference, Ignored
from mqlint.model.comparison.managers import compared
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import QueueManager
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.judge import Grading

_WORDS: Mapping[str, tuple[str, str]] = {
    "unknown-attribute": ("word", "suggestion"),
    "unknown-command": ("command", "suggestion"),
    "bad-value": ("value", "suggestion"),
    "ini-misspelt-key": ("key", "nearest"),
    "ini-misspelt-stanza": ("name", "nearest"),
}
"""Codes of diagnostics, with the data that has the word as written, and the word that is right."""

_CONTINUATION = "missing-continuation"
_REPEATED = "DRF008"
"""A DEFINE of an object that a command before has defined: the queue manager rejects it."""


@frozen
class Edit:
    """A stretch of a text, and what is put in its place."""

    start: int
    end: int
    text: str


@frozen
class Fix:
    """An edit that removes a finding of a rule, by its id, from a line of a file."""

    path: str
    line: int
    rule: str
    says: str
    edit: Edit
    is_safe: bool = False


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits, which do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


class Repair:
    """The files of a project, their findings, and what proves fixes of them."""

    def __init__(
        self,
        inputs: Sequence[Input],
        settings: Settings,
        analyser: Analyser,
        rulebook: Rulebook,
        grading: Grading,
    ) -> None:
        """Read and judge the files as they are."""
        self._settings = settings
        self._analyser = analyser
        self._rulebook = rulebook
        self._grading = grading
        self._loaded = load_all(inputs, settings, analyser, 1)
        self._before = self._judged(self._loaded)
        self._managers = self._built(self._loaded)

    def proposals(self, path: str, text: str) -> Iterator[Fix]:
        """Yield the fixes that may be right for a file, in order of place; none is proven."""
        reading = self._loaded[path].reading
        if reading is None:
            return
        found: list[Fix] = []
        for reported in reading.reported:
            diagnostic = reported.diagnostic
            rule = self._rulebook.by_code.get(diagnostic.code)
            edit = _edit(diagnostic, text)
            if rule is not None and edit is not None:
                line = reading.lines.position(diagnostic.start).line
                written = text[edit.start : edit.end]
                says = f"{written} -> {edit.text}" if written else "the line before is continued"
                found.append(Fix(path, line, rule.id, says, edit))
        repeated = {
            finding.location.start.line
            for finding in self._before.findings
            if finding.rule.id == _REPEATED and finding.location.path == path
        }
        if repeated and len(reading.parts) == 1 and reading.parts[0].segments is None:
            for command in _doubles(reading.parts[0].commands):
                line = reading.lines.position(command.span_of_name()[0]).line
                if line in repeated:
                    edit = _without(command, text)
                    found.append(
                        Fix(path, line, _REPEATED, "the equal command is removed", edit, True)
                    )
        yield from sorted(found, key=lambda fix: fix.edit.start)

    def is_proven(self, fixes: Sequence[Fix], source: Input, text: str) -> bool:
        """Whether fixes of one file, applied together, do what they say and no more."""
        edits = [fix.edit for fix in fixes]
        data = applied(text, edits).encode("utf-8")
        changed = replace(source, file=None, data=data)
        loaded = {**self._loaded, **load_all([changed], self._settings, self._analyser, 1)}
        after = self._judged(loaded)
        if split(after.findings, map(Entry.of, self._before.findings)).new:
            return False
        gone = split(self._before.findings, map(Entry.of, after.findings)).new
        if not _all_gone(fixes, gone):
            return False
        objects = {
            (difference.type if difference.attribute else "", difference.name)
            for difference in self._differences(loaded)
        }
        unsafe = sum(not fix.is_safe for fix in fixes)
        return len(objects) <= unsafe

    def _judged(self, loaded: Mapping[str, Loaded]) -> Run:
        return judge_loaded(
            loaded,
            loaded.keys(),
            self._settings,
            self._analyser,
            self._rulebook,
            self._grading,
            Suppressing(comments=False),
        )

    def _built(self, loaded: Mapping[str, Loaded]) -> dict[QueueManagerKey, QueueManager]:
        readings = readings_of(loaded)
        assembly = assembly_of(self._settings, self._analyser.vocabulary, readings)
        found = queue_managers(readings, assembly)
        return {described[0].manager.key: described[0].manager for described in found}

    def _differences(self, loaded: Mapping[str, Loaded]) -> Iterator[Difference]:
        after = self._built(loaded)
        for key in self._managers.keys() | after.keys():
            if key not in self._managers or key not in after:
                yield Difference("undecided", "queue manager", key.name, "there")
            else:
                pair = compared(self._managers[key], after[key], Ignored(), str)
                yield from pair.differences


def _all_gone(fixes: Sequence[Fix], gone: Sequence[Finding]) -> bool:
    """Whether there is a finding that is gone for each fix."""
    places = [(finding.rule.id, finding.location.path) for finding in gone]
    for fix in fixes:
        if (fix.rule, fix.path) not in places:
            return False
        places.remove((fix.rule, fix.path))
    return True


def _edit(diagnostic: Diagnostic, text: str) -> Edit | None:
    """The edit that a diagnostic suggests, None if there is not one that is near."""
    start, end = diagnostic.start, diagnostic.end
    if diagnostic.code == _CONTINUATION:
        at = _end_of_line_before(text, start)
        return None if at is None or diagnostic.data.get("meant") else Edit(at, at, " +")
    names = _WORDS.get(diagnostic.code)
    if names is None:
        return None
    written, meant = (diagnostic.data.get(name, "").split() for name in names)
    word = text[start:end]
    if not written or not meant or written[-1].upper() != word.upper():
        return None
    return Edit(start, end, meant[-1].lower() if word.islower() else meant[-1])


def _end_of_line_before(text: str, start: int) -> int | None:
    """Where the last line before the one of `start` ends that is neither blank nor a comment."""
    end = text.rfind("\n", 0, start)
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        line = text[begin:end].rstrip(BLANKS)
        if line and not line.startswith("*"):
            return begin + len(line)
        end = begin - 1
    return None


def _doubles(commands: Sequence[Command]) -> Iterator[Command]:
    """The commands that are equal to one before."""
    seen: set[tuple[object, ...]] = set()
    for command in commands:
        key = (command.verb, command.noun, command.shape.words, *map(decode, command.values))
        if key in seen and not command.marks and not command.form.secrets:
            yield command
        seen.add(key)


def _without(command: Command, text: str) -> Edit:
    """The edit that removes a command with its lines."""
    start, end = command.span()
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    alone = not text[begin:start].strip(BLANKS) and not text[end:stop].strip(f"{BLANKS}\n;")
    return Edit(begin, stop, "") if alone else Edit(start, end, "")
