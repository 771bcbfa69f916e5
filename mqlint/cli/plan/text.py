"""Plans for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.chlauth.admission import Admission
from mqlint.cli.diff.pairs import title
from mqlint.cli.plan.admitted import admission_text, assumptions
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.scripts import script_notes
from mqlint.cli.plan.wording import (
    change_text,
    dependants_text,
    effect_text,
    left_text,
    outcome,
    precedence_texts,
    step_title,
)
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
        yield from wrap(visible(f"{number}. {step_title(step)}{_at(step)}"), width, "  ", "     ")
        yield from _changes(step, width)
    if admitted:
        yield "  connections"
        for admission in admitted:
            yield from wrap(visible(admission_text(admission)), width, "    - ", "      ")
        for note in assumptions(admitted):
            yield from wrap(visible(note), width, "      given that ", "        ")
    if plan.left:
        yield "  no command makes these differences"
        for left in plan.left:
            text = left_text(left.difference, left.effect)
            yield from wrap(visible(text), width, "    - ", "      ")
    if plan.undone:
        yield "  may undo the change at the next start"
        for undone in plan.undone:
            place = undone.place
            at = "" if place is None else f" [{place.path}:{place.start.line}]"
            yield from wrap(visible(undone.text + at), width, "    - ", "      ")
    if plan.questions:
        yield "  ask first"
        for question in plan.questions:
            yield from wrap(visible(question.text), width, "    - ", "      ")
            if question.command:
                yield visible(f"        {question.command}")
    for name, is_undo in (("commands", False), ("undo", True)):
        commands = plan.undo if is_undo else plan.commands
        notes = list(script_notes(plan, is_undo=is_undo))
        if commands or notes:
            yield f"  {name}"
            for note in notes:
                yield from wrap(visible(note), width, "    - ", "      ")
        for command in commands:
            yield from (f"    {visible(line)}" for line in command.split("\n"))


def _changes(step: PlanStep, width: int) -> Iterator[str]:
    for change in step.changes:
        if change.attribute:
            yield from wrap(visible(change_text(change)), width, "     ", "       ")
        elif change.effect.refused or change.effect.see or change.effect.lost:
            yield from wrap(visible(effect_text(change.effect)), width, "     ", "       ")
    dependants = dependants_text(step)
    if dependants:
        yield from wrap(visible(dependants), width, "     ", "       ")


def _at(step: PlanStep) -> str:
    place = step.place
    return "" if place is None else f"  [{place.path}:{place.start.line}]"
