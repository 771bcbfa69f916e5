"""The record of sessions of runmqsc: what was run, what was refused, and what DISPLAY showed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from mqlint.engine.document.reading import Part
from mqlint.grouping import grouped
from mqlint.language.mqsc import Command, Parser
from mqlint.language.mqsc.lines import stored
from mqlint.language.mqsc.session.displayed import named_in, shown_in
from mqlint.language.mqsc.session.recording import NumberedCommand
from mqlint.language.mqsc.session.transcript import read_transcript


def parts_of(commands: Sequence[Command], text: str, parser: Parser) -> Iterator[Part]:
    """Yield the part of each session in `text`, which records sessions of runmqsc.

    `commands` are those of all sessions. A refused command changes nothing. If several have one
    number, it is not known which one was refused, and all may have run.
    """
    record = read_transcript(text)
    starts = [command.start for command in commands]
    borders = [*(session.start for session in record.sessions), len(text) + 1]
    for session, after in zip(record.sessions, borders[1:], strict=True):
        name = session.queue_manager or named_in(session, text)
        own = commands[bisect_right(starts, session.start - 1) : bisect_right(starts, after - 1)]
        ran, refused = _outcomes(own, session.exchanges)
        if ran:
            yield Part(ran, name)
        if refused:
            yield Part(refused, name, role="refused")
        written = shown_in(session, text)
        if written is not None:
            shown, segments = written.text, stored(written.segments)
            del written  # several times as large
            yield Part(parser.parse(shown).commands, name, segments=segments, role="shown")


def _outcomes(
    commands: Iterable[Command], exchanges: Sequence[NumberedCommand]
) -> tuple[list[Command], list[Command]]:
    """The commands that were run, and those that were refused."""
    starts = [exchange.start for exchange in exchanges]
    after = grouped(
        (bisect_right(starts, command.span_of_verb()[0]) - 1, command) for command in commands
    )
    ran: list[Command] = []
    refused: list[Command] = []
    for number, group in after.items():
        failed = number >= 0 and exchanges[number].refused
        if failed and len(group) == 1:
            refused += group
            continue
        for command in group:
            command.maybe = command.maybe or failed
        ran += group
    return ran, refused
