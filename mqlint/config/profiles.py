"""`profiles:` of a configuration: which profiles judge, and those that the project defines.

A list names profiles. A mapping defines profiles too, and the run has all in it that are not
marked `only_if_named`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from mqlint.config.entries import name_of, section_of, word_reader
from mqlint.config.errors import not_among
from mqlint.config.node import Node
from mqlint.config.settings import PROFILES, SEVERITIES, OwnProfile, SeverityWord
from mqlint.patterns import later

_NAME = later(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_MOST = 50


def severities_of(node: Node) -> dict[str, SeverityWord]:
    """Return the severities of rules; whether there are such rules the policies know."""
    severity = word_reader(SEVERITIES)
    return {rule: severity(value) for rule, value in node.mapping().items()}


def own_profiles_of(node: Node | None) -> tuple[OwnProfile, ...]:
    """Return the profiles that `profiles` defines; ConfigError at the first fault."""
    if node is None or node.kind != "mapping":
        return ()
    defined = {name: value for name, value in node.pairs.items() if not value.is_empty}
    if len(defined) > _MOST:
        raise node.error(f"more than {_MOST} profiles are defined")
    known = (*PROFILES, *defined)
    for name, value in defined.items():
        if name in PROFILES:
            raise value.key_error(
                f"{name} is a profile of mqlint: choose another name, with extends: {name}"
            )
        if not _NAME.match(name):
            raise value.key_error("the name of a profile is a letter, then letters, digits, - or _")
        value.require("extends")
    found = {
        name: section_of(
            value,
            OwnProfile,
            {
                "extends": lambda node: names_in(node, known),
                "severity": severities_of,
                "only_if_named": Node.boolean,
            },
            name=name,
        )
        for name, value in defined.items()
    }
    for name, value in defined.items():
        if found[name] in reached(found[name].extends, found.values()):
            raise value.pairs["extends"].error(f"the profile {name} extends itself")
    return tuple(found.values())


def reached(names: Iterable[str], own: Iterable[OwnProfile]) -> list[OwnProfile]:
    """Return the project's own profiles among `names`, and those that they extend."""
    defined = {profile.name: profile for profile in own}
    found: dict[str, OwnProfile] = {}
    left = [*names]
    while left:
        name = left.pop()
        if name in defined and name not in found:
            found[name] = defined[name]
            left += defined[name].extends
    return [profile for name, profile in defined.items() if name in found]


def names_in(node: Node, known: Iterable[str]) -> tuple[str, ...]:
    """Return names of profiles: one, or a list."""
    items = node.sequence() if node.kind == "sequence" else [node]
    allowed = tuple(known)
    return tuple(_one_of(item, allowed) for item in items)


def _one_of(node: Node, allowed: tuple[str, ...]) -> str:
    name_of(node)
    return node.one_of(allowed)


def chosen_in(node: Node, own: Iterable[OwnProfile]) -> tuple[str, ...]:
    """Return the profiles of a run that `profiles` chooses."""
    defined = {profile.name: profile for profile in own}
    if node.kind != "mapping":
        return tuple(item.one_of((*PROFILES, *defined)) for item in node.sequence())
    for name, value in node.pairs.items():
        if name not in defined and name not in PROFILES:
            words = not_among(name, (*PROFILES, *defined))
            raise value.key_error(f"unknown profile {name!r}: {words}")
    return tuple(
        name for name in node.pairs if name not in defined or not defined[name].only_if_named
    )


def resolved(own: Iterable[OwnProfile]) -> dict[str, tuple[frozenset[str], dict[str, str]]]:
    """Return, for each profile of the project, those of mqlint in it and its severities by rule.

    Its own severities override those of the profiles that it extends; of several such profiles
    that set one rule, the most severe counts.
    """
    defined = {profile.name: profile for profile in own}
    done: dict[str, tuple[frozenset[str], dict[str, str]]] = {}

    def of(name: str) -> tuple[frozenset[str], dict[str, str]]:
        if name not in defined:
            return frozenset({name}), {}
        if name not in done:
            profile = defined[name]
            bases = [of(base) for base in profile.extends]
            severity: dict[str, str] = {}
            for _, inherited in bases:
                for rule, word in inherited.items():
                    severity[rule] = max(severity.get(rule, word), word, key=_rank)
            built_in = frozenset[str]().union(*(names for names, _ in bases))
            done[name] = built_in, severity | dict(profile.severity)
        return done[name]

    return {name: of(name) for name in defined}


def _rank(word: str) -> int:
    return SEVERITIES.index(cast("SeverityWord", word))
