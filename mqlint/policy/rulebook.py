"""All rules of a run: those that readers and checkers report, and the policies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import field
from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

from mqlint.computed import LazyMapping
from mqlint.config.errors import guess
from mqlint.dataclass import frozen
from mqlint.finding import Rule
from mqlint.policy.compile.build import Compiled, build_policy, build_rule
from mqlint.policy.compile.head import Head, head_of
from mqlint.policy.language.parameters import Parameter, fault, parameters_of, settled, with_values
from mqlint.policy.policy import Policy
from mqlint.policy.run.index import Index
from mqlint.source.digest import json_digest

if TYPE_CHECKING:
    from mqlint.config.node import Plain
    from mqlint.config.settings import ParameterValue


DESCRIPTIVE = (
    *("name", "group", "summary", "why", "fix", "more", "see", "messages", "covers"),
    "repair",
)
"""The keys of a compiled policy that do not judge, needed when a rule is reported or fixed."""


@frozen
class Stored:
    """Policies as they are stored, each by its id: most of them are not read in a run.

    `judging` has what judges in JSON, or compiled policies, `needs` the preconditions as
    `storable_needs` gives them. `descriptions` returns in JSON the keys `DESCRIPTIVE` that
    compiled policies omit.
    """

    heads: Mapping[str, Head] = field(default_factory=dict)
    judging: Mapping[str, str | Compiled] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)
    descriptions: Callable[[], Mapping[str, str]] = dict

    def with_compiled(self, policies: Iterable[Compiled]) -> Stored:
        """Return these policies and others, which take the places of those with their ids."""
        others = {policy["id"]: policy for policy in policies}
        return Stored(
            {key: head for key, head in self.heads.items() if key not in others},
            {**self.judging, **others},
            {key: needs for key, needs in self.needs.items() if key not in others},
            self.descriptions,
        )


class Rulebook:
    """The rules by id and by diagnostic code, and the policies in order of their ids."""

    def __init__(self, compiled: Iterable[Compiled], stored: Stored | None = None) -> None:
        """Take compiled policies, and those `stored` with other ids.

        A later one of an id takes the place of an earlier one.
        """
        self._stored = (stored or Stored()).with_compiled(compiled)
        self._compiled = LazyMapping(self._stored.judging, _read)
        self._shared: Rulebook | None = None

    @classmethod
    def extended(cls, shared: Rulebook, own: Iterable[Compiled]) -> Rulebook:
        """Return the rules of `shared` and those that one repository has of its own.

        What is built of the shared ones is built once for all that extend them. No id is in both.
        """
        extended = cls(own, shared._stored)
        extended._shared = shared
        return extended

    @cached_property
    def own(self) -> frozenset[str]:
        """The ids of the rules that only one repository has."""
        if self._shared is None:
            return frozenset()
        return frozenset(self._compiled.keys() - self._shared._compiled.keys())

    def tuned(self, parameters: Iterable[ParameterValue]) -> Rulebook:
        """Return the rulebook with the values that a configuration sets for parameters.

        ConfigError at the first that is of no rule, unknown, or of another type.
        """
        values: dict[str, dict[str, Plain]] = {}
        for parameter in parameters:
            self._check(parameter)
            values.setdefault(parameter.rule, {})[parameter.name] = parameter.value
        if not values:
            return self
        changed = (with_values(self._compiled[key], found) for key, found in values.items())
        return Rulebook(changed, self._stored)

    def _check(self, setting: ParameterValue) -> None:
        compiled = self._compiled.get(setting.rule)
        if compiled is None:
            raise setting.error(f"rule {setting.rule!r} does not exist", self._compiled)
        known = {parameter.name: parameter.type for parameter in parameters_of(compiled)}
        if not known:
            raise setting.error(f"{setting.rule} has no parameters")
        if setting.name not in known:
            raise setting.error(f"{setting.rule} has no parameter {setting.name!r}", known)
        wrong = fault(known[setting.name], setting.value)
        if wrong is not None:
            raise setting.error(f"{setting.rule} {setting.name}: {wrong}")

    def parameters(self, rule: str) -> tuple[Parameter, ...]:
        return parameters_of(self._compiled[rule])

    def compiled_rule(self, rule: str) -> Compiled:
        """Return the plain form of one rule, with values instead of its parameters."""
        return self._whole(self._settled[rule])

    def _whole(self, compiled: Compiled) -> Compiled:
        return (
            compiled
            if "why" in compiled
            else {**compiled, **json.loads(self._descriptions[compiled["id"]])}
        )

    @cached_property
    def _settled(self) -> Mapping[str, Compiled]:
        """The compiled policies with values instead of their parameters, in order of ids."""
        known = {} if self._shared is None else self._shared._settled
        return LazyMapping(
            {key: key for key in sorted(self._compiled)},
            lambda key: known[key] if key in known else settled(self._compiled[key]),
        )

    @cached_property
    def heads(self) -> Mapping[str, Head]:
        """What is known of each rule before its text is read, in order of their ids."""
        known = self._stored.heads
        return {key: known.get(key) or head_of(self._compiled[key]) for key in self._settled}

    @cached_property
    def _descriptions(self) -> Mapping[str, str]:
        return self._stored.descriptions()

    @property
    def read(self) -> Set[str]:
        """The ids of the policies whose texts were needed."""
        return self._compiled.computed

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        return LazyMapping(self._settled, self._rule)

    def _rule(self, compiled: Compiled) -> Rule:
        if self._shared is not None and compiled["id"] not in self.own:
            return self._shared.rules[compiled["id"]]
        return build_rule(self._whole(compiled))

    def unknown(self, ids: Iterable[str]) -> Iterator[str]:
        """Yield for each id that no rule has what to say of it."""
        for rule in ids:
            if rule not in self.rules:
                yield f"rule {rule!r} does not exist{guess(rule, self.rules)}"

    @cached_property
    def by_code(self) -> Mapping[str, Rule]:
        codes = {head.code: key for key, head in self.heads.items() if head.code}
        return LazyMapping(codes, self.rules.__getitem__)

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        built = {} if self._shared is None else self._shared.policies_by_id
        return tuple(
            built.get(key)
            or build_policy(
                head,
                partial(self._settled.__getitem__, key),
                partial(self.rules.__getitem__, key),
                self._stored.needs.get(key, ""),
            )
            for key, head in self.heads.items()
            if not head.code
        )

    @cached_property
    def index(self) -> Index:
        return Index(self.policies, partial(self.by_code.get, "beyond-limits"))

    @cached_property
    def own_index(self) -> Index:
        """The policies that only one repository has, found by what they are about."""
        return Index([policy for policy in self.policies if policy.id in self.own])

    @cached_property
    def policies_by_id(self) -> Mapping[str, Policy]:
        return {policy.id: policy for policy in self.policies}

    @cached_property
    def compiled(self) -> tuple[Compiled, ...]:
        """The plain form of all rules, to send to other machines."""
        return tuple(self._whole(value) for value in self._compiled.values())

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """The SHA-256 of the plain form of each rule."""
        return {value["id"]: json_digest(value) for value in self.compiled}

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all rules."""
        return json_digest(self.digests)


def _read(stored: str | Compiled) -> Compiled:
    return cast("Compiled", json.loads(stored)) if isinstance(stored, str) else stored
