"""`profiles:` of a configuration: which profiles judge, and those that the project defines.

A list names profiles. A mapping defines profiles too, and the run has all in it that are not
marked `only_if_named`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from mqlint.config.errors import not_among
from mqlint.config.forms import (
    FLAG,
    Form,
    Key,
    any_of,
    listed,
    name_of,
    names,
    of_keys,
    read_by,
    read_keys,
    schema_of,
    several,
    table,
    words,
)
from mqlint.config.node import Node
from mqlint.config.settings import PROFILES, SEVERITIES, OwnProfile, SeverityWord
from mqlint.patterns import later

_NAME = later(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_MOST = 50


SEVERITY = table(words(*SEVERITIES))
"""Severities by rule; whether there are such rules the policies know."""


def profile_of(own: Iterable[str] = ()) -> Form:
    """Return the form of the name of a profile: one of mqlint, or one of the project's `own`."""
    known = (*PROFILES, *own)
    schema = any_of(words(*PROFILES).schema, schema_of(_NAME))
    about = {"description": "A profile of mqlint, or one that `profiles` defines."}
    return read_by(lambda node: node.one_of(known), {**about, **schema})


def _definition(own: Iterable[str] = ()) -> tuple[Key, ...]:
    profile = profile_of(own)
    # A bare number or boolean is not a name here.
    base = read_by(lambda node: name_of(node) and profile.read(node), profile.schema)
    return (
        Key(
            "extends",
            several(base),
            "The profiles that this one starts from: one, or a list.",
            required=True,
        ),
        Key(
            "severity",
            SEVERITY,
            "Severities by rule id; they override those of the profiles of mqlint.",
        ),
        Key(
            "only_if_named",
            FLAG,
            "Run this profile only if --profile or an override names it.",
        ),
    )


def profiles_of(own: Sequence[OwnProfile] = ()) -> Form:
    """Return the form of `profiles`, of which `own` are those that it defines."""
    definition = any_of({"type": "null"}, of_keys(_definition()))
    return read_by(
        lambda node: chosen_in(node, own),
        any_of(
            listed(profile_of()).schema,
            {"type": "object", "additionalProperties": definition},
        ),
    )


def own_profiles_of(node: Node | None) -> tuple[OwnProfile, ...]:
    """Return the profiles that `profiles` defines; ConfigError at the first fault."""
    if node is None or node.kind != "mapping":
        return ()
    defined = {name: value for name, value in node.pairs.items() if not value.is_empty}
    if len(defined) > _MOST:
        raise node.error(f"more than {_MOST} profiles are defined")
    for name, value in defined.items():
        if name in PROFILES:
            raise value.key_error(
                f"{name} is a profile of mqlint: choose another name, with extends: {name}"
            )
        if not _NAME.match(name):
            raise value.key_error("the name of a profile is a letter, then letters, digits, - or _")
        value.require("extends")
    keys = _definition(defined)
    found = {}
    for name, value in defined.items():
        value.keys_allowed(names(keys))
        found[name] = OwnProfile(name, **read_keys(value, keys))
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


def chosen_in(node: Node, own: Iterable[OwnProfile]) -> tuple[str, ...]:
    defined = {profile.name: profile for profile in own}
    if node.kind != "mapping":
        chosen: tuple[str, ...] = listed(profile_of(defined)).read(node)
        return chosen
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
