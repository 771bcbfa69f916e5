"""Plans as one HTML page, in the look of the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mqlint.chlauth.admission import Admission
from mqlint.cli.diff.render import value_text
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.render import heading
from mqlint.cli.plan.wording import (
    WHEN,
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
from mqlint.model.change.plan import Plan
from mqlint.model.change.step import AttributeChange, PlanQuestion, PlanStep
from mqlint.report.html.page import link, listing, safe, static_page, table
from mqlint.report.terminal import visible

_BADGES = {"unknown": "warning", "fixed": "error", "manager": "error"}
"""How an effect is marked: what stops more than one object, or is not known."""

_HEADS = ("step", "object", "attribute", "A", "B", "takes effect")


def page_lines(found: Plans) -> Iterator[str]:
    subtitle = visible(f"from {found.a.label} to {found.b.label}")
    yield from static_page("mqlint plan", subtitle, _body(found), "")


def _body(found: Plans) -> Iterator[str]:
    yield f'<p class="calm">{safe(outcome(found.plans, len(found.alone)))}</p>\n'
    changes = [change for plan in found.plans for step in plan.steps for change in step.changes]
    if changes:
        yield from _tiles(changes)
    if left_out := left_out_text(found):
        yield f"<p>{safe(left_out)}</p>\n"
    if found.alone:
        yield from listing("Only on one side", (safe(left_text(each)) for each in found.alone))
    for plan in found.plans:
        if plan.steps or plan.left:
            yield f"<h2>{safe(heading(plan))}</h2>\n"
            yield from _plan(plan, found.admitted[plan])
    if found.between:
        texts = map(safe, precedence_texts(found.between))
        yield from listing("Between queue managers (the undo is in the other order)", texts)


def _tiles(changes: Sequence[AttributeChange]) -> Iterator[str]:
    counts = Counter(change.effect.when for change in changes)
    yield '<div class="tiles">\n'
    for when, text in WHEN.items():
        if counts[when]:
            label = text.partition(":")[0]
            badge = _BADGES.get(when, "note")
            yield (
                f'<div class="tile {badge}"><strong>{counts[when]:,}</strong>{safe(label)}</div>\n'
            )
    yield "</div>\n"


def _plan(plan: Plan, admitted: Sequence[Admission]) -> Iterator[str]:
    if plan.steps:
        rows = (row for number, step in enumerate(plan.steps, 1) for row in _rows(number, step))
        yield from table("Changes, in the order that works", _HEADS, rows)
    for title, texts in sections(plan, admitted):
        yield from listing(title, map(safe, texts), 3)
    if plan.questions:
        yield from listing("Ask first", map(_question, plan.questions), 3)
    for title, is_undo in (("Commands", False), ("Undo", True)):
        yield from _script(plan, title, is_undo=is_undo)


def _rows(number: int, step: PlanStep) -> Iterator[tuple[str, ...]]:
    place = step.place
    at = "" if place is None else f"<br><small>{safe(place.line_text)}</small>"
    first = (str(number), f"{safe(step_title(step))}{at}")
    for change in step.changes:
        is_whole = not change.attribute
        values = ("", "") if is_whole else (value_text(change.before), value_text(change.after))
        yield (*first, safe(change.attribute), *map(_code, values), _effect(change))
        first = ("", "")
    dependants = dependants_text(step)
    if dependants:
        yield "", "", "", "", "", safe(dependants)


def _effect(change: AttributeChange) -> str:
    effect = change.effect
    badge = _BADGES.get(effect.when)
    text = safe(effect_text(effect))
    if badge:
        text = f'<span class="badge {badge}">{effect.when}</span> {text}'
    return f"{text} {link(effect.see, 'source')}" if effect.see.startswith("http") else text


def _question(question: PlanQuestion) -> str:
    command = f"<br>{_code(question.command)}" if question.command else ""
    return f"{safe(question.text)}{command}"


def _code(text: str) -> str:
    return f"<code>{safe(text)}</code>" if text else ""


def _script(plan: Plan, title: str, *, is_undo: bool) -> Iterator[str]:
    notes = list(script_notes(plan, is_undo=is_undo))
    commands = plan.undo if is_undo else plan.commands
    if notes:
        yield from listing(f"{title}: not in the script", map(safe, notes), 3)
    if commands:
        lines = "\n".join(safe(line) for text in commands for line in text.split("\n"))
        yield f"<section>\n<h3>{title}</h3>\n<pre>{lines}</pre>\n</section>\n"
