"""Which rules have something to judge, and are silent because the configuration lacks a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mqlint.config.settings import Settings
from mqlint.model.core.fact import Fact
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.waits import JOBS, MIGRATION, OBJECTS, QUEUE_MANAGERS, SITES
from mqlint.policy.policy import Policy

_OF_TYPE = frozenset({SITES, MIGRATION})
"""Keys without which a policy is about no fact at all."""


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

    def note(
        self, policies: Sequence[Policy], matched: Mapping[str, Sequence[Fact]], facts: Facts
    ) -> None:
        """Take in the policies that judge a queue manager; `matched` are the facts of each."""
        missing = self._missing
        if facts.manager.site is not None:
            missing -= {SITES}
        if not facts.manager.key.anonymous:
            missing -= {QUEUE_MANAGERS}
        is_there: dict[str, bool] = {}
        for policy in policies if missing else ():
            of_type = policy.object
            if of_type not in is_there:
                is_there[of_type] = any(True for _ in facts.of(of_type))
            if not is_there[of_type]:
                continue
            for key in policy.waits_for & missing:
                if policy.id in matched or key in _OF_TYPE:
                    self._found.setdefault(key, set()).add(policy.id)

    def rules(self) -> dict[str, tuple[str, ...]]:
        """Return the ids of the rules that wait, in order, by what they wait for."""
        return {key: tuple(sorted(rules)) for key, rules in sorted(self._found.items())}
