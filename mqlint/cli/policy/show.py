"""`mqlint policy show`: a policy as it is understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from mqlint.cli.common.options import format_option, options
from mqlint.cli.common.output import answer
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.policy.explain import examples_of, find
from mqlint.config.settings_text import flow
from mqlint.policy.language.cases import Case
from mqlint.policy.language.parameters import parameters_of
from mqlint.report.guide import parameter_points, plain_points, severities
from mqlint.report.terminal import counted, visible, wrap


@click.command("show", short_help="Show how mqlint reads a policy.")
@click.argument("rule", metavar="ID")
@format_option
@options("config policies", project=ProjectOptions)
def command(rule: str, form: str, project: ProjectOptions) -> None:
    """Show what the policy ID matches and checks, its parameters and how many cases it has.

    Values of parameters are those that the configuration sets. `mqlint explain` says why it
    matters and what to do.
    """
    session = project.session()
    rulebook = session.rulebook
    found = find(rule, rulebook.rules)
    cases = examples_of(found.id, session)
    compiled = rulebook.compiled_rule(found.id)
    answer(
        form,
        lambda: {**compiled, "cases": len(cases)},
        lambda width: understood(compiled, severities(found), cases, width),
        most=100,
    )


def understood(
    compiled: Mapping[str, Any], severity: str, cases: Sequence[Case], width: int
) -> Iterator[str]:
    """Yield the lines that show a policy in compiled form."""
    yield f"{compiled['id']} {visible(compiled['name'])}"
    yield from wrap(compiled["summary"], width, "  ")
    yield ""
    yield from _row("severity", severity, width)
    if compiled["kind"] == "diagnostic":
        yield from _row("reported as", compiled["check"], width)
    else:
        yield from _row("about", compiled["object"], width)
        for part in ("match", "unless"):
            if compiled[part]:
                yield from _row(part, flow(compiled[part]), width)
        check = {
            key: value for key, value in compiled["check"].items() if value not in (None, [], {})
        }
        yield from _row(compiled["kind"], flow(check), width)
    yield from _row("message", compiled["message"], width)
    clean = sum(not case.flagged for case in cases)
    yield from _row("cases", f"{counted(len(cases), 'case')}, {clean} without findings", width)
    if not compiled["ignorable"]:
        yield from _row("ignorable", "comments and waivers cannot suppress it", width)
    parameters = parameters_of(compiled)
    if parameters:
        yield "  parameters"
        yield from plain_points(parameter_points(parameters), width)


def _row(title: str, text: str, width: int) -> Iterator[str]:
    return wrap(text, width, f"  {title:<12}")
