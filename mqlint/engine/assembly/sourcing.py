"""What scripts do and what is wrong in them together with the files that they source.

Such a fault is reported where the script calls a function of the other file, with the arguments
that are wrong; the function itself is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.links import Links
from mqlint.engine.document.reading import Reading
from mqlint.finding import Diagnostic
from mqlint.language.client.signs import is_shell, may_be_sourced
from mqlint.language.execution import Execution
from mqlint.language.text.mapped import MappedText
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

if TYPE_CHECKING:
    from mqlint.language.script.sourced import Sourced

_Place = tuple[str, str, int, int]
"""The code, the file and the place of a fault."""


def faults_of_sourced(
    links: Mapping[str, Links], assembly: Assembly
) -> Mapping[str, tuple[Diagnostic, ...]]:
    """Return the faults that scripts have together with what they source, by the file."""
    texts = _texts(links)
    if len(texts) < 2:
        return {}
    from mqlint.language.script.sourced import Names, Sourced, sourced  # few projects have any

    named = Names([*texts])
    budget = Budget(sum(map(len, texts.values())))
    found: dict[str, dict[_Place, Diagnostic]] = {}
    alone: dict[str, set[_Place]] = {}
    for path in sorted(filter(is_shell, texts)):
        whole = sourced(path, texts, named, budget)
        if whole is None:
            continue
        for place, fault, execution in _faults(path, whole, assembly):
            code, file, start, end = place
            if file not in alone:
                own = _faults(file, Sourced.of(file, texts[file]), assembly)
                alone[file] = {known for known, _, _ in own}
            if place in alone[file]:
                continue
            if file != path:
                call = _call(whole, execution, path)
                if call is None:
                    continue
                start, end = call
            own_fault = replace(fault, start=start, end=end)
            found.setdefault(path, {}).setdefault((code, path, start, end), own_fault)
    return {path: tuple(faults.values()) for path, faults in found.items()}


def readings_with_settings(links: Mapping[str, Links], assembly: Assembly) -> dict[str, Reading]:
    """Return the readings of scripts that get variables from the files which they source."""
    texts = _texts(links)
    if len(texts) < 2:
        return {}
    # Few projects have any.
    from mqlint.engine.document.analyse import Analyser
    from mqlint.language.variables.sourced_settings import settings_of_scripts

    analyser = Analyser(assembly.vocabulary)
    budget = Budget(sum(map(len, texts.values())))
    found: dict[str, Reading] = {}
    for path, settings in settings_of_scripts(texts):
        if budget.spend(len(texts[path])):
            target, forms = assembly.target(path), assembly.settings.forms
            found[path] = analyser.analyse(
                texts[path], "shell", target, path, forms, sourced=settings
            )
    return found


def packed_reading(reading: Reading) -> str:
    from mqlint.engine.document.pack import pack  # few projects have any

    return json.dumps(pack(reading))


def _texts(links: Mapping[str, Links]) -> dict[str, str]:
    """The texts of scripts and of what they may source, by path."""
    return {
        path: of.resources for path, of in links.items() if of.resources and may_be_sourced(path)
    }


def _call(whole: Sourced, execution: Execution, path: str) -> Span | None:
    """The call in the script itself of the function that has a fault; None if it is elsewhere."""
    if execution.called_at is None:
        return None
    at = execution.called_at
    end = whole.text.find("\n", at)
    file, start, stop = whole.place((at, len(whole.text) if end < 0 else end))
    return (start, stop) if file == path else None


def _faults(
    path: str, whole: Sourced, assembly: Assembly
) -> Iterator[tuple[_Place, Diagnostic, Execution]]:
    """Yield the faults of the MQSC and of the control commands of a text."""
    # Few projects have any.
    from mqlint.language.objects.spelling import SETMQAUT, as_setmqaut
    from mqlint.language.script.sourced import read_sourced
    from mqlint.validity.control_commands import check_control

    script = read_sourced(whole.text, assembly.vocabulary.control)
    for inner in script.embedded:
        for fault in assembly.judged(inner.text, path) if inner.language == "mqsc" else ():
            part = MappedText(inner.text, inner.segments, inner.end).part(fault.start, fault.end)
            span = (part.host(0), part.end) if part.text else (inner.host(fault.start),) * 2
            shown = as_setmqaut(fault.data) if inner.spelling == SETMQAUT else fault.data
            yield _placed(whole, fault, span), replace(fault, data=shown), inner.execution
    known, target = assembly.vocabulary.control, assembly.target(path)
    for step, fault in check_control(script, known, target, cased=True):
        if step is not None:
            yield _placed(whole, fault, fault.span), fault, step.execution


def _placed(whole: Sourced, fault: Diagnostic, span: Span) -> _Place:
    return (fault.code, *whole.place(span))
