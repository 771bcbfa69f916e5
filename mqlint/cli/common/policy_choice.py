"""Options that say how a run judges: which rules, how severe, for which release and platform.

They end in the settings that the engine is given, so that every report, and every machine, sees
the same findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import click

from mqlint.cli.common import completion
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import option
from mqlint.config.errors import choices, nearest, not_among, padded
from mqlint.config.settings import (
    PLATFORMS,
    SEVERITIES,
    Settings,
    SeverityWord,
    Target,
    parse_level,
)
from mqlint.dataclass import frozen
from mqlint.finding import Rule
from mqlint.finding.rule import names_of
from mqlint.patterns import later

_LETTERS = later(r"[a-z]+")


def _words(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> tuple[str, ...]:
    words = tuple(word.strip() for text in given for word in text.split(","))
    if "" in words:
        raise click.BadParameter("a rule or group is missing before or after a comma")
    return words


def _severities(
    ctx: click.Context, param: click.Parameter, given: Sequence[str]
) -> tuple[tuple[str, SeverityWord], ...]:
    return tuple(_pair(text) for text in given)


def _pair(text: str) -> tuple[str, SeverityWord]:
    rule, sign, word = text.partition("=")
    if not sign or not rule.strip():
        raise click.BadParameter(f"{text!r} is not RULE=SEVERITY, as in DR001=warning")
    wanted = next(
        (severity for severity in SEVERITIES if severity == word.strip().casefold()), None
    )
    if wanted is None:
        near = nearest(word, SEVERITIES)
        hint = f"did you mean {near!r}? " if near else ""
        raise click.BadParameter(f"{word!r}: {hint}allowed: {choices(SEVERITIES)}")
    return rule.strip(), wanted


@frozen
class PolicyChoice:
    """What the command line says of rules and target, as written.

    `select` and `ignore` hold words that name rules, `severity` the pairs of such a word and a
    severity, in order; `target` is blank if it is not given.
    """

    select: tuple[str, ...] = option(
        "--select RULE[,RULE...]",
        "Run only these rules: ids, names, groups, or the letters of ids (DR).",
        multiple=True,
        callback=_words,
        shell_complete=completion.rules,
    )
    ignore: tuple[str, ...] = option(
        "--ignore RULE[,RULE...]",
        "Do not run these rules, even if selected.",
        multiple=True,
        callback=_words,
        shell_complete=completion.rules,
    )
    severity: tuple[tuple[str, SeverityWord], ...] = option(
        "--severity RULE=SEVERITY",
        "off, note, warning or error for a rule or group. May be given several times.",
        multiple=True,
        callback=_severities,
    )
    target: str = option(
        "--target LEVEL[/PLATFORM]",
        "Release and platform to check for, such as 9.4.0/linux or /zos. Overrides mqlint.yaml.",
        default="",
    )

    def settings(self, settings: Settings, rules: Callable[[], Mapping[str, Rule]]) -> Settings:
        """Return `settings` with the command line's words over them.

        `rules` gives all rules by id and is only asked where needed. Refusal for an unknown word.
        """
        if self.select or self.ignore or self.severity:
            settings = replace(settings, severity=self._severity(settings, rules()))
        return with_target(settings, self.target) if self.target else settings

    def _severity(self, settings: Settings, rules: Mapping[str, Rule]) -> dict[str, SeverityWord]:
        """Severities by rule id: the file's, then the command line's; what is not asked is off."""
        severity = dict(settings.severity)
        for word, wanted in self.severity:
            severity |= dict.fromkeys(rules_named(word, rules), wanted)
        ignored = {rule for word in self.ignore for rule in rules_named(word, rules)}
        selected = {rule for word in self.select for rule in rules_named(word, rules)}
        if self.select:
            ignored |= rules.keys() - selected
        return severity | dict.fromkeys(sorted(ignored), "off")


def rules_named(word: str, rules: Mapping[str, Rule]) -> set[str]:
    """Return the ids of the rules that `word` names; Refusal if it names none.

    It is an id, a name, a former id, a group, or the letters that ids begin with, perhaps with
    some digits (DR, DR00), in any case. SEC01 is a typo of SEC001, not the beginning of SEC010.
    """
    folded = word.casefold()
    named = names_of(rules.values())
    exact = named.get(folded)
    if exact is not None:
        return {exact.id}
    if padded(folded) in named:
        raise unknown_rule(word, rules.values())
    found = {
        rule.id
        for rule in rules.values()
        if folded == rule.group.casefold() or _begins(rule.id, folded)
    }
    if not found:
        raise unknown_rule(word, rules.values())
    return found


def _begins(rule_id: str, word: str) -> bool:
    """Whether `word` holds at least the letters of an id, and the id begins with it."""
    folded = rule_id.casefold()
    letters = _LETTERS.match(folded)
    return letters is not None and folded.startswith(word) and word.startswith(letters[0])


def unknown_rule(word: str, rules: Iterable[Rule]) -> Refusal:
    """Return what to say of a word that names no rule: with the nearest word that does."""
    known: dict[str, str] = {}
    for rule in rules:
        for name in (rule.group, *rule.aliases, rule.name, rule.id):
            known[name.casefold()] = name
    near = nearest(word, known)
    hint = f" did you mean {known[near.casefold()]!r}?" if near is not None else ""
    return Refusal(
        f"rule or group {word!r} does not exist;{hint} `mqlint rules` lists all rules, "
        "and `mqlint rules --search WORD` searches them"
    )


def with_target(settings: Settings, text: str) -> Settings:
    """Return `settings` for the target LEVEL[/PLATFORM], whatever they say of paths.

    A blank level or platform leaves what they say of it. Refusal for an unknown one.
    """
    level_word, _, platform_word = text.strip().partition("/")
    level = parse_level(level_word)
    if level_word and level is None:
        raise Refusal(
            f"--target: {level_word!r} is not a release of IBM MQ: use 9.4.0, 9.4 or 940, and "
            "a platform after a slash, as in 9.4.0/linux"
        )
    platform = next((name for name in PLATFORMS if name == platform_word.casefold()), None)
    if platform_word and platform is None:
        raise Refusal(
            f"--target: unknown platform {platform_word!r}: "
            f"{not_among(platform_word.casefold(), PLATFORMS)}"
        )

    def given(target: Target) -> Target:
        return Target(level or target.level, platform or target.platform)

    overrides = tuple(
        replace(override, target=given(override.target)) for override in settings.overrides
    )
    return replace(settings, target=given(settings.target), overrides=overrides)
