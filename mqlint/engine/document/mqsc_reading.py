"""MQSC in a reading: each command judged, and faults at their places in the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mqlint.dataclass import NamedTuple
from mqlint.engine.document.reading import MOST_LISTED, Part, Reading, Reported
from mqlint.finding import Diagnostic
from mqlint.language.mqsc import Command, Script
from mqlint.language.mqsc.command import command_at
from mqlint.language.mqsc.limits import Counts
from mqlint.language.mqsc.lines import Segments, origin, stretch

_NOT_AT_LEVEL = frozenset({"not-available", "not-available-recalled", "removed"})

Judge = Callable[[Command], tuple[Sequence[Diagnostic], bool]]
"""Returns the faults of a command, and whether the command is understood."""


class Verdict(NamedTuple):
    """Whether a text of MQSC is understood.

    `fault` is the place of the first command that is not, None if all are. `fits` is False if the
    text has words that the level of the target lacks.
    """

    fault: tuple[int, int] | None
    fits: bool


def add_mqsc(reading: Reading, script: Script, part: Part, judge: Judge) -> Verdict:
    """Add the commands of a script to a reading, with the faults of the parser and of `judge`."""
    reading.parts.append(part)
    reading.commands += len(script.commands) + script.broken
    for diagnostic in script.diagnostics:
        about = command_at(part.commands, diagnostic.start)
        reading.reported.append(reported_of(diagnostic, about, part))
    counts = Counts()
    first: tuple[int, int] | None = None
    codes: set[str] = set()
    for command in script.commands:
        found, understood = judge(command)
        is_cut = command.start in script.cut
        for diagnostic in found:
            if is_cut and diagnostic.code == "missing-attribute":
                continue  # it is on the line that the command lost, which is reported
            codes.add(diagnostic.code)
            if counts.takes(diagnostic.code, *diagnostic.span):
                reading.reported.append(reported_of(diagnostic, command, part))
        reading.understood += understood
        if not understood:
            _add_unclear(reading, command.start, part)
            first = first or command.span()
    for piece in script.slices if script.broken else ():
        if piece.kind == "broken":
            _add_unclear(reading, piece.start, part)
    reading.reported.extend(reported_of(rest, None, part) for rest in counts.rest())
    places = [fault.span for fault in script.diagnostics if script.broken]
    fault = min([*places, *([first] if first is not None else [])], default=None)
    return Verdict(fault, _NOT_AT_LEVEL.isdisjoint(codes))


def _add_unclear(reading: Reading, offset: int, part: Part) -> None:
    """Record the place of a command that is not understood."""
    if len(reading.unclear) < MOST_LISTED:
        segments = part.segments
        reading.unclear.append(offset if segments is None else origin(segments, offset))


def reported_of(diagnostic: Diagnostic, command: Command | None, part: Part) -> Reported:
    """Return a diagnostic at its place in the file, with the object that `command` is about."""
    found = moved(diagnostic, part.segments)
    if command is None or command.noun is None:
        return Reported(found, queue_manager=part.queue_manager, entry=part.entry)
    noun = command.noun.lower()
    return Reported(found, noun, command.name, part.queue_manager, part.entry)


def moved(diagnostic: Diagnostic, segments: Segments | None) -> Diagnostic:
    if segments is None:
        return diagnostic
    start, end = stretch(segments, *diagnostic.span)
    return Diagnostic(diagnostic.code, start, end, diagnostic.data)
