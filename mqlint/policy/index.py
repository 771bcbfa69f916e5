"""Which policies can be about an object, found in a few look-ups for all of them together.

Most objects concern few policies. From each policy come clauses: necessary conditions, each a
few tests of attributes of which one must hold. Which clauses a value satisfies is worked out once
for each attribute and text; for an object the results are joined bit by bit, and policies with
the same bits are found in a dictionary. The policies that remain are then asked in full, so an
index can only save time, never change a verdict.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from mqlint.finding import Rule
from mqlint.language.mqsc import Form
from mqlint.model.core.action import family
from mqlint.model.core.fact import Fact
from mqlint.model.core.layer import Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import Value
from mqlint.model.facts.authority import SHARED, AuthorityFact, is_authority, shared_key
from mqlint.model.facts.registry import Facts
from mqlint.policy.clauses import OF_ALL, is_of_manager
from mqlint.policy.condition import ValueTest, value_test
from mqlint.policy.policy import Policy
from mqlint.policy.reading import reader
from mqlint.source.memo import Memo


class _Choice(NamedTuple):
    """Policies that may be about a fact: those that are for certain, and those to be asked."""

    sure: tuple[Policy, ...]
    asked: tuple[Policy, ...]


class Index:
    """The policies of a run, those about objects found by the object's values."""

    def __init__(self, policies: Iterable[Policy], limits: Rule | None = None) -> None:
        """Take the policies in the order in which they are to be asked.

        `limits` is the rule that tells what they leave undecided; None for one that is not told.
        """
        self.policies = tuple(policies)
        self.limits = limits
        self._of_type: dict[str, _OfType] = {}
        self._parts: dict[tuple[str, ...], Index] = {}
        self._types = tuple(dict.fromkeys(family(policy.object) for policy in self.policies))

    def only(self, wanted: Callable[[Policy], bool]) -> Index:
        """Return the index of those policies alone that are wanted; the same for the same ones."""
        chosen = tuple(filter(wanted, self.policies))
        if len(chosen) == len(self.policies):
            return self
        key = tuple(policy.id for policy in chosen)
        if key not in self._parts:
            self._parts[key] = Index(chosen)
        return self._parts[key]

    def matched(self, facts: Facts) -> Mapping[str, list[Fact]]:
        """Return the facts that each policy is about, by the policy's id."""
        matched: defaultdict[str, list[Fact]] = defaultdict(list)
        for object_type in self._types:
            for fact in facts.of(object_type):
                sure, asked = self._about(fact)
                for policy in sure:
                    matched[policy.id].append(fact)
                for policy in asked:
                    if policy.is_about(fact):
                        matched[policy.id].append(fact)
        return matched

    def _about(self, fact: Fact) -> _Choice:
        """The policies that can be about a fact; no other can."""
        of_type = self._of_type.get(fact.type)
        if of_type is None:
            kinds = (fact.type, family(fact.type))
            chosen = [policy for policy in self.policies if policy.object in kinds]
            of_type = self._of_type[fact.type] = _OfType(chosen)
        return of_type.about(fact) if isinstance(fact, MQObject) else of_type.about_any(fact)


class _OfType:
    """The index of one object type."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self.policies = tuple(policies)
        clauses = dict.fromkeys(clause for policy in policies for clause in policy.necessary)
        bits = {clause: 1 << number for number, clause in enumerate(clauses)}
        self._needs = [
            (sum(bits[clause] for clause in policy.necessary), policy) for policy in policies
        ]
        tests: dict[str, list[tuple[ValueTest, int]]] = {}
        for clause, bit in bits.items():
            for attribute, source in sorted(clause):
                test = value_test(json.loads(source))
                tests.setdefault(attribute, []).append((test, bit))
        columns = [_Column(*item) for item in tests.items()]
        self._columns = tuple(column for column in columns if not is_of_manager(column.attribute))
        self._shared = [column for column in columns if is_of_manager(column.attribute)]
        self._alike = [column for column in self._columns if column.attribute in SHARED]
        self._single = [column for column in self._columns if column not in self._alike]
        self._own_bits = _clauses_of(self._single)
        self._open: Memo[int, int] = Memo()
        self._of_alike: Memo[object, int] = Memo()
        self._of_manager: tuple[QueueManager | None, int] = (None, 0)
        self._chosen: Memo[int, _Choice] = Memo()
        self._plans: Memo[tuple[Form, tuple[object, ...] | None], _Plan] = Memo()

    def about(self, found: MQObject) -> _Choice:
        """Return the policies whose clauses all hold of an object for certain."""
        layer = found.sole_layer()
        return self._choice(self._of_any(found) if layer is None else self._of_one(found, layer))

    def _of_all(self, fact: Fact) -> int:
        """The clauses that hold of all facts of a queue manager, worked out once."""
        manager, satisfied = self._of_manager
        if manager is not fact.manager:
            satisfied = 0
            for column in self._shared:
                satisfied |= column.bits(column.read(fact))
            self._of_manager = fact.manager, satisfied
        return satisfied

    def _choice(self, satisfied: int) -> _Choice:
        choice = self._chosen.get(satisfied)
        if choice is None:
            chosen = [policy for needs, policy in self._needs if needs & satisfied == needs]
            sure = tuple(policy for policy in chosen if policy.is_told)
            asked = tuple(policy for policy in chosen if not policy.is_told)
            choice = self._chosen.keep(satisfied, _Choice(sure, asked))
        return choice

    def about_any(self, fact: Fact) -> _Choice:
        """Return the same of a fact that is no MQ object, by the values that are soon read."""
        satisfied = self._of_all(fact)
        if is_authority(fact):
            return self._about_authority(fact, satisfied)
        return self._choice(satisfied | self._of_values(fact, self._columns))

    def _about_authority(self, fact: AuthorityFact, satisfied: int) -> _Choice:
        """The same of an authority: most of a dump, and hardly one is at fault.

        So its own values are looked at only where what all that are alike have leaves a policy.
        """
        alike = shared_key(fact)
        bits = self._of_alike.get(alike)
        if bits is None:
            bits = self._of_alike.keep(alike, self._of_values(fact, self._alike))
        satisfied |= bits
        if self._in_question(satisfied, self._own_bits, self._open):
            satisfied |= self._of_values(fact, self._single)
        return self._choice(satisfied)

    def _in_question(self, satisfied: int, rest: int, known: Memo[int, int]) -> int:
        """The clauses among `rest` that decide on a policy, those in `satisfied` holding."""
        wanted = known.get(satisfied)
        if wanted is None:
            missing = [needs & ~satisfied for needs, _ in self._needs]
            wanted = 0
            for clauses in missing:
                wanted |= clauses if clauses & rest == clauses else 0
            known.keep(satisfied, wanted)
        return wanted

    @staticmethod
    def _of_values(fact: Fact, columns: Iterable[_Column]) -> int:
        """The clauses that hold of a fact's values."""
        satisfied = 0
        for column in columns:
            value = column.read(fact)
            bits = column.memo.get(value)
            if bits is None:
                bits = column.memo.keep(value, column.bits(value))
            satisfied |= bits
        return satisfied

    def _of_any(self, found: MQObject) -> int:
        """The clauses that hold of an object, each value worked out anew."""
        satisfied = self._of_all(found)
        for column in self._columns:
            satisfied |= column.bits(column.read(found))
        return satisfied

    def _of_one(self, found: MQObject, layer: Layer) -> int:
        """The same for an object that one command makes: its texts are mostly known.

        Clauses that decide on no policy are left out.
        """
        key = (layer.command.form, found.default_source())
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans.keep(key, self._plan(found, layer, *key))
        satisfied = plan.shared | self._of_texts(plan, layer.command.values, found)
        satisfied |= self._of_all(found)
        wanted = self._in_question(satisfied, plan.rest, plan.open)
        for column in plan.others if wanted else ():
            satisfied |= column.bits(column.read(found), wanted)
        return satisfied

    @staticmethod
    def _of_texts(plan: _Plan, values: list[str], found: MQObject) -> int:
        """The clauses that written texts satisfy: most objects have those of another one."""
        texts = plan.texts(values)
        known = plan.known.get(texts)
        if known is None:
            known = 0
            for slot, column in plan.written:
                bits = column.memo.get(values[slot])
                known |= column.learn(values[slot], found) if bits is None else bits
            plan.known.keep(texts, known)
        return known

    def _plan(
        self, found: MQObject, layer: Layer, form: Form, source: tuple[object, ...] | None
    ) -> _Plan:
        """How objects are looked at that one command of a form makes, with defaults of `source`.

        A word without parentheses says the same in each of them.
        """
        plan = _Plan()
        words, slots = layer.action.words, layer.action.slots
        for column in self._columns:
            attribute = column.attribute
            if attribute in slots:
                plan.written.append((slots[attribute], column))
            elif attribute in words:
                plan.shared |= column.bits(column.read(found))
            elif attribute in OF_ALL:
                plan.others.append(column)
            elif source is not None and attribute not in form.facts:
                bits = column.memo.get(source)
                plan.shared |= column.learn(source, found) if bits is None else bits
            else:
                plan.others.append(column)
        plan.rest = _clauses_of(plan.others)
        if plan.written:
            plan.texts = itemgetter(*(slot for slot, _ in plan.written))
        return plan


def _clauses_of(columns: Iterable[_Column]) -> int:
    """The clauses in which tests of some columns stand."""
    clauses = 0
    for column in columns:
        for _, bit in column.tests:
            clauses |= bit
    return clauses


def _no_texts(values: list[str]) -> object:
    return None


@dataclass(slots=True)
class _Plan:
    """How the objects of one form are looked at.

    `shared` are the clauses that hold of all of them, `written` the values that each has of its
    own, `others` the columns whose values are read anew, and `rest` the clauses in which these
    stand. `texts` takes those values from all of a command, `known` keeps the clauses that they
    satisfy together, and `open` by clauses that are satisfied those that then decide.
    """

    shared: int = 0
    texts: Callable[[list[str]], object] = _no_texts
    known: Memo[object, int] = field(default_factory=Memo)
    written: list[tuple[int, _Column]] = field(default_factory=list)
    others: list[_Column] = field(default_factory=list)
    rest: int = 0
    open: Memo[int, int] = field(default_factory=Memo)


class _Column:
    """One attribute: the tests on it, and the clauses that each raw text satisfies.

    `memo` also holds what defaults satisfy, under what they depend on.
    """

    __slots__ = ("attribute", "memo", "read", "tests")

    def __init__(self, attribute: str, tests: list[tuple[ValueTest, int]]) -> None:
        self.attribute = attribute
        self.read = reader(attribute)
        self.tests = tests
        self.memo: Memo[object, int] = Memo()

    def bits(self, value: Value, among: int = -1) -> int:
        """The clauses, all or some of them, that a value satisfies for certain."""
        satisfied = 0
        for test, bit in self.tests:
            if bit & among and test(value):
                satisfied |= bit
        return satisfied

    def learn(self, key: object, found: MQObject) -> int:
        """The same for an object's value, kept under the text or the source of its default."""
        return self.memo.keep(key, self.bits(self.read(found)))
