"""`mqlint explain`: a rule in full, the rules of a group, or those that foresee a message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import click

from mqlint.cli.common import completion
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo, terminal_width
from mqlint.cli.common.policy_choice import rules_named, unknown_rule
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.policy.rules import short_lines, table
from mqlint.config.reader import read_yaml
from mqlint.config.settings_text import flow, settings_lines
from mqlint.finding import Rule
from mqlint.finding.rule import names_of
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import builtin_sources
from mqlint.report.guide import Example, ExampleFile, guide, plain
from mqlint.report.terminal import visible

_MESSAGE = later(r"(?i)(?:AMQ\d{4}|CSQ[0-9A-Z]\d{3})[A-Z]?\Z")
_REASON = later(r"(?i)\d{4}\Z|MQRC(?:CF)?_[A-Z0-9_]+\Z")
_NAMED = later(r"\b(?:AMQ\d{4}[A-Z]?|CSQ[0-9A-Z]\d{3}[A-Z]|MQRC(?:CF)?_[A-Z0-9_]+)\b")


@click.command("explain", short_help="Explain a rule, a group, or a message or reason code.")
@click.argument(
    "subjects",
    metavar="RULE|GROUP|CODE...",
    nargs=-1,
    required=True,
    shell_complete=completion.rules,
)
@options("config policies", project=ProjectOptions)
def command(subjects: tuple[str, ...], project: ProjectOptions) -> None:
    """Explain each RULE, GROUP, or message or reason CODE.

    A rule is given by its id, its name or a former id. A group, such as dr, or the letters of ids,
    such as CHA, list their rules. A code, such as AMQ9456, 2085 or MQRC_PUT_INHIBITED, lists the
    rules that foresee it.
    """
    session = project.session()
    by_word = names_of(session.rulebook.rules.values())
    width = terminal_width(100)
    for number, word in enumerate(subjects):
        lines = list(_explanation(word, session, by_word, width))
        echo(("\n" if number else "") + "\n".join(lines) + "\n")


def _explanation(
    word: str, session: Session, by_word: Mapping[str, Rule], width: int
) -> Iterator[str]:
    """Yield the lines about a rule, a group or a code; Refusal if the word is none of them."""
    rules = session.rulebook.rules
    rule = by_word.get(word.casefold())
    if rule is not None:
        parameters = session.rulebook.parameters(rule.id)
        examples = [as_example(case) for case in examples_of(rule.id, session)]
        yield from plain(guide(rule, examples, parameters), width)
    elif foreseen := rules_about(word, rules.values()):
        yield f"{visible(word.upper())}: rules that foresee it"
        yield ""
        yield from table(foreseen, short_lines, width)
    elif _MESSAGE.match(word) or _REASON.match(word):
        raise Refusal(f"no rule foresees {word}")
    elif is_digits(word[-1:]):  # digits are missing in an id
        raise unknown_rule(word, rules.values())
    else:
        yield from table((rules[name] for name in rules_named(word, rules)), short_lines, width)


def rules_about(code: str, rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules that name a message or reason code: under `messages`, or in their texts.

    The letter at the end of a message, which is its severity, may be omitted. A reason code that
    is a number counts only under `messages`, since texts have numbers of other kinds.
    """
    plain_code = _without_severity(code)
    return [rule for rule in rules if plain_code in _codes_of(rule)]


def _codes_of(rule: Rule) -> set[str]:
    named = _NAMED.findall(" ".join((rule.why, rule.fix, rule.more)))
    words = (part for message in rule.messages for part in message.split())
    return {_without_severity(code) for code in (*named, *words)}


def _without_severity(code: str) -> str:
    code = code.upper()
    return code[:-1] if _MESSAGE.match(code) and code[-1].isalpha() else code


def examples_of(rule: str, session: Session) -> list[Case]:
    for source in (*builtin_sources(), *session.own_policies):
        # Only a file with the id in it is read: reading them all would take seconds.
        if rule in source.text and read_yaml(source.text, source.path).require("id").raw == rule:
            return cases_of(source)
    return []


def find(word: str, rules: Mapping[str, Rule]) -> Rule:
    """Return the rule that `word` names; Refusal with the nearest one when there is none."""
    found = names_of(rules.values()).get(word.casefold())
    if found is None:
        raise unknown_rule(word, rules.values())
    return found


def as_example(case: Case) -> Example:
    """Return a case as it is shown; what its configuration says comes last."""
    files = [ExampleFile(path, text, _lines_of(path, case)) for path, text in case.files]
    files += [ExampleFile(f"{path}, as it was", text) for path, text in case.base or ()]
    settings = [line for line in settings_lines(case.settings) if not line.startswith("#")]
    if besides := [profile for profile in case.profiles if profile != "default"]:
        settings.append(f"profiles: {flow(besides)}")
    if settings:
        files.append(
            ExampleFile("mqlint.yaml", "\n".join(settings), _lines_of("mqlint.yaml", case))
        )
    return Example(case.name, tuple(files), bool(case.flagged))


def _lines_of(path: str, case: Case) -> frozenset[int]:
    places = (place.rpartition(":") for place in case.flagged)
    return frozenset(int(line) for name, _, line in places if name == path)
