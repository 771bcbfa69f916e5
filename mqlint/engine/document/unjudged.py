"""Which statements of a document were checked in part or not at all, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from itertools import islice
from posixpath import basename
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.engine.document.reading import MOST_LISTED, Part, Reading
from mqlint.finding import ABSENT_FILE, LOST, NO_OWNER, UNREAD_FILE, Awaited, Unjudged
from mqlint.language.mqsc.lines import origin, stretch
from mqlint.language.script.unread.mentions import names_command
from mqlint.source.lines import LineMap
from mqlint.source.masking import shown
from mqlint.vocabulary.unknown import UNKNOWN

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_BRANCH = "branch"

_LONGEST = 80
"""Characters of a statement that are shown."""

_Found = list[tuple[int, str]]
"""Offsets in the file, each with the reason, blank if the kind of the row is enough."""


def note_unjudged(reading: Reading) -> None:
    """Set the statements of a reading that were checked in part; its text is here still."""
    found: dict[str, _Found] = {
        "not-understood": [(offset, "") for offset in reading.unclear],
        "not-followed": [(offset, "") for offset in _first_of_lines(reading)],
        "may-not-run": [],
        "unknown-value": list(_with_unknown_values(reading)),
    }
    for statement in uncertain(reading) if reading.language != "markdown" else ():
        kind = "unknown-value" if statement.why in (NO_OWNER, LOST) else "may-not-run"
        found[kind].append((statement.span[0], statement.why))
    reading.awaited = tuple(_awaited(reading))
    if not any(found.values()):
        return
    counts = {kind: len(offsets) for kind, offsets in found.items() if offsets}
    if reading.unclear:
        counts["not-understood"] = reading.commands - reading.understood
    listed = {  # once each line, and what a loop runs several times
        Unjudged(*_line(reading.text, offset, reading.lines), kind, reason)
        for kind, offsets in found.items()
        for offset, reason in islice(dict.fromkeys(offsets), MOST_LISTED)
    }
    reading.counts, reading.unjudged = counts, tuple(sorted(listed))


def _first_of_lines(reading: Reading) -> Iterable[int]:
    """The offsets of what is not followed, one for each line."""
    found: dict[int, int] = {}
    for offset in reading.unfollowed:
        found.setdefault(reading.lines.position(offset).line, offset)
    return found.values()


def _awaited(reading: Reading) -> Iterator[Awaited]:
    """Yield the statements that use other files, of a document that has something of MQ."""
    used_files = [*dict.fromkeys(reading.used_files)]
    is_of_mq = reading.steps or reading.remote or reading.parts or reading.declared
    if not is_of_mq and reading.language != "jcl":
        # It may hold a command of MQ in a variable, and run that.
        used_files = [each for each in used_files if not each[0]]
        if not used_files or not names_command(reading.text):
            return
    unfollowed = frozenset(reading.unfollowed)
    fed = {basename(name) for name, _ in reading.fed}
    for name, offset in islice(used_files, MOST_LISTED):
        if offset not in unfollowed:
            line = _line(reading.text, offset, reading.lines)
            reason = ABSENT_FILE if name else ""
            is_fed = basename(name) in fed
            yield Awaited(name, Unjudged(*line, "not-followed", reason), is_fed)


def names_of_files(paths: Iterable[str]) -> Set[str]:
    """Return the names by which a project may have a file: `a.mqsc` and `a` of `a.mqsc.j2`."""
    names: set[str] = set()
    for path in paths:
        name = basename(path).casefold()
        names.add(name)
        while "." in name:
            name = name.rpartition(".")[0]
            names.add(name)
    return names - {""}


def with_awaited(
    counts: Mapping[str, int],
    unjudged: tuple[Unjudged, ...],
    awaited: Iterable[Awaited],
    names: Set[str],
    unread: Set[str] = frozenset(),
) -> tuple[Mapping[str, int], tuple[Unjudged, ...]]:
    """Return both of a `FileCoverage`, with lines whose file the project does not have.

    `names` are those of all files, and `unread` those of files that are not read.
    """
    known = {each.line for each in unjudged if each.kind == "not-followed"}
    missing: dict[int, Unjudged] = {}
    for each in awaited:
        name, statement = each.name.casefold(), each.statement
        if statement.line not in known and name not in names:
            missing[statement.line] = statement
        elif statement.line not in known and each.is_fed and name in unread:
            missing.setdefault(statement.line, replace(statement, reason=UNREAD_FILE))
    if not missing:
        return counts, unjudged
    number = counts.get("not-followed", 0) + len(missing)
    return {**counts, "not-followed": number}, tuple(sorted((*unjudged, *missing.values())))


def _line(text: str, offset: int, lines: LineMap) -> tuple[int, str]:
    """The number of the line at an offset, and the beginning of its text."""
    number = lines.position(offset).line
    start = lines.starts[number - 1]
    line = text[start : start + 2 * _LONGEST].partition("\n")[0]
    return number, shown(line).strip()[:_LONGEST]


def _with_unknown_values(reading: Reading) -> Iterator[tuple[int, str]]:
    for part in reading.parts:
        for command in part.commands:
            if command.marks > 1:
                start, segments = command.start, part.segments
                yield (start if segments is None else origin(segments, start)), ""


@frozen
class Uncertain:
    """A statement that may not run, or runs for an unknown queue manager.

    `span` are offsets in the file. `why` is one of `REASONS`.
    """

    span: tuple[int, int]
    why: str


def uncertain(reading: Reading) -> Iterator[Uncertain]:
    """Yield the statements of a document that may not run, its MQSC commands first.

    They are judged alone and counted.
    """
    for part in reading.parts:
        yield from _of_part(part)
    for step in reading.steps:
        why = _why(step)
        if why:
            yield Uncertain(step.span, why)


def _of_part(part: Part) -> Iterator[Uncertain]:
    for commands in part.choices():
        for command in commands:
            start, end = command.span()
            if part.segments is not None:
                start, end = stretch(part.segments, start, end)
            yield Uncertain((start, end), part.execution.why or _BRANCH)


def _why(step: Step) -> str:
    if step.lost:
        return LOST
    if step.may_not_run:
        return step.execution.why or _BRANCH
    values = [*(word.value for word in step.operands), *(option.value for option in step.options)]
    return NO_OWNER if step.queue_manager is None and UNKNOWN in values else ""
