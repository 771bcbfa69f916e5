"""Plans for programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from mqlint.chlauth.admission import Admission
from mqlint.cli.diff.pairs import title
from mqlint.cli.diff.render import place_json, row_json
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.wording import admission_json
from mqlint.model.change.between import StepOf
from mqlint.model.change.dependants import Dependant
from mqlint.model.change.plan import Plan, RemainingDifference, is_comment
from mqlint.model.change.step import AttributeChange, PlanStep
from mqlint.report.json import Json, dump
from mqlint.vocabulary.effects import Effect

VERSION = 1
"""Raised when a field of the JSON form changes its meaning or goes away."""


def json_text(found: Plans) -> str:
    data: dict[str, Json] = {
        "version": VERSION,
        "a": found.a.label,
        "b": found.b.label,
        "equal": not found.result.differences,
        "left_out": list[Json](found.result.left_out),
        "alone": [row_json(difference) for difference in found.alone],
        "queue_managers": [_plan(plan, found.admitted[plan]) for plan in found.plans],
        "between": [
            {"first": _step_of(each.first), "then": _step_of(each.then)} for each in found.between
        ],
    }
    return dump(data) + "\n"


def _plan(plan: Plan, admitted: Sequence[Admission]) -> dict[str, Json]:
    return {
        "a": title(plan.now),
        "b": title(plan.wanted),
        "steps": [_step(step) for step in plan.steps],
        "left": [_left(left) for left in plan.left],
        "connections": [admission_json(each) for each in admitted],
        "undone_at_start": [
            {"text": undone.text, "place": place_json(undone.place)} for undone in plan.undone
        ],
        "questions": [
            {"text": question.text, "command": question.command or None}
            for question in plan.questions
        ],
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
        "kind": step.kind,
        "type": step.type,
        "subtype": step.subtype,
        "name": step.name,
        "place": place_json(step.place),
        "changes": [_change(change) for change in step.changes],
        "commands": list(step.commands),
        "undo": list(step.undo),
        "not_undone": list(step.gaps),
        "by_hand": list(step.by_hand),
        "dependants": [_dependant(found) for found in step.dependants],
    }


def _step_of(found: StepOf) -> dict[str, Json]:
    step = found.step
    return {
        "queue_manager": found.queue_manager,
        "kind": step.kind,
        "type": step.type,
        "name": step.name,
    }


def _dependant(found: Dependant) -> dict[str, Json]:
    return {
        "type": found.type,
        "name": found.name or None,
        "attribute": found.attribute or None,
        "queue_manager": found.queue_manager or None,
        "site": found.site or None,
        "place": place_json(found.place),
    }


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
    return {
        "effect": effect.when,
        "refused": effect.refused or None,
        "lost": effect.lost or None,
        "then": effect.then or None,
        "see": effect.see or None,
    }
