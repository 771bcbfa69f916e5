"""`mqlint explain`: all that a rule's file says, for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from mqlint.cli.group import Refusal
from mqlint.cli.output import echo, terminal_width
from mqlint.cli.project import Session, cache_folder, config_option, open_session, policies_option
from mqlint.cli.rules import severities
from mqlint.config.errors import nearest
from mqlint.config.reader import read_yaml
from mqlint.engine.cases import Case, cases_of
from mqlint.finding import Rule
from mqlint.policy.load import builtin_sources, user_sources
from mqlint.policy.parameters import Parameter, shown
from mqlint.report.shown import paragraphs, visible, wrap

_EVIDENCE = {
    "product": "seen in the output of a real queue manager",
    "document": "IBM's documentation",
    "recall": "recalled by practitioners, not yet confirmed by a page or a product",
}


@click.command("explain", short_help="Say why a rule matters, what to do, with examples.")
@click.argument("rules", metavar="RULE...", nargs=-1, required=True)
@config_option
@policies_option
def command(rules: tuple[str, ...], config: Path | None, policies: tuple[Path, ...]) -> None:
    """Explain each RULE, given by its id, its name or a former id."""
    session = open_session(config=config, policies=policies, cache=cache_folder())
    width = min(terminal_width(), 100)
    for number, word in enumerate(rules):
        rule = find(word, session.rulebook.rules)
        parameters = session.rulebook.parameters(rule.id)
        lines = explanation(rule, examples_of(rule.id, session), width, parameters)
        echo(("\n" if number else "") + "\n".join(lines) + "\n")


def examples_of(rule: str, session: Session) -> list[Case]:
    """Return the cases of one rule, from the file that it stands in."""
    for source in (*builtin_sources(), *user_sources(session.user_policies)):
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
        raise Refusal(f"there is no rule {visible(word)!r};{hint} `mqlint rules` lists them all")
    return found


def explanation(
    rule: Rule, cases: Sequence[Case], width: int, parameters: Sequence[Parameter] = ()
) -> Iterator[str]:
    """Yield the lines that explain a rule."""
    yield f"{rule.id} {visible(rule.name)}"
    yield from wrap(visible(rule.summary), width, "  ")
    yield ""
    evidence = _EVIDENCE.get(rule.evidence, rule.evidence)
    yield from wrap(severities(rule), width, "  severity    ")
    yield from wrap(rule.confidence.word, width, "  confidence  ")
    yield from wrap(evidence, width, "  evidence    ")
    if rule.aliases:
        yield f"  formerly    {', '.join(rule.aliases)}"
    yield from _section("Why", paragraphs(rule.why, width, "  "))
    yield from _section("What to do", paragraphs(rule.fix, width, "  "))
    if parameters:
        yield from _section("What you can set in mqlint.yaml", parameter_lines(parameters, width))
    if rule.messages:
        yield from _section("In the logs", wrap(", ".join(rule.messages), width, "  "))
    for case in cases:
        word = "Flagged" if case.flagged else "Not flagged"
        yield from _section(f"{word}: {visible(case.name)}", _files(case))
    if rule.see:
        yield from _section("See", (f"  {visible(link)}" for link in rule.see))


def parameter_lines(parameters: Sequence[Parameter], width: int) -> Iterator[str]:
    """Yield what users may set, with the values that hold."""
    for one in parameters:
        default = f", without mqlint.yaml {shown(one.default)}" if one.is_set else ""
        text = f"{one.name}: {shown(one.value)} ({one.type}{default}): {one.says}"
        yield from wrap(visible(text), width, "  ", "    ")


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    yield ""
    yield title
    yield from lines


def _files(case: Case) -> Iterator[str]:
    """The files of a case, an arrow before each line that is flagged."""
    for path, text in case.files:
        yield f"  {visible(path)}"
        for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
            arrow = ">" if f"{path}:{number}" in case.flagged else " "
            yield f"  {arrow} {visible(line)}".rstrip()
