"""The MQSC of a plan, and its undo, as scripts to run."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.cli.diff.pairs import title
from mqlint.cli.plan.plans import Plans
from mqlint.cli.plan.wording import object_title
from mqlint.model.change.plan import Plan
from mqlint.report.terminal import visible


def script_lines(found: Plans, *, is_undo: bool) -> Iterator[str]:
    """Yield the script of each plan, with comments about what it does not do."""
    for plan in found.plans:
        if plan.steps:
            yield from _script(plan, is_undo=is_undo)


def _script(plan: Plan, *, is_undo: bool) -> Iterator[str]:
    what = "undo of the plan for" if is_undo else "plan for"
    yield comment(f"{what} {title(plan.now)}")
    for note in script_notes(plan, is_undo=is_undo):
        yield comment(note)
    yield from plan.undo if is_undo else plan.commands


def script_notes(plan: Plan, *, is_undo: bool) -> Iterator[str]:
    """Yield what the script does not do: secrets, and values that the files do not say."""
    # With its CONNAUTH in force and no password, an LDAP object lets nobody in.
    refreshes = any(command.startswith("REFRESH SECURITY") for command in plan.commands)
    when = ", before REFRESH SECURITY" if refreshes else ""
    for step in plan.steps:
        for word in () if is_undo else step.by_hand:
            yield f"by hand{when}: {object_title(step)} {word}, a secret"
        for gap in step.gaps if is_undo else ():
            yield f"not undone: {object_title(step)}: {gap}"


def comment(text: str) -> str:
    """Return a comment line of MQSC; one that ends in a sign of continuation would go on."""
    return "* " + visible(text).replace("\n", " ").rstrip("+- ")
