"""Faults of commands with the values that other files give to the variables in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.reading import Reading, Reported
from mqlint.finding import Diagnostic
from mqlint.language.mqsc import Command, Templated
from mqlint.language.mqsc.lines import stretch
from mqlint.model.core.inserts import Inserts, replaced, with_values
from mqlint.source.lines import Span
from mqlint.validity import Validity


def faults_of_values(path: str, reading: Reading, assembly: Assembly) -> Iterator[Reported]:
    """Yield the faults of each variable in MQSC, once for its place."""
    commands = (command for part in reading.parts for command in part.commands)
    if not assembly.relations.composed.inventories or not any(each.marks >> 1 for each in commands):
        return
    validity = Validity(assembly.vocabulary, assembly.target(path))
    done: set[tuple[str, Span]] = set()
    for key, contribution in assembly.contributions(path, reading):
        part, inserts = contribution.part, with_values({}, [contribution.values])
        for command in part.commands if part is not None and inserts else ():
            for fault in _faults(command, inserts, validity) if command.marks >> 1 else ():
                start, end = fault.span
                if part is not None and part.segments:
                    start, end = stretch(part.segments, start, end)
                if (fault.code, (start, end)) not in done:
                    done.add((fault.code, (start, end)))
                    own = replace(fault, start=start, end=end)
                    name = None if key.anonymous else key.name
                    yield Reported(own, command.noun, command.known_name, name)


def _faults(command: Command, inserts: Inserts, validity: Validity) -> Iterator[Diagnostic]:
    """Yield what is wrong with values of variables, each at the variable."""
    raw = [_with_values(each, inserts) for each in command.raw]
    pick = command.form.pick
    bound = command.bound if command.form.is_joined else None
    valued = Command(
        command.form, (raw if pick is None else pick(raw), raw, bound), command.start, 0
    )
    places = {
        valued.span_of_value(index): command.span_of_value(index)
        for index, slot in enumerate(command.form.shape.slots)
        if slot >= 0 and valued.values[slot] != command.values[slot]
    }
    for fault in validity.judge(valued)[0]:
        if fault.span in places:
            start, end = places[fault.span]
            yield replace(fault, start=start, end=end)


def _with_values(raw: str, inserts: Inserts) -> str:
    value = replaced(raw, inserts) if isinstance(raw, Templated) else None
    if value is None:
        return raw
    return f"'{value}'" if raw.strip().startswith("'") else value
