"""Which rules have something to judge, and are silent because the configuration lacks a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mqlint.config.settings import Settings
from mqlint.model.core.fact import Fact
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.waits import JOBS, MIGRATION, OBJECTS, QUEUE_MANAGERS, SITES
from mqlint.policy.policy import Policy

_OF_TYPE = frozenset({SITES, MIGRATION})
"""Keys without which a policy is about no fact at all."""


class _Waiters(NamedTuple):
    """The policies of a run, kept so that their identity stays theirs, and those that wait."""

    policies: Sequence[Policy]
    by_type: Mapping[str, Sequence[tuple[str, str]]]


class Waiting:
    """Collects the rules that wait for something while queue managers are judged."""

    def __init__(self, settings: Settings) -> None:
        """`settings` are those of the run."""
        there = {
            SITES: bool(settings.sites),
            MIGRATION: settings.migration is not None,
            OBJECTS: settings.inventory.objects,
            JOBS: settings.inventory.jobs,
            QUEUE_MANAGERS: bool(settings.queue_managers),
        }
        self._missing = frozenset(key for key, is_set in there.items() if not is_set)
        self._found: dict[str, set[str]] = {}
        self._known: dict[tuple[int, frozenset[str]], _Waiters] = {}

    def note(
        self, policies: Sequence[Policy], matched: Mapping[str, Sequence[Fact]], facts: Facts
    ) -> None:
        """Take in the policies that judge a queue manager; `matched` are the facts of each."""
        missing = self._missing
        if facts.manager.site is not None:
            missing -= {SITES}
        if not facts.manager.key.anonymous:
            missing -= {QUEUE_MANAGERS}
        for of_type, waiters in self._waiters(policies, missing).items():
            if not any(True for _ in facts.of(of_type)):
                continue
            for policy, key in waiters:
                if policy in matched or key in _OF_TYPE:
                    self._found.setdefault(key, set()).add(policy)

    def _waiters(
        self, policies: Sequence[Policy], missing: frozenset[str]
    ) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The ids of policies with a key that each waits for, by the type that they are about."""
        known = self._known.get((id(policies), missing))
        if known is None:
            by_type: dict[str, list[tuple[str, str]]] = {}
            for policy in policies if missing else ():
                for key in policy.waits_for & missing:
                    by_type.setdefault(policy.object, []).append((policy.id, key))
            known = self._known[id(policies), missing] = _Waiters(policies, by_type)
        return known.by_type

    def rules(self) -> dict[str, tuple[str, ...]]:
        """Return the ids of the rules that wait, in order, by what they wait for."""
        return {key: tuple(sorted(rules)) for key, rules in sorted(self._found.items())}
