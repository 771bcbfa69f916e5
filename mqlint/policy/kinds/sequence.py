"""The kind `sequence`: do the steps of one procedure come in a right order?

A step is wrong when another that is required before or after it is certainly missing, or one that
is forbidden there certainly comes. A step between the two that undoes the other one cancels it. All
this is worked out once for a whole procedure, in one walk over its steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname

from mqlint.dataclass import frozen
from mqlint.finding import Related
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Position
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

Bound = tuple[Value, ...]


@frozen
class _Mark:
    """A step that is the other one, or undoes it, as far as that is true."""

    step: StepFact
    other: Truth
    undoes: Truth


@frozen
class _State:
    """Whether the other step has come and was not undone, and which it is."""

    truth: Truth
    step: StepFact | None


_NOTHING: tuple[dict[Bound, list[_Mark]], list[_Mark]] = ({}, [])
_WITHOUT_MARKS: tuple[Sequence[Position], Sequence[_State]] = ((), (_State(False, None),))
"""What most procedures have of most policies: a crontab may have a procedure for each line."""


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
        state = self._state(fact, bound)
        if self.required and state.truth is False:
            nowhere = self._is_not_in_folder if self.reach == "procedure" else self._is_nowhere_else
            if nowhere(fact, bound):
                yield Violation(fact.where(), None, {})
        elif not self.required and state.truth is True and state.step is not None:
            place = Related(state.step.where(), state.step.title)
            yield Violation(fact.where(), None, {"related.step": state.step.title}, (place,))

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        if not isinstance(fact, StepFact):
            return None
        if not self._can_judge(fact):
            return "whether the step runs"
        bound = self._bound(fact)
        for (key, _), value in zip(self.same, bound, strict=True):
            if not _is_known((value,)):
                return None if value is ABSENT else key
        truth = self._state(fact, bound).truth
        if truth is None:
            return f"the step {self.side} it"
        return "inventory: jobs" if self.required and truth is False else None

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

    def _state(self, fact: StepFact, bound: Bound) -> _State:
        block = "" if fact.certain else fact.block
        turns, states = self._states(fact.procedure, bound, block)
        return states[-1 if self.side == "beside" else bisect_left(turns, self._position(fact))]

    def _position(self, step: StepFact) -> Position:
        """The place of a step on the walk, which goes backwards for what comes after."""
        first, second = step.position
        return (-first, -second) if self.side == "after" else (first, second)

    def _states(
        self, procedure: Procedure, bound: Bound, block: str
    ) -> tuple[Sequence[Position], Sequence[_State]]:
        """How the state changes on the walk over a procedure for one binding, worked out once.

        With a `block` its own steps run, and of all others that is not known: its condition may ask
        for what they leave behind.

        There is one state more than there are turns: the one before the first of them.
        """
        by_binding, wild = self._sorted(procedure, block)
        if not wild and bound not in by_binding:
            return _WITHOUT_MARKS
        key = (self, bound, block)
        known = procedure.answers.get(key)
        if known is None:
            marks = self._marks(procedure, bound, block)
            states = (_State(None, None),) if marks is None else tuple(_walk(marks))
            known = procedure.answers[key] = (
                [self._position(mark.step) for mark in marks or ()],
                states,
            )
        return known

    def _marks(self, procedure: Procedure, bound: Bound, block: str) -> list[_Mark] | None:
        """The steps that count for one binding, as they are walked over; None for too many."""
        by_binding, wild = self._sorted(procedure, block)
        if len(wild) > MANY:
            return None
        bound_marks = (_bound_mark(self._bound(mark.step), bound, mark) for mark in wild)
        return sorted(
            [*by_binding.get(bound, ()), *bound_marks], key=lambda mark: self._position(mark.step)
        )

    def _sorted(
        self, procedure: Procedure, block: str
    ) -> tuple[dict[Bound, list[_Mark]], list[_Mark]]:
        """All that counts, by binding; and what may be bound to anything."""
        key = (self, block) if block else self
        known = procedure.answers.get(key)
        if known is None:
            by_binding: dict[Bound, list[_Mark]] = {}
            wild: list[_Mark] = []
            for mark in self._all_marks(procedure, block):
                bound = self._bound(mark.step)
                if ABSENT in bound:
                    continue
                listed = by_binding.setdefault(bound, []) if _is_known(bound) else wild
                listed.append(mark)
            is_empty = not by_binding and not wild
            known = procedure.answers[key] = _NOTHING if is_empty else (by_binding, wild)
        return known

    def _all_marks(self, procedure: Procedure, block: str) -> Iterator[_Mark]:
        for step in procedure.cached(all_steps):
            runs = step.block == block if block else step.certain
            sure: Truth = True if runs else None
            other = all_of((self.other(step), sure))
            undoes = False if self.undone_by is None else all_of((self.undone_by(step), sure))
            if other is not False or undoes is not False:
                yield _Mark(step, other, undoes)

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
            marked: Iterable[tuple[Bound | None, list[_Mark]]] = [*by_binding.items(), (None, wild)]
            for binding, marks in marked:
                if any(mark.other is not False for mark in marks):
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
        return marks is None or any(mark.other is not False for mark in marks)


def _walk(marks: Iterable[_Mark]) -> Iterator[_State]:
    state = _State(False, None)
    yield state
    for mark in marks:
        left = all_of((state.truth, negate(mark.undoes)))
        step = mark.step if mark.other is True else state.step
        state = _State(any_of((left, mark.other)), step)
        yield state


def _single(value: Value) -> Value:
    """The only item of a list, otherwise the value itself."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _is_known(bound: Bound) -> bool:
    """Whether a step is bound to one thing, in everything that must be the same."""
    return all(isinstance(value, str) and not value.endswith("*") for value in bound)


def _bound_mark(theirs: Bound, mine: Bound, mark: _Mark) -> _Mark:
    """A mark whose binding may be `mine`: a generic name covers it, what is not known may be it."""
    alike = all_of(_alike(*pair) for pair in zip(theirs, mine, strict=True))
    return _Mark(mark.step, all_of((mark.other, alike)), all_of((mark.undoes, alike)))


def _alike(theirs: Value, mine: Value) -> Truth:
    if isinstance(theirs, str) and isinstance(mine, str) and theirs.endswith("*"):
        return mine.startswith(theirs[:-1])
    return None if theirs is UNKNOWN else theirs == mine
