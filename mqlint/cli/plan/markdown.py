"""Plans for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.chlauth.admission import Admission
from mqlint.cli.diff.render import value_text
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.text import heading
from mqlint.cli.plan.wording import (
    admission_text,
    dependants_text,
    effect_text,
    left_text,
    outcome,
    precedence_texts,
    script_notes,
    step_title,
)
from mqlint.model.change.plan import Plan
from mqlint.model.change.step import PlanStep
from mqlint.report.markdown import escaped, fenced
from mqlint.report.terminal import visible


def markdown_lines(found: Plans) -> Iterator[str]:
    """Yield the plans of all queue managers; the commands are folded."""
    yield f"**{escaped(outcome(found.plans, len(found.alone)))}**"
    yield ""
    yield f"A is {escaped(found.a.label)}, B is {escaped(found.b.label)}."
    if found.result.left_out:
        words = ", ".join(found.result.left_out)
        yield f"The configuration leaves out {escaped(words)}."
    if found.alone:
        yield ""
        yield from (f"- {escaped(left_text(difference))}" for difference in found.alone)
    for plan in found.plans:
        if plan.steps or plan.left:
            yield ""
            yield f"### {escaped(heading(plan))}"
            yield from _plan(plan, found.admitted[plan])
    if found.between:
        yield ""
        yield "Between queue managers (the undo is in the other order):"
        yield ""
        yield from (f"- {escaped(text)}" for text in precedence_texts(found.between))


def _plan(plan: Plan, admitted: Sequence[Admission]) -> Iterator[str]:
    if plan.steps:
        yield ""
        yield "| object | attribute | A | B | takes effect |"
        yield "|---|---|---|---|---|"
        for step in plan.steps:
            yield from _rows(step)
    lists = (
        ("Connections", [admission_text(each) for each in admitted]),
        (
            "No command can make these changes",
            [left_text(found.difference, found.effect) for found in plan.left],
        ),
        ("May undo the change at the next start", [undone.text for undone in plan.undone]),
        ("Ask first", [_question(found.text, found.command) for found in plan.questions]),
    )
    for title, texts in lists:
        if texts:
            yield ""
            yield f"{title}:"
            yield ""
            yield from (f"- {escaped(text)}" for text in texts)
    for title, is_undo in (("Commands", False), ("Undo", True)):
        yield from _commands(plan, title, is_undo=is_undo)


def _question(text: str, command: str) -> str:
    return f"{text}: `{command}`" if command and "`" not in command else f"{text} {command}".strip()


def _rows(step: PlanStep) -> Iterator[str]:
    title = step_title(step)
    for change in step.changes:
        is_whole = not change.attribute
        cells = (
            title,
            change.attribute,
            "" if is_whole else value_text(change.before),
            "" if is_whole else value_text(change.after),
            effect_text(change.effect),
        )
        yield f"| {' | '.join(escaped(cell, cell=True) for cell in cells)} |"
        title = ""
    dependants = dependants_text(step)
    if dependants:
        yield f"|  |  |  |  | {escaped(dependants, cell=True)} |"


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
