"""`mqlint rules`, also called `mqlint policy list`: the rules, with filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

import click

from mqlint.cli.common import completion
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import format_option, option, options
from mqlint.cli.common.output import answer
from mqlint.cli.common.policy_choice import rules_named
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.config.errors import not_among
from mqlint.config.settings import PROFILES
from mqlint.dataclass import frozen
from mqlint.finding import Rule
from mqlint.language.registry import LANGUAGES, recognise
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import builtin_sources
from mqlint.report.guide import severities
from mqlint.report.json import Json
from mqlint.report.terminal import counted, visible, wrap

_LONGEST_ID = 7
_LONGEST_SEVERITY = 7


@frozen
class Filters:
    """Which rules are listed: those that fit each filter that is given."""

    in_groups: tuple[str, ...] = option("--group NAME", "Only rules of this group.", multiple=True)
    of_severities: tuple[str, ...] = option(
        "--severity",
        "Only rules of this severity: in the profiles given, otherwise in any.",
        type=click.Choice(("note", "warning", "error")),
        multiple=True,
    )
    in_profiles: tuple[str, ...] = option(
        "--profile",
        "Only rules of this profile. default: rules of every run.",
        type=click.Choice(PROFILES),
        multiple=True,
    )
    of_file_kinds: tuple[str, ...] = option(
        "--file-kind NAME",
        "Only rules whose examples flag such a file: mqsc, ini, shell ...",
        multiple=True,
    )
    with_texts: tuple[str, ...] = option(
        "--search TEXT",
        "Only rules with this text in their id, name, messages or explanation.",
        multiple=True,
    )


@click.command("rules", short_help="List the rules, with filters.")
@click.argument("words", metavar="[RULE]...", nargs=-1, shell_complete=completion.rules)
@options("in_groups of_severities in_profiles of_file_kinds with_texts", filters=Filters)
@click.option("--long", "is_long", is_flag=True, help="Also show names and all severities.")
@format_option
@options("config policies", project=ProjectOptions)
def command(
    words: tuple[str, ...], filters: Filters, is_long: bool, form: str, project: ProjectOptions
) -> None:
    """List the rules by group: id, severity and summary.

    RULE is an id, a name, a group, or the letters of ids (DR). Default: all rules. Several values
    of one filter widen it, several filters narrow the list. Parentheses hold the profiles with
    another severity, or those that a rule only runs in. `mqlint rules` and `mqlint policy list`
    are the same command.
    """
    session = project.session()
    rules = chosen(words, filters, session)
    cells = _long if is_long else short_lines
    answer(form, lambda: [*map(as_json, rules)], lambda width: table(rules, cells, width), indent=1)


def chosen(words: Sequence[str], filters: Filters, session: Session) -> list[Rule]:
    """Return the rules that `words` name, or all if it is empty, that fit all filters.

    Refusal for a rule, group or kind of file that does not exist.
    """
    by_id = session.rulebook.rules
    named = {rule for word in words for rule in rules_named(word, by_id)}
    rules = [rule for rule in by_id.values() if not words or rule.id in named]
    _require("group", filters.in_groups, sorted({rule.group for rule in by_id.values()}))
    _require("kind of file", filters.of_file_kinds, sorted(LANGUAGES))
    found = [rule for rule in rules if _fits(rule, filters)]
    if filters.of_file_kinds:
        kinds = kinds_of_files(found, session)
        found = [rule for rule in found if not kinds[rule.id].isdisjoint(filters.of_file_kinds)]
    return found


def _require(what: str, words: Sequence[str], known: Sequence[str]) -> None:
    for word in words:
        if word not in known:
            raise Refusal(f"unknown {what} {visible(word)!r}: {not_among(word, known)}")


def _fits(rule: Rule, filters: Filters) -> bool:
    if filters.in_groups and rule.group not in filters.in_groups:
        return False
    if filters.in_profiles and rule.severity.keys().isdisjoint(filters.in_profiles):
        return False
    words = {
        severity.word
        for profile, severity in rule.severity.items()
        if not filters.in_profiles or profile in filters.in_profiles
    }
    if filters.of_severities and words.isdisjoint(filters.of_severities):
        return False
    texts = (rule.id, rule.name, rule.summary, rule.message, rule.why, rule.fix, rule.more)
    text = " ".join(" ".join((*texts, *rule.messages, *rule.aliases)).split()).casefold()
    wanted = [" ".join(word.split()).casefold() for word in filters.with_texts]
    return not wanted or any(word in text for word in wanted)


def kinds_of_files(rules: Iterable[Rule], session: Session) -> dict[str, set[str]]:
    """Return, by the id of each rule, the languages of the files that its examples flag."""
    wanted = {rule.id: rule for rule in rules}
    kinds: dict[str, set[str]] = {rule: set() for rule in wanted}
    for source in (*builtin_sources(), *session.own_policies):
        # The id of a policy is in its first lines: reading all of each file takes seconds.
        named = next((rule for rule in wanted if f"id: {rule}\n" in source.text), None)
        if named is not None:
            kinds[named] |= {kind for case in cases_of(source) for kind in _flagged_kinds(case)}
    return kinds


def _flagged_kinds(case: Case) -> Iterator[str]:
    flagged = {place.rpartition(":")[0] for place in case.flagged}
    for path, text in case.files:
        kind = recognise(path, text) if path in flagged else None
        if kind is not None:
            yield kind


def table(
    rules: Iterable[Rule], lines_of: Callable[[Rule, int], Iterator[str]], width: int
) -> Iterator[str]:
    """Yield the rules group by group, each with the lines that `lines_of` makes."""
    ordered = sorted(rules, key=attrgetter("group", "id"))
    for group, members in groupby(ordered, key=attrgetter("group")):
        yield visible(group)
        for rule in members:
            yield from lines_of(rule, width)
        yield ""
    if not ordered:
        yield "No rule matches all filters. All rules: mqlint rules"
        return
    yield f"{counted(len(ordered), 'rule')}. Details of one: mqlint explain RULE"


def short_lines(rule: Rule, width: int) -> Iterator[str]:
    """Yield a rule as it is listed: id, severity, summary.

    Profiles with another severity follow in parentheses, or those that a rule only runs in.
    """
    usual = rule.severity.get("default")
    first = usual or max(rule.severity.values())
    head = f"  {rule.id:<{_LONGEST_ID}} {first.word:<{_LONGEST_SEVERITY}} "
    others = [
        profile if usual is None and severity == first else f"{profile}: {severity.word}"
        for profile, severity in rule.severity.items()
        if severity != usual
    ]
    tail = f" ({', '.join(others)})" if others else ""
    yield from wrap(rule.summary + tail, width, head)


def _long(rule: Rule, width: int) -> Iterator[str]:
    sure = rule.confidence.word
    doubt = "" if sure == "high" else f", {sure} confidence"
    yield f"  {rule.id:<8}{visible(rule.name)}  ({severities(rule)}{doubt})"
    yield from wrap(rule.summary, width, " " * 10)


_FIELDS = (
    "id name group summary severity confidence evidence why fix more see messages covers aliases"
    " ignorable habit repair".split()
)


def as_json(rule: Rule) -> Mapping[str, Json]:
    severity = {profile: severity.word for profile, severity in rule.severity.items()}
    words = {"severity": severity, "confidence": rule.confidence.word}
    return {field: words.get(field, getattr(rule, field)) for field in _FIELDS}
