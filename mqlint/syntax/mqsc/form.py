"""Forms: the exact text of a command around its values, bound to the shape it has.

A dump repeats a few dozen forms thousands of times. A form is worked out once; a command then
costs one split of its text and one look-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from operator import itemgetter

from mqlint.syntax.mqsc.lines import join, origin
from mqlint.syntax.mqsc.shape import Names, Shape, canonical, parse_shape

HOLE = "\0"
"""Stands in a skeleton for a value and its parentheses."""

_WORD = re.compile(r"[^\s(),;'\"\0\ue000]+")
_COMMENT = re.compile(r"^\*[^\n]*(?:\n|\Z)", re.MULTILINE)
_FACT = re.compile(r"^\*[ \t]*([A-Za-z]+)[ \t]*\0[ \t]*\+?[ \t\r]*$", re.MULTILINE)
_LEFTOVER = re.compile(r"""['"()]|;\s*\S""")

Values = list[str]


class Form:
    """A skeleton (a command's text with a hole for each value) and the shape it has.

    `raw_slots` maps the values of the shape to the holes of the skeleton, None when they are the
    same; `facts` maps the words of comments inside the command (the read-only attributes of a
    dump) to their holes; `secrets` are the holes whose values must not be kept.
    """

    def __init__(self, skeleton: str, shape: Shape, secrets: tuple[int, ...]) -> None:
        """Bind `skeleton` to `shape`; `secrets` are indices into the shape's values."""
        self.skeleton = skeleton
        self.shape = shape
        self.facts: dict[str, int] = {}
        holes: list[int] | None = None
        if "\n" in skeleton:
            self.facts, holes = _comment_holes(skeleton)
        self.raw_slots = holes
        self.secrets = secrets if holes is None else tuple(holes[slot] for slot in secrets)
        self.pick = _picker(holes)

    @cached_property
    def parts(self) -> list[str]:
        """The text before, between and after the holes."""
        return self.skeleton.split(HOLE)

    @cached_property
    def words(self) -> list[tuple[int, int]]:
        """Start and end in the skeleton of each word of the command, in order."""
        joined, segments = join(self.skeleton)
        return [
            (origin(segments, word.start()), origin(segments, word.end() - 1) + 1)
            for word in _WORD.finditer(joined)
        ]


def _comment_holes(skeleton: str) -> tuple[dict[str, int], list[int] | None]:
    """Return the facts in comment lines, and the holes outside comments (None: all of them)."""
    facts = {}
    inside: set[int] = set()
    for comment in _COMMENT.finditer(skeleton):
        first = skeleton.count(HOLE, 0, comment.start())
        inside.update(range(first, first + comment.group().count(HOLE)))
        fact = _FACT.match(comment.group().rstrip("\n"))
        if fact is not None:
            facts[fact[1].upper()] = first
    if not inside:
        return facts, None
    return facts, [hole for hole in range(skeleton.count(HOLE)) if hole not in inside]


def _picker(holes: list[int] | None) -> Callable[[Values], Values] | None:
    if holes is None:
        return None
    if len(holes) < 2:
        return lambda raw: [raw[hole] for hole in holes]
    pick = itemgetter(*holes)
    return lambda raw: list(pick(raw))


class Forms:
    """The forms and shapes met so far, bounded so that hostile input cannot fill the memory."""

    LIMIT = 8192
    LONGEST = 1 << 16

    def __init__(self, names: Names) -> None:
        """Resolve words through `names`."""
        self._names = names
        self._shapes: dict[str, Shape | None] = {}
        self.regular: dict[str, Form | None] = {}

    def regular_form(self, skeleton: str) -> Form | None:
        """Return the form of a skeleton taken from a command's own lines.

        None when the exact way must look at it: a string, list or parenthesis crosses a line
        end or is not closed, a semicolon ends the command early, it has no verb, or it ends
        the session.
        """
        joined, _ = join(skeleton)
        form = None if _LEFTOVER.search(joined) else self._bind(skeleton, joined)
        if form is not None and form.shape.verb in (None, "END"):
            form = None
        if len(self.regular) >= self.LIMIT:
            self.regular.clear()
        if len(skeleton) <= self.LONGEST:
            self.regular[skeleton] = form
        return form

    def joined_form(self, skeleton: str) -> Form | None:
        """Return the form of a skeleton whose lines were joined; None when it has none."""
        return self._bind(skeleton, skeleton)

    def _bind(self, skeleton: str, joined: str) -> Form | None:
        shape = self._shape(canonical(joined))
        if shape is None:
            return None
        is_secret = self._names.is_secret
        secrets = tuple(
            slot
            for word, slot in zip(shape.words, shape.slots, strict=True)
            if slot >= 0 and is_secret(word)
        )
        return Form(skeleton, shape, secrets)

    def _shape(self, text: str) -> Shape | None:
        if text in self._shapes:
            return self._shapes[text]
        if len(self._shapes) >= self.LIMIT:
            self._shapes.clear()
        shape = parse_shape(text, self._names)
        if len(text) <= self.LONGEST:
            self._shapes[text] = shape
        return shape
