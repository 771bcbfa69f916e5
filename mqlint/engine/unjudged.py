"""Which statements of a document were checked in part or not at all, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from mqlint.engine.reading import MOST_LISTED, Reading
from mqlint.engine.uncertain import LOST, NOBODY, uncertain
from mqlint.finding import Unjudged
from mqlint.language.mqsc.lines import origin
from mqlint.source.lines import LineMap
from mqlint.source.masking import shown

_LONGEST = 80
"""Characters of a statement that are shown."""

_Found = list[tuple[int, str]]
"""Offsets in the file, each with the reason, blank if the kind of the row is enough."""


def note_unjudged(reading: Reading) -> None:
    """Set the statements of a reading that were checked in part; its text is here still."""
    found: dict[str, _Found] = {
        "not-understood": [(offset, "") for offset in reading.unclear],
        "may-not-run": [],
        "unknown-value": list(_with_unknown_values(reading)),
    }
    for statement in uncertain(reading) if reading.language != "markdown" else ():
        kind = "unknown-value" if statement.why in (NOBODY, LOST) else "may-not-run"
        found[kind].append((statement.span[0], statement.why))
    if not any(found.values()):
        return
    counts = {kind: len(offsets) for kind, offsets in found.items() if offsets}
    if reading.unclear:
        counts["not-understood"] = reading.commands - reading.understood
    listed = sorted(
        Unjudged(*_line(reading.text, offset, reading.lines), kind, reason)
        for kind, offsets in found.items()
        for offset, reason in islice(_once(offsets), MOST_LISTED)
    )
    reading.counts, reading.unjudged = counts, tuple(listed)


def _once(offsets: _Found) -> Iterable[tuple[int, str]]:
    """The statements, each once: a loop may run one several times."""
    return dict.fromkeys(offsets)


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
