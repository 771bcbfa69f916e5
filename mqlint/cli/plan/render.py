"""Plans as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from mqlint.chlauth.admission import Admission
from mqlint.cli.diff.render import place_json, row_json, value_text
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.wording import (
    GIVEN,
    admission_json,
    assumptions,
    change_text,
    dependants_text,
    effect_text,
    left_out_text,
    left_text,
    outcome,
    precedence_texts,
    script_notes,
    sections,
    step_title,
)
from mqlint.model.change.between import StepOf
from mqlint.model.change.dependants import Dependant
from mqlint.model.change.plan import Plan, RemainingDifference, is_comment
from mqlint.model.change.step import AttributeChange, PlanStep
from mqlint.report.json import Json, fields_of
from mqlint.report.markdown import escaped, fenced, table_row
from mqlint.report.terminal import listing, visible, wrap
from mqlint.vocabulary.effects import Effect


def text_lines(found: Plans, width: int) -> Iterator[str]:
    yield visible(f"A: {found.a.label}")
    yield visible(f"B: {found.b.label}")
    if left_out := left_out_text(found):
        yield from wrap(left_out, width, "", "  ")
    for difference in found.alone:
        yield from wrap(left_text(difference), width, "", "  ")
    for plan in found.plans:
        if plan.steps or plan.left:
            yield ""
            yield visible(heading(plan))
            yield from _plan(plan, found.admitted[plan], width)
    if found.between:
        yield ""
        title = "between queue managers (the undo is in the other order)"
        yield from listing(title, precedence_texts(found.between), width)
    yield ""
    yield outcome(found.plans, len(found.alone))


def heading(plan: Plan) -> str:
    names = [plan.now.key.title, plan.wanted.key.title]
    return names[0] if names[0] == names[1] else f"{names[0]}, to be as {names[1]}"


def _plan(plan: Plan, admitted: Sequence[Admission], width: int) -> Iterator[str]:
    for number, step in enumerate(plan.steps, 1):
        at = "" if step.place is None else f"  [{step.place.line_text}]"
        text = f"{number}. {step_title(step)}{at}"
        yield from wrap(text, width, "  ", "     ")
        yield from _changes(step, width)
    for title, texts in sections(plan, admitted):
        if title != GIVEN:
            yield from listing(title.lower(), texts, width, "  ")
        else:
            for note in texts:
                yield from wrap(note, width, "      given that ", "        ")
    if plan.questions:
        yield "  ask first"
        for question in plan.questions:
            yield from wrap(question.text, width, "    - ")
            if question.command:
                yield visible(f"        {question.command}")
    for name, is_undo in (("commands", False), ("undo", True)):
        commands = plan.undo if is_undo else plan.commands
        lines = [line for command in commands for line in command.split("\n")]
        notes = list(script_notes(plan, is_undo=is_undo))
        if lines and not notes:
            yield f"  {name}"
        yield from listing(name, notes, width, "  ")
        yield from (f"    {visible(line)}" for line in lines)


def _changes(step: PlanStep, width: int) -> Iterator[str]:
    for change in step.changes:
        if change.attribute:
            yield from wrap(change_text(change), width, "     ", "       ")
        elif change.effect.refused or change.effect.see or change.effect.lost:
            yield from wrap(effect_text(change.effect), width, "     ", "       ")
    dependants = dependants_text(step)
    if dependants:
        yield from wrap(dependants, width, "     ", "       ")


VERSION = 1
"""Raised when a field of the JSON form changes its meaning or goes away."""


def as_json(found: Plans) -> dict[str, Json]:
    return {
        "version": VERSION,
        "a": found.a.label,
        "b": found.b.label,
        "equal": not found.result.differences,
        "left_out": list[Json](found.result.left_out),
        "alone": [row_json(difference) for difference in found.alone],
        "queue_managers": [_plan_json(plan, found.admitted[plan]) for plan in found.plans],
        "between": [
            {"first": _step_of(each.first), "then": _step_of(each.then)} for each in found.between
        ],
    }


def _plan_json(plan: Plan, admitted: Sequence[Admission]) -> dict[str, Json]:
    return {
        "a": plan.now.key.title,
        "b": plan.wanted.key.title,
        "steps": [_step(step) for step in plan.steps],
        "left": [_left(left) for left in plan.left],
        "connections": [admission_json(each) for each in admitted],
        "assumptions": assumptions(admitted),
        "undone_at_start": [
            {"text": undone.text, "place": place_json(undone.place)} for undone in plan.undone
        ],
        "questions": [fields_of(question, "text command?") for question in plan.questions],
        **_script("commands", plan.commands),
        **_script("undo", plan.undo),
    }


def _script(name: str, lines: Sequence[str]) -> dict[str, Json]:
    """The commands, and where to wait.

    Each wait has the index of the command after it, and the commands that show when it is over.
    The last one is also given alone.
    """
    commands: list[str] = []
    waits: list[dict[str, Json]] = []
    for is_wait, group in groupby(lines, is_comment):
        if is_wait:
            texts = [line.removeprefix("* ") for line in group]
            waits.append({"before": len(commands), "displays": list[Json](texts[1:])})
        else:
            commands += group
    return {
        name: list[Json](commands),
        f"{name}_wait": waits[-1] if waits else None,
        f"{name}_waits": list[Json](waits),
    }


def _step(step: PlanStep) -> dict[str, Json]:
    return {
        **fields_of(step, "kind type subtype name"),
        "place": place_json(step.place),
        "changes": [_change(change) for change in step.changes],
        **fields_of(step, "commands undo"),
        "not_undone": list(step.gaps),
        "by_hand": list(step.by_hand),
        "dependants": [_dependant(found) for found in step.dependants],
    }


def _step_of(found: StepOf) -> dict[str, Json]:
    return {**fields_of(found, "queue_manager"), **fields_of(found.step, "kind type name")}


def _dependant(found: Dependant) -> dict[str, Json]:
    names = "type name? attribute? queue_manager? site?"
    return {**fields_of(found, names), "place": place_json(found.place)}


def _left(left: RemainingDifference) -> dict[str, Json]:
    effect = {} if left.effect is None else _effect(left.effect)
    return {**row_json(left.difference), **effect}


def _change(change: AttributeChange) -> dict[str, Json]:
    return {
        "attribute": change.attribute or None,
        "a": change.before,
        "b": change.after,
        **_effect(change.effect),
    }


def _effect(effect: Effect) -> dict[str, Json]:
    return {"effect": effect.when, **fields_of(effect, "refused? lost? then? see?")}


def markdown_lines(found: Plans) -> Iterator[str]:
    """Yield the plans of all queue managers; the commands are folded."""
    yield f"**{escaped(outcome(found.plans, len(found.alone)))}**"
    yield ""
    yield f"A is {escaped(found.a.label)}, B is {escaped(found.b.label)}."
    if found.result.left_out:
        yield f"The configuration leaves out {escaped(', '.join(found.result.left_out))}."
    if found.alone:
        yield ""
        yield from (f"- {escaped(left_text(difference))}" for difference in found.alone)
    for plan in found.plans:
        if plan.steps or plan.left:
            yield ""
            yield f"### {escaped(heading(plan))}"
            yield from _plan_in_markdown(plan, found.admitted[plan])
    if found.between:
        yield ""
        yield "Between queue managers (the undo is in the other order):"
        yield ""
        yield from (f"- {escaped(text)}" for text in precedence_texts(found.between))


def _plan_in_markdown(plan: Plan, admitted: Sequence[Admission]) -> Iterator[str]:
    if plan.steps:
        yield ""
        yield "| object | attribute | A | B | takes effect |"
        yield "|---|---|---|---|---|"
        for step in plan.steps:
            yield from _rows(step)
    questions = [_question(found.text, found.command) for found in plan.questions]
    for title, texts in (
        *sections(plan, admitted),
        *([("Ask first", questions)] * bool(questions)),
    ):
        yield ""
        yield f"{title}:"
        yield ""
        yield from (f"- {escaped(text)}" for text in texts)
    for name, is_undo in (("Commands", False), ("Undo", True)):
        yield from _commands(plan, name, is_undo=is_undo)


def _question(text: str, command: str) -> str:
    return f"{text}: `{command}`" if command and "`" not in command else f"{text} {command}".strip()


def _rows(step: PlanStep) -> Iterator[str]:
    title = step_title(step)
    for change in step.changes:
        values = map(value_text, (change.before, change.after) if change.attribute else ())
        texts = (*values,) or ("", "")
        yield table_row((title, change.attribute, *texts, effect_text(change.effect)))
        title = ""
    dependants = dependants_text(step)
    if dependants:
        yield table_row(("", "", "", "", dependants))


def _commands(plan: Plan, title: str, *, is_undo: bool) -> Iterator[str]:
    commands = plan.undo if is_undo else plan.commands
    notes = list(script_notes(plan, is_undo=is_undo))
    if not commands and not notes:
        return
    yield ""
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from (f"- {escaped(note)}" for note in notes)
    if commands:
        yield ""
        lines = [visible(line) for command in commands for line in command.split("\n")]
        yield from fenced(tuple(lines)).split("\n")
    yield ""
    yield "</details>"
