"""`mqlint explain`: all that a rule's file says, for a person."""

from __future__ import annotations

from collections.abc import Mapping

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo, terminal_width
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.config.errors import nearest
from mqlint.config.reader import read_yaml
from mqlint.config.settings_text import flow, settings_lines
from mqlint.finding import Rule
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import builtin_sources
from mqlint.report.guide import Example, ExampleFile, guide, plain
from mqlint.report.terminal import visible


@click.command("explain", short_help="Explain a rule: effect, cause, fix and examples.")
@click.argument("rules", metavar="RULE...", nargs=-1, required=True)
@options("config policies", project=ProjectOptions)
def command(rules: tuple[str, ...], project: ProjectOptions) -> None:
    """Explain each RULE, given by its id, its name or a former id."""
    session = project.session()
    width = terminal_width(100)
    for number, word in enumerate(rules):
        rule = find(word, session.rulebook.rules)
        parameters = session.rulebook.parameters(rule.id)
        examples = [as_example(case) for case in examples_of(rule.id, session)]
        lines = plain(guide(rule, examples, parameters), width)
        echo(("\n" if number else "") + "\n".join(lines) + "\n")


def examples_of(rule: str, session: Session) -> list[Case]:
    """Return the cases of one rule, from the file that it stands in."""
    for source in (*builtin_sources(), *session.own_policies):
        # Only a file with the id in it is read: reading them all would take seconds.
        if rule in source.text and read_yaml(source.text, source.path).require("id").raw == rule:
            return cases_of(source)
    return []


def find(word: str, rules: Mapping[str, Rule]) -> Rule:
    """Return the rule that `word` names; Refusal with the nearest one when there is none."""
    by_word: dict[str, Rule] = {}
    for rule in rules.values():
        for name in (rule.id, rule.name, *rule.aliases):
            by_word.setdefault(name.casefold(), rule)
    found = by_word.get(word.casefold())
    if found is None:
        near = nearest(word, by_word)
        hint = f" did you mean {by_word[near].id}?" if near else ""
        raise Refusal(
            f"rule {visible(word)!r} does not exist;{hint} `mqlint rules` lists all rules"
        )
    return found


def as_example(case: Case) -> Example:
    """Return a case as it is shown; what its configuration says comes last."""
    files = [ExampleFile(path, text, _lines_of(path, case)) for path, text in case.files]
    files += [ExampleFile(f"{path}, as it was", text) for path, text in case.base or ()]
    says = [line for line in settings_lines(case.settings) if not line.startswith("#")]
    if besides := [profile for profile in case.profiles if profile != "default"]:
        says.append(f"profiles: {flow(besides)}")
    if says:
        files.append(ExampleFile("mqlint.yaml", "\n".join(says), _lines_of("mqlint.yaml", case)))
    return Example(case.name, tuple(files), bool(case.flagged))


def _lines_of(path: str, case: Case) -> frozenset[int]:
    places = (place.rpartition(":") for place in case.flagged)
    return frozenset(int(line) for name, _, line in places if name == path)
