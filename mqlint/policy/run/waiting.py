"""Which rules have something to judge, and are silent because the configuration lacks a key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mqlint.config.settings import Settings
from mqlint.model.core.fact import Fact
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.waits import JOBS, MIGRATION, OBJECTS, QUEUE_MANAGERS, SITES
from mqlint.policy.policy import Policy

_OF_TYPE = frozenset({SITES, MIGRATION})
"""Keys without which a policy is about no fact at all."""


class _Waiters:
    """Policies of a run that wait for one of the `missing` keys, by the type they are about."""

    def __init__(self, policies: Sequence[Policy], missing: frozenset[str]) -> None:
        self.policies = policies  # kept, so that their identity stays theirs
        self._missing = missing
        self._policies_of: dict[str, list[Policy]] = {}
        for policy in policies if missing else ():
            self._policies_of.setdefault(policy.object, []).append(policy)
        self._known: dict[str, list[tuple[str, str]]] = {}

    def types(self) -> Iterable[str]:
        """Return the types that a policy may wait for facts of."""
        return [*self._policies_of]

    def of(self, object_type: str) -> Sequence[tuple[str, str]]:
        """Return the policies about a type that wait, by their ids, each with the key.

        To find out is work for each policy: it is left for types that have facts.
        """
        known = self._known.get(object_type)
        if known is None:
            known = self._known[object_type] = [
                (policy.id, key)
                for policy in self._policies_of[object_type]
                for key in policy.waits_for & self._missing
            ]
            if not known:
                del self._policies_of[object_type]
        return known


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
        waiters = self._waiters(policies, missing)
        for of_type in waiters.types():
            if not any(True for _ in facts.of(of_type)):
                continue
            for policy, key in waiters.of(of_type):
                if policy in matched or key in _OF_TYPE:
                    self._found.setdefault(key, set()).add(policy)

    def _waiters(self, policies: Sequence[Policy], missing: frozenset[str]) -> _Waiters:
        key = id(policies), missing
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _Waiters(policies, missing)
        return known

    def rules(self) -> dict[str, tuple[str, ...]]:
        """Return the ids of the rules that wait, in order, by what they wait for."""
        return {key: tuple(sorted(rules)) for key, rules in sorted(self._found.items())}
