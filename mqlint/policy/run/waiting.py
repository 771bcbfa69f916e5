"""Which rules have something to judge, and are silent because the configuration lacks a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.config.settings import Settings
from mqlint.model.core.fact import Fact
from mqlint.model.facts.registry import Facts
from mqlint.model.facts.security.grant import have_a_command_each
from mqlint.policy.compile.waits import JOBS, MIGRATION, OBJECTS, QUEUE_MANAGERS, SITES
from mqlint.policy.policy import Policy
from mqlint.policy.run.index import Index

_OF_TYPE = frozenset({SITES, MIGRATION})
"""Keys without which a policy is about no fact at all."""


def _are_any(object_type: str, facts: Facts) -> bool:
    """Whether there are facts of a type; no authority records are built to find that out."""
    are_records = object_type == "authrec" and have_a_command_each(facts.manager)
    return are_records or next(facts.of(object_type), None) is not None


class _Waiters:
    """Policies of a run that wait for one of the `missing` keys.

    `unmet` are the policies by the type that they are about, of types of which no queue manager
    had facts so far: to find out what policies wait for is work. `matching` are the keys that
    policies about other types wait for if they are about a fact.
    """

    def __init__(self, index: Index, missing: frozenset[str]) -> None:
        self.index = index  # kept, so that its identity stays its own
        self._missing = missing
        self.unmet: dict[str, Sequence[Policy]] = dict(index.by_type) if missing else {}
        self.matching: dict[str, frozenset[str]] = {}

    def meet(self, object_type: str) -> Iterator[tuple[str, str]]:
        """Yield the policies about a type that has facts, with keys that all its policies need."""
        for policy in self.unmet.pop(object_type):
            keys = policy.waits_for & self._missing
            yield from ((policy.id, key) for key in keys & _OF_TYPE)
            if keys - _OF_TYPE:
                self.matching[policy.id] = keys - _OF_TYPE


class Waiting:
    """Collects the rules that wait for something while queue managers are judged."""

    def __init__(self, settings: Settings) -> None:
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

    def note(self, index: Index, matched: Mapping[str, Sequence[Fact]], facts: Facts) -> None:
        """Take in the policies that judge a queue manager; `matched` are the facts of each."""
        missing = self._missing
        if facts.manager.site is not None:
            missing -= {SITES}
        if not facts.manager.key.anonymous:
            missing -= {QUEUE_MANAGERS}
        waiters = self._waiters(index, missing)
        possible = facts.possible(waiters.unmet)
        met = [kind for kind in possible if _are_any(kind, facts)]
        for policy, key in (waiting for kind in met for waiting in waiters.meet(kind)):
            self._found.setdefault(key, set()).add(policy)
        for policy in waiters.matching.keys() & matched.keys():
            for key in waiters.matching[policy]:
                self._found.setdefault(key, set()).add(policy)

    def _waiters(self, index: Index, missing: frozenset[str]) -> _Waiters:
        key = id(index), missing
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _Waiters(index, missing)
        return known

    def rules(self) -> dict[str, tuple[str, ...]]:
        """Return the ids of the rules that wait, in order, by what they wait for."""
        return {key: tuple(sorted(rules)) for key, rules in sorted(self._found.items())}
