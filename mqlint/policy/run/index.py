"""Which policies can be about an object, found in a few look-ups for all of them together.

Most objects concern few policies. From each policy come clauses: necessary conditions, each a
few tests of attributes of which one must hold. Which clauses a value satisfies is worked out once
for each attribute and value; for a fact the results are joined bit by bit, and the policies of
the same bits are found in a dictionary. The policies that remain are then asked in full, so an
index can only save time, never change a verdict.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import TypeVar

from mqlint.computed import Computed
from mqlint.dataclass import NamedTuple
from mqlint.finding import Rule
from mqlint.grouping import grouped
from mqlint.model.core.action import family
from mqlint.model.core.fact import Fact, FormedFact
from mqlint.model.core.layer import Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import Value
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.model.facts.security.authority import SHARED, is_authority, shared_key
from mqlint.model.facts.security.grant import types_of_records
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.clauses import OF_ALL, is_of_manager
from mqlint.policy.compile.logic import Truth
from mqlint.policy.compile.operators import Test as TextTest
from mqlint.policy.compile.predicate import ValueTest, text_test, value_test
from mqlint.policy.policy import Policy
from mqlint.source.memo import ComputedMemo, Memo

T = TypeVar("T")

_RECORDS = "authrec"
_ADDED_AND_TAKEN = frozenset({_RECORDS})
"""Types of objects with a list to which one command may add and from which it may take."""


class _Choice(NamedTuple):
    """Policies that may be about a fact: those that are for certain, and those to be asked."""

    sure: tuple[Policy, ...]
    asked: tuple[Policy, ...]


class _Alike(NamedTuple):
    """What is known of the facts of a queue manager whose repeated values satisfy the same clauses.

    `satisfied` are these clauses and those of the queue manager, `left` the columns of values that
    differ from fact to fact and may decide. Without such, `choice` is that of all these facts.
    """

    satisfied: int
    left: Sequence[_Column]
    choice: _Choice


class _OfForm(NamedTuple):
    """The columns of facts of one form, or of objects whose commands have one form.

    `written` have their values at a slot of the command, `shown` in a comment of a dump, `others`
    in another way. `satisfied` are the clauses of what the form omits, and of words without values.
    """

    written: Sequence[tuple[_Column, int]]
    shown: Sequence[tuple[_Column, int]]
    others: Sequence[_Column]
    satisfied: int


class Index:
    """The policies of a run, those about objects found by the object's values."""

    def __init__(
        self,
        policies: Iterable[Policy],
        limits: Callable[[], Rule | None] = lambda: None,
        *,
        is_open: bool = False,
    ) -> None:
        """Take the policies in the order in which they are to be asked.

        `limits` returns the rule that reports what they leave undecided, None if nothing does. With
        `is_open` clauses count that may hold, because a value is unknown.
        """
        self.policies = tuple(policies)
        self.limits = limits
        self._is_open = is_open
        self._of_type = Computed(self._policies_of)
        self._subsets: dict[tuple[str, ...], Index] = {}
        self._chosen: dict[Hashable, Index] = {}
        self._possible: Memo[frozenset[str], Sequence[str]] = Memo()
        # Authority records are last: what their commands say is known before objects are made.
        types = dict.fromkeys(family(policy.object) for policy in self.policies)
        self._types = tuple(sorted(types, key=_RECORDS.__eq__))
        self._numbers = {policy.id: number for number, policy in enumerate(self.policies)}
        self._offering = frozenset(policy.id for policy in self.policies if policy.offers)

    def only(self, wanted: Callable[[Policy], bool], key: Hashable) -> Index:
        """Return the index of those policies alone that are wanted; the same for the same ones.

        `key` says which those are: with an equal one nothing is asked again.
        """
        found = self._chosen.get(key)
        if found is None:
            found = self._chosen[key] = self._only(tuple(filter(wanted, self.policies)))
        return found

    def _only(self, chosen: tuple[Policy, ...]) -> Index:
        if len(chosen) == len(self.policies):
            return self
        key = tuple(policy.id for policy in chosen)
        if key not in self._subsets:
            self._subsets[key] = Index(chosen)
        return self._subsets[key]

    def prepare(self) -> None:
        """Make the policies and their tests ready before any fact is met."""
        for policy in self.policies:
            policy.prepare()
            for _, source in (literal for clause in policy.necessary for literal in clause):
                _tests_of(source)

    @property
    def types(self) -> Sequence[str]:
        return self._types

    def about(self, fact: Fact) -> Sequence[Policy]:
        """Return the policies that can be about a fact, by their clauses alone."""
        sure, asked = self._about(fact)
        return (*sure, *asked)

    def matched(self, facts: Facts) -> Mapping[str, list[Fact]]:
        """Return the facts that each policy is about, by the policy's id."""
        matched: defaultdict[str, list[Fact]] = defaultdict(list)
        for object_type in self._possible_types(facts):
            is_records = object_type == _RECORDS
            for fact in self._records(facts) if is_records else facts.of(object_type):
                sure, asked = self._about(fact)
                for policy in sure:
                    matched[policy.id].append(fact)
                for policy in asked:
                    if policy.is_about(fact):
                        matched[policy.id].append(fact)
        return matched

    def _records(self, facts: Facts) -> Iterable[Fact]:
        """The authority records that a policy can be about.

        Most commands of a dump are authority records, and most policies about them are about those
        of some types of objects, or queue managers of some roles. No objects are built of others.
        """
        types = types_of_records(facts.manager)
        if types is None:
            return facts.of(_RECORDS)
        of_type, own = self._of_type[_RECORDS], qmgr_of(facts.manager)
        wanted = {each for each in types if of_type.may_have(own, "OBJTYPE", each)}
        return facts.manager.records_about(wanted) if wanted else ()

    def _possible_types(self, facts: Facts) -> Sequence[str]:
        """The types of which a queue manager may have facts, found once for equal inputs."""
        inputs = facts.inputs
        found = self._possible.get(inputs)
        return self._possible.store(inputs, facts.possible(self._types)) if found is None else found

    def to_ask(self, matched: Iterable[str], *, offering: bool) -> list[Policy]:
        """Return the policies with these ids in order; with `offering` also all that offer."""
        return self.of_ids(self._offering.union(matched) if offering else matched)

    def of_ids(self, ids: Iterable[str]) -> list[Policy]:
        return [self.policies[number] for number in sorted(map(self._numbers.__getitem__, ids))]

    @cached_property
    def by_type(self) -> Mapping[str, Sequence[Policy]]:
        """The policies by the type of facts that they are about, as they name it."""
        return grouped((policy.object, policy) for policy in self.policies)

    def _about(self, fact: Fact) -> _Choice:
        """The policies that can be about a fact; no other can."""
        of_type = self._of_type[fact.type]
        return of_type.about(fact)

    def _policies_of(self, object_type: str) -> _OfType:
        kinds = (object_type, family(object_type))
        chosen = [policy for policy in self.policies if policy.object in kinds]
        return _OfType(chosen, _is_single_of(object_type), self._is_open)


class _OfType:
    def __init__(
        self, policies: Sequence[Policy], is_single: Callable[[str], bool], is_open: bool
    ) -> None:
        """`is_single`: whether the values of an attribute differ from fact to fact."""
        clauses = dict.fromkeys(clause for policy in policies for clause in policy.necessary)
        bits = {clause: 1 << number for number, clause in enumerate(clauses)}
        self._needs = [
            (sum(bits[clause] for clause in policy.necessary), policy) for policy in policies
        ]
        tests: dict[str, list[_Test]] = {}
        for clause, bit in bits.items():
            for attribute, source in sorted(clause):
                of_value, of_text = _tests_of(source)
                if is_open:
                    of_value, of_text = partial(_may_hold, of_value), partial(_may_hold, of_text)
                tests.setdefault(attribute, []).append(_Test(of_value, of_text, bit))
        columns = [_Column(*item) for item in tests.items()]
        self._of_manager = [column for column in columns if is_of_manager(column.attribute)]
        of_fact = [column for column in columns if column not in self._of_manager]
        self._single = [column for column in of_fact if is_single(column.attribute)]
        self._repeated = [column for column in of_fact if column not in self._single]
        self._single_bits = _bits_in(self._single)
        self._undecided = self._single_bits | _bits_in(self._of_manager)
        self._manager: QueueManager | None = None
        self._alike: dict[int, _Alike] = {}
        self._deciding = ComputedMemo(self._columns_that_decide)
        self._bits_alike: Memo[object, int] = Memo()
        self._of_form: Memo[Hashable, _OfForm] = Memo()
        self._open = ComputedMemo(self._columns_left)
        self._choices = ComputedMemo(self._choice)

    def about(self, fact: Fact) -> _Choice:
        """Return the policies whose clauses all hold of a fact for certain."""
        if fact.manager is not self._manager:
            self._manager, self._alike = fact.manager, {}
        satisfied = self._bits_of_repeated(fact)
        alike = self._alike.get(satisfied)
        if alike is None:
            alike = self._alike[satisfied] = self._alike_to(fact, satisfied)
        if not alike.left:
            return alike.choice
        satisfied = alike.satisfied
        if not isinstance(fact, MQObject):
            return self._choices[satisfied | _bits(fact, alike.left)]
        for column in alike.left:  # names differ, so their results are not stored
            satisfied |= column.bits_of(column.read(fact))
        return self._choices[satisfied]

    def _alike_to(self, fact: Fact, satisfied: int) -> _Alike:
        satisfied |= _bits(fact, self._deciding[satisfied])
        return _Alike(satisfied, self._open[satisfied], self._choices[satisfied])

    def _choice(self, satisfied: int) -> _Choice:
        chosen = [policy for needs, policy in self._needs if needs & satisfied == needs]
        sure = tuple(policy for policy in chosen if policy.is_exact)
        return _Choice(sure, tuple(policy for policy in chosen if not policy.is_exact))

    def may_have(self, of_manager: Fact, attribute: str, value: str) -> bool:
        """Whether a policy can be about a fact whose `attribute` has this value.

        `of_manager` is any fact of its queue manager.
        """
        satisfied = _bits(of_manager, self._of_manager)
        for column in (*self._single, *self._repeated):
            is_known = column.attribute == attribute
            satisfied |= column.bits_of(value) if is_known else _bits_in((column,))
        return any(needs & satisfied == needs for needs, _ in self._needs)

    def _columns_that_decide(self, satisfied: int) -> Sequence[_Column]:
        """The columns of the queue manager without which a policy is left open."""
        left = self._clauses_left(satisfied, self._undecided)
        return [each for each in self._of_manager if _bits_in((each,)) & left]

    def _bits_of_repeated(self, fact: Fact) -> int:
        """The clauses that hold of values that many facts have, once for facts that are alike."""
        if isinstance(fact, MQObject):
            return self._bits_of_object(fact)
        if isinstance(fact, FormedFact):
            known = self._of_form.get(fact.form)
            if known is None:
                known = self._of_form.store(fact.form, self._split_of(fact, fact.writes))
            return known.satisfied | _bits(fact, known.others) if known.others else known.satisfied
        key = shared_key(fact) if is_authority(fact) else None
        if key is None:
            return _bits(fact, self._repeated)
        satisfied = self._bits_alike.get(key)
        if satisfied is None:
            satisfied = self._bits_alike.store(key, _bits(fact, self._repeated))
        return satisfied

    def _bits_of_object(self, found: MQObject) -> int:
        """The clauses that hold of an object; those of what its command omits once for a form."""
        layer = None if found.type in _ADDED_AND_TAKEN else found.sole_layer()
        source = None if layer is None else found.default_source()
        if layer is None or source is None:
            return _bits(found, self._repeated)
        known = self._of_form.get((layer.command.form, source))
        if known is None:
            known = self._of_form.store((layer.command.form, source), self._split(found, layer))
        satisfied = known.satisfied
        values = layer.command.values
        for column, slot in known.written:
            raw = values[slot]
            # A template or a secret is a text of another type.
            bits = column.of_text.get(raw) if type(raw) is str else _bits(found, (column,))
            if bits is None:
                bits = column.of_text.store(raw, _bits(found, (column,)))
            satisfied |= bits
        for column, hole in known.shown:
            raw = layer.command.raw[hole]
            bits = column.of_comment.get(raw) if type(raw) is str else _bits(found, (column,))
            if bits is None:
                bits = column.of_comment.store(raw, _bits(found, (column,)))
            satisfied |= bits
        return satisfied | _bits(found, known.others) if known.others else satisfied

    def _split(self, found: MQObject, layer: Layer) -> _OfForm:
        """Divide the columns by where commands of one form have their values."""
        slots, holes = layer.action.slots, layer.command.form.facts
        written: list[tuple[_Column, int]] = []
        shown: list[tuple[_Column, int]] = []
        others: list[_Column] = []
        fixed: list[_Column] = []
        for column in self._repeated:
            word = column.word
            if word in slots:
                written.append((column, slots[word]))
            elif word in layer.action.words:
                (others if word in layer.action.repeated else fixed).append(column)
            elif word in holes:
                shown.append((column, holes[word]))
            else:
                fixed.append(column)
        return _OfForm(written, shown, others, _bits(found, fixed))

    def _split_of(self, fact: Fact, writes: Callable[[str], bool]) -> _OfForm:
        """Divide the columns by whether facts of one form have different values of them."""
        written = [column for column in self._repeated if writes(column.attribute)]
        fixed = [column for column in self._repeated if column not in written]
        return _OfForm((), (), written, _bits(fact, fixed))

    def _columns_left(self, satisfied: int) -> Sequence[_Column]:
        """The fact's own values that alone decide on a policy: for most facts there are none."""
        left = self._clauses_left(satisfied, self._single_bits)
        found = [each.only(left) for each in self._single]
        return [each for each in found if each.tests]

    def _clauses_left(self, satisfied: int, undecided: int) -> int:
        """Return the clauses that policies lack of which only undecided ones are missing."""
        left = 0
        for needs, _ in self._needs:
            missing = needs & ~satisfied
            if not missing & ~undecided:
                left |= missing
        return left


@lru_cache(maxsize=4096)
def _tests_of(source: str) -> tuple[ValueTest, TextTest]:
    """The tests of a literal, the same for all indexes: most are in several of them."""
    read = json.loads(source)
    return value_test(read), text_test(read)


def _may_hold(test: Callable[[T], Truth], value: T) -> bool:
    return test(value) is not False


def _is_single_of(object_type: str) -> Callable[[str], bool]:
    if object_type == "authority":
        return lambda attribute: attribute not in SHARED
    return OF_ALL.__contains__


class _Test(NamedTuple):
    """A test of values of an attribute, the same for a text, and the clause that it satisfies."""

    of_value: ValueTest
    of_text: TextTest
    bit: int


class _Column:
    """One attribute: the tests on it, and the clauses that each value, or its text, satisfies.

    `word` is the attribute without a suffix, as commands write it. `of_comment` is for texts of
    attributes that a dump writes as comments: a list is none there.
    """

    __slots__ = ("attribute", "memo", "of_comment", "of_text", "read", "tests", "word")

    def __init__(self, attribute: str, tests: list[_Test]) -> None:
        self.attribute = attribute
        self.word = attribute.partition(".")[0]
        self.read = reader(attribute)
        self.tests = tests
        self.memo = ComputedMemo(self.bits_of)
        self.of_text: Memo[str, int] = Memo()
        self.of_comment: Memo[str, int] = Memo()

    def only(self, clauses: int) -> _Column:
        return _Column(self.attribute, [each for each in self.tests if each.bit & clauses])

    def bits_of(self, value: Value) -> int:
        """Return the clauses that a value satisfies for certain."""
        bits = 0
        if isinstance(value, str):
            for _, test, bit in self.tests:
                if test(value):
                    bits |= bit
        else:
            for of_value, _, bit in self.tests:
                if of_value(value):
                    bits |= bit
        return bits


def _bits_in(columns: Iterable[_Column]) -> int:
    """The clauses that have a test on one of the columns."""
    bits = 0
    for column in columns:
        for test in column.tests:
            bits |= test.bit
    return bits


def _bits(fact: Fact, columns: Iterable[_Column]) -> int:
    """The clauses that hold of a fact's values for certain."""
    satisfied = 0
    for column in columns:
        satisfied |= column.memo[column.read(fact)]
    return satisfied
