"""Plans for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.chlauth.admission import Admission
from mqlint.cli.diff.pairs import title
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.wording import (
    admission_text,
    assumptions,
    change_text,
    dependants_text,
    effect_text,
    left_text,
    outcome,
    precedence_texts,
    script_notes,
    step_title,
)
from mqlint.finding import Location
from mqlint.model.change.plan import Plan
from mqlint.model.change.step import PlanStep
from mqlint.report.terminal import visible, wrap


def text_lines(found: Plans, width: int) -> Iterator[str]:
    yield visible(f"A: {found.a.label}")
    yield visible(f"B: {found.b.label}")
    if found.result.left_out:
        words = ", ".join(found.result.left_out)
        yield from wrap(visible(f"left out by the configuration: {words}"), width, "", "  ")
    for difference in found.alone:
        yield from wrap(visible(left_text(difference)), width, "", "  ")
    for plan in found.plans:
        if plan.steps or plan.left:
            yield ""
            yield visible(heading(plan))
            yield from _plan(plan, found.admitted[plan], width)
    if found.between:
        yield ""
        yield "between queue managers (the undo is in the other order)"
        for text in precedence_texts(found.between):
            yield from wrap(visible(text), width, "  - ", "    ")
    yield ""
    yield outcome(found.plans, len(found.alone))


def heading(plan: Plan) -> str:
    names = [title(plan.now), title(plan.wanted)]
    return names[0] if names[0] == names[1] else f"{names[0]}, to be as {names[1]}"


def _plan(plan: Plan, admitted: Sequence[Admission], width: int) -> Iterator[str]:
    for number, step in enumerate(plan.steps, 1):
        text = f"{number}. {step_title(step)}{_at(step.place, '  ')}"
        yield from wrap(visible(text), width, "  ", "     ")
        yield from _changes(step, width)
    yield from _section("connections", map(admission_text, admitted), width)
    for note in assumptions(admitted) if admitted else ():
        yield from wrap(visible(note), width, "      given that ", "        ")
    left = [left_text(found.difference, found.effect) for found in plan.left]
    yield from _section("no command makes these differences", left, width)
    undone = [f"{found.text}{_at(found.place, ' ')}" for found in plan.undone]
    yield from _section("may undo the change at the next start", undone, width)
    if plan.questions:
        yield "  ask first"
        for question in plan.questions:
            yield from _item(question.text, width)
            if question.command:
                yield visible(f"        {question.command}")
    for name, is_undo in (("commands", False), ("undo", True)):
        commands = plan.undo if is_undo else plan.commands
        lines = [line for command in commands for line in command.split("\n")]
        notes = list(script_notes(plan, is_undo=is_undo))
        if lines and not notes:
            yield f"  {name}"
        yield from _section(name, notes, width)
        yield from (f"    {visible(line)}" for line in lines)


def _section(heading: str, texts: Iterable[str], width: int) -> Iterator[str]:
    """Yield texts as a list with a heading; nothing if there are none."""
    for number, text in enumerate(texts):
        if not number:
            yield f"  {heading}"
        yield from _item(text, width)


def _item(text: str, width: int) -> Iterator[str]:
    yield from wrap(visible(text), width, "    - ", "      ")


def _changes(step: PlanStep, width: int) -> Iterator[str]:
    for change in step.changes:
        if change.attribute:
            yield from wrap(visible(change_text(change)), width, "     ", "       ")
        elif change.effect.refused or change.effect.see or change.effect.lost:
            yield from wrap(visible(effect_text(change.effect)), width, "     ", "       ")
    dependants = dependants_text(step)
    if dependants:
        yield from wrap(visible(dependants), width, "     ", "       ")


def _at(place: Location | None, gap: str) -> str:
    return "" if place is None else f"{gap}[{place.path}:{place.start.line}]"
