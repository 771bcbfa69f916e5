"""All rules of a run: those that readers and checkers report, and the policies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from mqlint.finding import Rule
from mqlint.policy.build import Compiled, build_policy, build_rule
from mqlint.policy.index import Index
from mqlint.policy.policy import Policy


class Rulebook:
    """The rules by id and by diagnostic code, and the policies in order of their ids."""

    def __init__(self, compiled: Iterable[Compiled]) -> None:
        """Take the compiled policies; a later one of an id takes the place of an earlier one."""
        self._compiled = {one["id"]: one for one in compiled}

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule by its id, in order."""
        return {key: build_rule(self._compiled[key]) for key in sorted(self._compiled)}

    @cached_property
    def by_code(self) -> Mapping[str, Rule]:
        """The rule of each diagnostic code."""
        return {
            one["check"]: self.rules[key]
            for key, one in self._compiled.items()
            if one["kind"] == "diagnostic"
        }

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        """The policies, in order of their ids."""
        return tuple(
            build_policy(self._compiled[key])
            for key in sorted(self._compiled)
            if self._compiled[key]["kind"] != "diagnostic"
        )

    @cached_property
    def index(self) -> Index:
        """The policies, found by what they are about."""
        return Index(self.policies)

    @cached_property
    def policies_by_id(self) -> Mapping[str, Policy]:
        """The policies by id."""
        return {policy.rule.id: policy for policy in self.policies}

    @property
    def compiled(self) -> list[Compiled]:
        """The plain form of all rules, to send to other machines."""
        return list(self._compiled.values())
