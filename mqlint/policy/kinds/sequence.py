"""The kind `sequence`: do the steps of one procedure come in a right order?

A step is wrong when another that is required before or after it is certainly missing, or one that
is forbidden there certainly comes. A step between the two that undoes the other one cancels it. All
this is worked out once for a whole procedure, in one walk over its steps.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import chain, product
from operator import itemgetter
from posixpath import dirname
from typing import Any

from mqlint.dataclass import frozen
from mqlint.finding import Related
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.model.procedure.procedure import Procedure, procedures
from mqlint.model.procedure.step_facts import StepFact
from mqlint.model.procedure.steps import all_steps, policy_steps
from mqlint.policy.compile.logic import Truth, all_of, any_of, negate
from mqlint.policy.compile.predicate import Condition
from mqlint.policy.kinds.related import Named
from mqlint.policy.policy import Kind, Violation

SIDES = ("before", "after", "beside")
REACHES = ("procedure", "read", "queue_manager")
MANY = 32
"""So many steps whose binding is not known make that nothing is."""
_BITS = 31
"""Two offsets of a place are one number, which an array stores in 8 bytes."""

Bound = tuple[Value, ...]


_Role = tuple[Truth, Truth]
"""As far as that is true: whether a step is the other one, and whether it undoes it."""
_TRUTHS: tuple[Truth, ...] = (True, False, None)
_ROLES: dict[_Role, _Role] = {role: role for role in product(_TRUTHS, _TRUTHS)}
"""Each of them once, as there may be as many marks as a text has lines."""
_Mark = tuple[StepFact, _Role]


@frozen(eq=False)
class _Marks:
    """Steps that are the other one, or undo it, in their order; each with its role."""

    steps: list[StepFact] = field(default_factory=list)
    roles: list[_Role] = field(default_factory=list)

    def add(self, step: StepFact, role: _Role) -> None:
        self.steps.append(step)
        self.roles.append(role)

    def __iter__(self) -> Iterator[_Mark]:
        return zip(self.steps, self.roles, strict=True)

    @property
    def may_be_other(self) -> bool:
        return any(other is not False for other, _ in self.roles)


@frozen(eq=False)
class _Course:
    """How the state changes on the walk over marks, of which `turns` are the places.

    A state is whether the other step has come and was not undone, and which it is. There is one
    state more than there are turns: the one before the first of them.
    """

    turns: array[int]
    truths: list[Truth]
    steps: list[StepFact | None]


_Sorted = tuple[dict[Bound, _Marks], _Marks]
_NOTHING: _Sorted = ({}, _Marks())
_WITHOUT_MARKS = _Course(array("q"), [False], [None])
"""What most procedures have of most policies: a crontab may have a procedure for each line."""
_TOO_MANY = _Course(array("q"), [None], [None])


def _blocks(procedure: Procedure) -> frozenset[str]:
    """The branches, loops and functions of a procedure, if they are few."""
    found = {step.block for step in procedure.cached(policy_steps)} - {""}
    return frozenset(found) if len(found) <= MANY else frozenset()


@frozen(eq=False)
class Order(Kind):
    """`other` must come, or must not (`required`), on one `side` of the step, or on any (`beside`).

    `undone_by` is what takes the other back if it comes between the two. `same` are bindings
    in which all of them must be equal. With `reach` queue_manager the other may be in any
    procedure: that it is missing is only known where every job is here. With `reach` read it is
    missing if no procedure that was read has it.
    """

    side: str
    other: Condition
    required: bool
    undone_by: Condition | None
    same: tuple[Named, ...]
    reach: str

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        """Judge one step by the others of its procedure."""
        if not isinstance(fact, StepFact) or not self._can_judge(fact):
            return
        bound = self._bound(fact)
        if not _is_known(bound):
            return
        truth, other = self._state(fact, bound)
        if self.required and truth is False:
            nowhere = self._is_not_in_folder if self.reach == "procedure" else self._is_nowhere_else
            if nowhere(fact, bound):
                yield Violation(fact.where(), None, {})
        elif not self.required and truth is True and other is not None:
            place = Related(other.where(), other.title)
            yield Violation(fact.where(), None, {"related.step": other.title}, (place,))

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        if not isinstance(fact, StepFact):
            return None
        if not self._can_judge(fact):
            return "whether the step runs"
        bound = self._bound(fact)
        for (key, _), value in zip(self.same, bound, strict=True):
            if not _is_known((value,)):
                return None if value is ABSENT else key
        truth, _ = self._state(fact, bound)
        if truth is None:
            return f"the step {self.side} it"
        return "inventory: jobs" if self.required and truth is False else None

    def forget(self, manager: QueueManager) -> None:
        manager.answers.pop(self, None)

    def _can_judge(self, step: StepFact) -> bool:
        """Whether the step runs, or what is forbidden may run with it.

        What is required may be what the condition of the step's branch asks for. The body of a loop
        runs for what the loop is given.
        """
        if step.certain or (step.repeated and not step.block):
            return True
        may_run = step.repeated or not self.required
        return may_run and step.block in step.procedure.cached(_blocks)

    def _bound(self, step: StepFact) -> Bound:
        return tuple(_single(read(step)) for _, read in self.same)

    def _state(self, fact: StepFact, bound: Bound) -> tuple[Truth, StepFact | None]:
        """Whether the other step has come at a step and was not undone, and which it is."""
        block = "" if fact.certain else fact.block
        course = self._course(fact.procedure, bound, block)
        at = -1 if self.side == "beside" else bisect_left(course.turns, self._position(fact))
        return course.truths[at], course.steps[at]

    def _position(self, step: StepFact) -> int:
        """The place of a step on the walk, which goes backwards for what comes after."""
        first, second = step.position
        place = first << _BITS | second
        return -place if self.side == "after" else place

    def _answers(self, manager: QueueManager) -> dict[object, Any]:
        """What was worked out for the steps of a queue manager: see `forget`."""
        answers: dict[object, Any] = manager.answers.setdefault(self, {})
        return answers

    def _course(self, procedure: Procedure, bound: Bound, block: str) -> _Course:
        """The walk over a procedure for one binding, worked out once.

        With a `block` its own steps run, and of all others that is not known: its condition may ask
        for what they leave behind.
        """
        by_binding, wild = self._sorted(procedure, block)
        if not wild.steps and bound not in by_binding:
            return _WITHOUT_MARKS
        answers, key = self._answers(procedure.manager), (procedure, bound, block)
        known: _Course | None = answers.get(key)
        if known is None:
            marks = self._marks(procedure, bound, block)
            known = answers[key] = _TOO_MANY if marks is None else self._walk(marks)
        return known

    def _walk(self, marks: Iterable[_Mark]) -> _Course:
        """Walk over marks in the order of their places."""
        course = _Course(array("q"), [False], [None])
        truth: Truth = False
        last: StepFact | None = None
        placed = ((self._position(step), step, role) for step, role in marks)
        for place, step, (other, undoes) in sorted(placed, key=itemgetter(0)):
            truth = any_of((all_of((truth, negate(undoes))), other))
            last = step if other is True else last
            course.turns.append(place)
            course.truths.append(truth)
            course.steps.append(last)
        return course

    def _marks(self, procedure: Procedure, bound: Bound, block: str) -> Iterable[_Mark] | None:
        """The steps that count for one binding; None for too many."""
        by_binding, wild = self._sorted(procedure, block)
        if len(wild.steps) > MANY:
            return None
        bound_marks = ((step, _role_bound(self._bound(step), bound, role)) for step, role in wild)
        return chain(by_binding.get(bound, ()), bound_marks)

    def _sorted(self, procedure: Procedure, block: str) -> _Sorted:
        """All that counts, by binding; and what may be bound to anything."""
        answers, key = self._answers(procedure.manager), (procedure, block)
        known: _Sorted | None = answers.get(key)
        if known is None:
            by_binding: dict[Bound, _Marks] = {}
            wild = _Marks()
            for step, role in self._all_marks(procedure, block):
                bound = self._bound(step)
                if ABSENT in bound:
                    continue
                marks = by_binding.setdefault(bound, _Marks()) if _is_known(bound) else wild
                marks.add(step, role)
            is_empty = not by_binding and not wild.steps
            known = answers[key] = _NOTHING if is_empty else (by_binding, wild)
        return known

    def _all_marks(self, procedure: Procedure, block: str) -> Iterator[_Mark]:
        for step in procedure.cached(all_steps):
            runs = step.block == block if block else step.certain
            sure: Truth = True if runs else None
            other = all_of((self.other(step), sure))
            undoes = False if self.undone_by is None else all_of((self.undone_by(step), sure))
            if other is not False or undoes is not False:
                yield step, _ROLES[other, undoes]

    def _is_not_in_folder(self, fact: StepFact, bound: Bound) -> bool:
        """Whether no file of MQSC on that side of the step's own file may have what is required.

        Files of MQSC that no script here runs may run one after the other: containers and loops of
        shells run those of a folder in the order of their names.
        """
        if not fact.procedure.is_text:
            return True
        path = fact.procedure.origin.path
        files = fact.manager.cached(self._files)
        spans = (files.get((dirname(path), binding)) for binding in (bound, None))
        if self.side == "before":
            return all(span is None or span[0] >= path for span in spans)
        return all(span is None or span[1] <= path for span in spans)

    def _files(self, manager: QueueManager) -> dict[tuple[str, Bound | None], tuple[str, str]]:
        """The first and the last file of each folder that may have the other, for each binding.

        The binding None stands for one that is not known.
        """
        files: dict[tuple[str, Bound | None], tuple[str, str]] = {}
        for procedure in manager.cached(procedures):
            if not procedure.is_text:
                continue
            path = procedure.origin.path
            by_binding, wild = self._sorted(procedure, "")
            marked: Iterable[tuple[Bound | None, _Marks]] = [*by_binding.items(), (None, wild)]
            for binding, marks in marked:
                if marks.may_be_other:
                    key = (dirname(path), binding)
                    first, last = files.get(key, (path, path))
                    files[key] = (min(first, path), max(last, path))
        return files

    def _is_nowhere_else(self, fact: StepFact, bound: Bound) -> bool:
        """Return whether no other procedure has the required step; False if one may be missing.

        What runs a file of MQSC that no script feeds is not here, whatever else is. MQSC in a
        manifest is run when the queue manager starts.
        """
        manager = fact.manager
        is_run = self.reach == "read" and bool(fact.procedure.script.steps)
        if fact.procedure.is_text or not (is_run or manager.settings.inventory.jobs):
            return False
        found = manager.cached_for(self._places, bound)
        return all(procedure is fact.procedure for procedure in found)

    def _places(self, manager: QueueManager, bound: Bound) -> tuple[Procedure, ...]:
        """The procedures in which the other may be."""
        every = manager.cached(procedures)
        return tuple(procedure for procedure in every if self._may_be_in(procedure, bound))

    def _may_be_in(self, procedure: Procedure, bound: Bound) -> bool:
        marks = self._marks(procedure, bound, "")
        return marks is None or any(other is not False for _, (other, _) in marks)


def _single(value: Value) -> Value:
    """The only item of a list, otherwise the value itself."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _is_known(bound: Bound) -> bool:
    """Whether a step is bound to one thing, in everything that must be the same."""
    return all(isinstance(value, str) and not value.endswith("*") for value in bound)


def _role_bound(theirs: Bound, mine: Bound, role: _Role) -> _Role:
    """A role whose binding may be `mine`: a generic name covers it, what is not known may be it."""
    alike = all_of(_alike(*pair) for pair in zip(theirs, mine, strict=True))
    other, undoes = role
    return _ROLES[all_of((other, alike)), all_of((undoes, alike))]


def _alike(theirs: Value, mine: Value) -> Truth:
    if isinstance(theirs, str) and isinstance(mine, str) and theirs.endswith("*"):
        return mine.startswith(theirs[:-1])
    return None if theirs is UNKNOWN else theirs == mine
