"""Which statements of a document were judged in part or not at all, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mqlint.engine.reading import MOST_LISTED, Part, Reading
from mqlint.finding import FileCoverage, Unjudged
from mqlint.language.mqsc import Command
from mqlint.language.mqsc.lines import origin
from mqlint.source.lines import LineMap

_LONGEST = 80
"""Characters of a statement that are shown."""


def with_unjudged(row: FileCoverage, reading: Reading, text: str) -> FileCoverage:
    """Return the coverage of a document with its statements; `text` is without its secrets."""
    offsets = {
        "not-understood": reading.unclear,
        "may-not-run": [*_may_not_run(reading)],
        "unknown-value": [*_with_unknown_values(reading)],
    }
    if not any(offsets.values()):
        return row
    counts = {kind: len(found) for kind, found in offsets.items() if found}
    if reading.unclear:
        counts["not-understood"] = row.commands - row.understood
    listed = sorted(
        Unjudged(*_line(text, offset, reading.lines), kind=kind)
        for kind, found in offsets.items()
        for offset in found[:MOST_LISTED]
    )
    return replace(row, counts=counts, unjudged=tuple(listed))


def _line(text: str, offset: int, lines: LineMap) -> tuple[int, str]:
    """The number of the line at an offset, and the beginning of its text."""
    number = lines.position(offset).line
    start = lines.starts[number - 1]
    return number, text[start : start + _LONGEST].partition("\n")[0].strip()


def _may_not_run(reading: Reading) -> Iterator[int]:
    """The offsets of commands in a branch, a loop or a function, MQSC and others."""
    for part in reading.parts:
        for command in part.commands:
            if part.maybe or command.maybe:
                yield _offset(command, part)
    for step in reading.steps:
        if step.maybe:
            yield step.command_span[0]


def _with_unknown_values(reading: Reading) -> Iterator[int]:
    for part in reading.parts:
        for command in part.commands:
            if command.marks > 1:
                yield _offset(command, part)


def _offset(command: Command, part: Part) -> int:
    return command.start if part.segments is None else origin(part.segments, command.start)
