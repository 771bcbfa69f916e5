"""What each policy makes of one queue manager: fault, unknown, passed or not applicable.

Judging looks for faults alone, and the index skips all else. An auditor also asks what was
checked and is right, and what could not be decided. That is worked out here, apart from judging.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from mqlint.dataclass import NamedTuple, frozen
from mqlint.model.core.action import family
from mqlint.model.core.fact import Fact
from mqlint.model.core.shipped import is_of_platform
from mqlint.model.facts.registry import Facts
from mqlint.patterns import later
from mqlint.policy.compile.clauses import needs_of
from mqlint.policy.policy import Policy
from mqlint.policy.run.explain import NOT_KNOWN, ConditionEntry, ConditionPart, entries_of
from mqlint.policy.run.index import Index

_COMPARED = later(r'"key": "([^"]+)"')
_ALWAYS: Mapping[str, object] = {"required": {}}

Entries = tuple[ConditionEntry, ...]


@frozen
class UndecidedRule:
    """A rule that may find fault with a fact; `missing` is the first value that is not known.

    `fact` is None if the rule waits for a key of the configuration.
    """

    rule: str
    missing: str
    fact: Fact | None = None


@frozen
class Verdicts:
    """The ids of rules in the order of the rulebook, by what they make of a queue manager."""

    failed: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    not_applicable: tuple[str, ...] = ()
    unknown: tuple[UndecidedRule, ...] = ()


class PoliciesForVerdicts:
    """The policies that judge queue managers of some profiles, ready to be asked for verdicts."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self.policies = policies
        self._doubtful = Index(policies, is_open=True)
        self._matching = Index([_of_match(policy) for policy in policies])
        self._entries: dict[tuple[str, str], Entries] = {}
        self._of_type: dict[str, set[str]] = {}
        for policy in policies:
            self._of_type.setdefault(family(policy.object), set()).add(policy.id)

    def verdicts(
        self, facts: Facts, failed: Collection[str], waiting: Mapping[str, str]
    ) -> Verdicts:
        """Return what the policies make of a queue manager.

        `failed` are the rules that found fault with it, `waiting` those that lack a key of the
        configuration, with the key: without it they may apply to nothing.
        """
        foreign: set[str] = set()
        unknown = {found.rule: found for found in self._open(facts, {*failed}, foreign)}
        matched = self._matched(facts, {*failed, *unknown, *foreign})
        for rule in waiting.keys() - matched - unknown.keys() - set(failed):
            unknown[rule] = UndecidedRule(rule, waiting[rule])
        order = [policy.id for policy in self.policies]
        others = [rule for rule in order if rule not in failed and rule not in unknown]
        return Verdicts(
            tuple(rule for rule in order if rule in failed),
            tuple(rule for rule in others if rule in matched),
            tuple(rule for rule in others if rule not in matched),
            tuple(unknown[rule] for rule in order if rule in unknown),
        )

    def _open(self, facts: Facts, decided: set[str], foreign: set[str]) -> Iterator[UndecidedRule]:
        """The policies that may find fault with a fact, each with the first such fact.

        To `foreign` those are added that ask an attribute which the platform does not have. If
        they ask it of all facts of a type, one of these is enough.
        """
        never: set[tuple[str, str]] = set()
        for object_type in self._doubtful.types:
            for fact in facts.of(object_type):
                for policy in self._doubtful.about(fact):
                    if policy.id in decided or (policy.id, fact.type) in never:
                        continue
                    missing = self._missing(policy, fact, facts)
                    if missing is not None and missing.is_foreign:
                        foreign.add(policy.id)
                        never.update([(policy.id, fact.type)] if missing.is_of_all else ())
                    elif missing is not None:
                        decided.add(policy.id)
                        yield UndecidedRule(policy.id, missing.name, fact)

    def _missing(self, policy: Policy, fact: Fact, facts: Facts) -> _Missing | None:
        """The unknown values that are needed to say that a policy finds no fault with a fact."""
        about = policy.about(fact)
        if about is False:
            return None
        missing = policy.kind.missing(fact, facts)
        in_check = self._in_check(missing, policy, fact)
        if about is True:
            return in_check
        if missing is None and not policy.kind.looks_for:
            is_fault = any(True for _ in policy.kind.local(fact, facts))
            if not is_fault:
                return None
        in_match = [*_open(self._entries_of(policy, "match"), fact)]
        for part, name in in_match:
            if _needs_value(part) and not _is_of_platform(name, fact):
                return _Missing(name, is_foreign=True, is_of_all=True)
        if in_check is not None and in_check.is_foreign:
            return in_check
        in_unless = _open(self._entries_of(policy, "unless"), fact)
        names = [name for _, name in (*in_match, *in_unless)]
        return _Missing(_of_platform_first(names, fact) or policy.object)

    def _in_check(self, missing: str | None, policy: Policy, fact: Fact) -> _Missing | None:
        if missing is None:
            return None
        names = [missing]
        if missing == "":
            names = [name for _, name in _open(self._entries_of(policy, "required"), fact)]
        name = _of_platform_first(names, fact) or "a value"
        return _Missing(name, not _is_of_platform(name, fact), is_of_all=missing != "")

    def _entries_of(self, policy: Policy, clause: str) -> Entries:
        """The entries of a condition, which are made once for all facts."""
        found = self._entries.get((policy.id, clause))
        if found is None:
            source = policy.source["check"] if clause == "required" else policy.source
            found = self._entries[policy.id, clause] = entries_of(source.get(clause) or {})
        return found

    def _matched(self, facts: Facts, decided: set[str]) -> set[str]:
        matched: set[str] = set()
        for object_type in self._matching.types:
            waiting = self._of_type.get(object_type, set()) - decided
            for fact in facts.of(object_type) if waiting else ():
                for policy in self._matching.about(fact):
                    if policy.id in waiting and policy.is_about(fact):
                        matched.add(policy.id)
                        waiting.discard(policy.id)
                if not waiting:
                    break
        return matched


def _is_of_platform(key: str, fact: Fact) -> bool:
    """Whether the platform of a fact has an attribute, by its key; True if that is not known."""
    attribute = key.removeprefix("qmgr.")
    object_type = fact.type if attribute == key else "qmgr"
    return is_of_platform(fact.manager.vocabulary, fact.manager.target, object_type, attribute)


def _of_match(policy: Policy) -> Policy:
    """The policy with the clauses of its `match` and `unless` alone, whatever its check says."""
    source = {**policy.source, "kind": "attributes", "check": _ALWAYS}
    return replace(policy, clauses=needs_of(source).clauses)


class _Missing(NamedTuple):
    """The name of a value that is not known.

    `is_foreign` if the platform does not have it, so that the rule does not apply; `is_of_all`
    if the rule asks all facts of the type for it.
    """

    name: str
    is_foreign: bool = False
    is_of_all: bool = False


def _of_platform_first(names: Sequence[str], fact: Fact) -> str:
    """The first name of an attribute that the platform has, else the first; blank for none."""
    return next((name for name in names if _is_of_platform(name, fact)), next(iter(names), ""))


def _needs_value(part: ConditionPart) -> bool:
    """Whether an entry asks for a value, which an attribute that does not exist cannot have."""
    return bool(part.test) and not part.test.startswith("{") and '""' not in part.test


def _open(condition: Entries, fact: Fact) -> Iterator[tuple[ConditionPart, str]]:
    """The entries that leave a condition open, each with the values that it lacks."""
    for entry in condition:
        part = entry.part(fact)
        yield from ((part, name) for name in _open_in(part))


def _open_in(part: ConditionPart) -> Iterator[str]:
    if part.truth is not None:
        return
    if part.parts:
        for inner in part.parts:
            yield from _open_in(inner)
    elif part.value == NOT_KNOWN:
        yield part.key
    elif part.value:  # it is compared with a value that is not known
        compared = _COMPARED.search(part.test)
        yield compared[1] if compared else f"{part.key} {part.test}"
    else:
        yield part.test
