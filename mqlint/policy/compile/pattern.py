r"""The matcher behind the condition `matches`: time grows with the value, never with its tricks.

A pattern becomes a non-deterministic automaton (Thompson's construction) that is run on sets of
states; the sets met are remembered as a deterministic automaton, built as it is needed and thrown
away when it grows too large. The worst case is the length of the value times the number of
states, the usual one is one dictionary look-up a character. Policies come from users and values
from anywhere, and what rides to executors has no native code: hence no `re` here.

`\d`, `\w`, `\s` and ignored case are those of ASCII; `.` is anything but a line feed; `$` is
the very end of the value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from mqlint.policy.compile.pattern_syntax import (
    MAX_STATES,
    Anchor,
    Chars,
    Choice,
    Node,
    PatternError,
    Ranges,
    Repeat,
    Sequence,
    parse_pattern,
)

__all__ = ["MAX_STATES", "Pattern", "PatternError", "compile_pattern"]

MAX_CACHED = 8_192
"""Remembered steps of one automaton, and members of its states; beyond it all are forgotten."""

_CHAR, _FORK, _START, _END, _MATCH = range(5)


@dataclass(slots=True)
class _Op:
    """One state: what it asks, and where it leads."""

    kind: int
    to: int = 0
    other: int = 0
    lows: tuple[int, ...] = ()
    highs: tuple[int, ...] = ()

    def takes(self, code: int) -> bool:
        """Tell whether the code point is in the ranges of this state."""
        at = bisect_right(self.lows, code) - 1
        return at >= 0 and code <= self.highs[at]


class _Program:
    """The states of a pattern, written from the end to the start."""

    def __init__(self, node: Node) -> None:
        self.ops = [_Op(_MATCH)]
        self.start = self.write(node, 0)

    def add(self, op: _Op) -> int:
        """Append a state and return its number."""
        self.ops.append(op)
        return len(self.ops) - 1

    def write(self, node: Node, to: int) -> int:
        """Write `node` so that it goes on at `to`; return where it begins."""
        match node:
            case Chars(ranges):
                return self.chars(ranges, to)
            case Anchor(start):
                return self.add(_Op(_START if start else _END, to))
            case Sequence(items):
                for item in reversed(items):
                    to = self.write(item, to)
                return to
            case Choice(items):
                return self.choice(items, to)
            case Repeat(item, low, high):
                return self.repeat(item, low, high, to)

    def chars(self, ranges: Ranges, to: int) -> int:
        """Write a state that takes one character."""
        lows = tuple(low for low, _ in ranges)
        highs = tuple(high for _, high in ranges)
        return self.add(_Op(_CHAR, to, lows=lows, highs=highs))

    def choice(self, items: tuple[Node, ...], to: int) -> int:
        """Write alternatives."""
        entry = self.write(items[-1], to)
        for item in reversed(items[:-1]):
            entry = self.add(_Op(_FORK, self.write(item, to), entry))
        return entry

    def repeat(self, item: Node, low: int, high: int | None, to: int) -> int:
        """Write the optional or endless part, then the required copies before it."""
        entry = to
        if high is None:
            entry = self.add(_Op(_FORK, 0, to))
            self.ops[entry].to = self.write(item, entry)
        else:
            for _ in range(high - low):
                entry = self.add(_Op(_FORK, self.write(item, entry), to))
        for _ in range(low):
            entry = self.write(item, entry)
        return entry


class _State:
    """A set of states of the program, and where each character met so far leads from it."""

    __slots__ = ("ends", "matched", "members", "steps")

    def __init__(self, members: frozenset[int], ends: bool) -> None:
        self.members = members
        self.matched = 0 in members
        self.ends = ends
        self.steps: dict[str, _State] = {}


class _Automaton:
    """The deterministic automaton of one way to ask, built while it runs."""

    def __init__(self, program: _Program, anywhere: bool) -> None:
        self.ops = program.ops
        self.restart = self.closure((program.start,)) if anywhere else frozenset[int]()
        first = self.closure((program.start,), at_start=True) | self.restart
        self.empty = 0 in self.closure(first, at_start=True, at_end=True)
        self.first = _State(first, self.ends(first))
        self.known: dict[frozenset[int], _State] = {}
        self.cached = 0

    def closure(
        self, seeds: Iterable[int], at_start: bool = False, at_end: bool = False
    ) -> frozenset[int]:
        """Return all states reached from `seeds` without taking a character."""
        seen: set[int] = set()
        todo = list(seeds)
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            op = self.ops[number]
            if op.kind == _START and not at_start:
                continue
            seen.add(number)
            if op.kind == _FORK:
                todo.append(op.to)
                todo.append(op.other)
            elif op.kind == _START or (op.kind == _END and at_end):
                todo.append(op.to)
        return frozenset(number for number in seen if self.ops[number].kind != _FORK)

    def ends(self, members: frozenset[int]) -> bool:
        """Tell whether a value that ends here, and is not empty, has matched."""
        return 0 in members or 0 in self.closure(
            (number for number in members if self.ops[number].kind == _END), at_end=True
        )

    def step(self, state: _State, char: str) -> _State:
        """Work out where `char` leads from `state`, and remember it."""
        code = ord(char)
        ops = self.ops
        targets = [
            ops[number].to
            for number in state.members
            if ops[number].kind == _CHAR and ops[number].takes(code)
        ]
        members = self.closure(targets) | self.restart
        following = self.known.get(members)
        self.cached += 1 if following is not None else 1 + len(members)
        if self.cached > MAX_CACHED:
            self.forget()
            following = None
        if following is None:
            following = self.known[members] = _State(members, self.ends(members))
        state.steps[char] = following
        return following

    def forget(self) -> None:
        """Drop everything remembered."""
        for state in (self.first, *self.known.values()):
            state.steps.clear()
        self.known.clear()
        self.cached = 0


class Pattern:
    """A compiled pattern; ask it as often as you like."""

    __slots__ = ("_full", "_search", "ignore_case", "text")

    def __init__(self, text: str, ignore_case: bool = False) -> None:
        """Compile `text`; PatternError when it is not in the subset."""
        program = _Program(parse_pattern(text, ignore_case))
        self.text = text
        self.ignore_case = ignore_case
        self._search = _Automaton(program, anywhere=True)
        self._full = _Automaton(program, anywhere=False)

    def search(self, value: str) -> bool:
        """Tell whether the pattern occurs anywhere in `value`."""
        automaton = self._search
        if not value:
            return automaton.empty
        state = automaton.first
        for char in value:
            if state.matched:
                return True
            state = state.steps.get(char) or automaton.step(state, char)
            if not state.members:
                return False
        return state.ends

    def fullmatch(self, value: str) -> bool:
        """Tell whether the pattern matches the whole of `value`."""
        automaton = self._full
        if not value:
            return automaton.empty
        state = automaton.first
        for char in value:
            state = state.steps.get(char) or automaton.step(state, char)
            if not state.members:
                return False
        return state.ends

    def __repr__(self) -> str:
        return f"Pattern({self.text!r}, ignore_case={self.ignore_case})"


def compile_pattern(text: str, ignore_case: bool = False) -> Pattern:
    """Return the pattern written as `text`; PatternError when it is not in the subset."""
    return Pattern(text, ignore_case)
