"""A command: a form and the values bound to it; the places of its words are computed on demand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from mqlint.dataclass import NamedTuple
from mqlint.language.mqsc.bound import (
    BETWEEN,
    bound,
    stretches,
    templated_among,
    unbound,
    with_stretches,
)
from mqlint.language.mqsc.form import Form
from mqlint.language.mqsc.lines import Segments, origin
from mqlint.language.mqsc.shape import Shape
from mqlint.language.mqsc.value import SEPARATORS, Secret, Templated, decode, places_of_items, width
from mqlint.source.lines import Span
from mqlint.source.masking import is_hidden

Apart = tuple[list[str], list[str], str | None]
"""The values of the shape, those of all holes, and the text that they were taken from.

The text is None if it has nothing besides the values.
"""

_MAYBE = 1
_LONG = 40
"""Values that together are shorter are soon taken apart again, and cost most when kept apart."""
_FEW = 16
"""Limit of the segments that are cheaper as a few digits than as arrays."""


@lru_cache(maxsize=256)  # the rules ask for one command several times
def _apart(text: str, form: Form, templated: int) -> Apart:
    raw = unbound(text, form, templated)
    pick = form.pick
    needed = text if form.secrets or form.is_joined else None
    return raw if pick is None else pick(raw), raw, needed


class Command:
    """One MQSC command of a document.

    `start` is the offset of its text in the document. `marks` is 1 if the command may not run, with
    a further bit for each value that has a template. A document may have millions of commands, most
    of which are never used, so a command has four slots, and its values are one text until one is
    asked for.
    """

    __slots__ = ("_taken", "form", "marks", "start")

    def __init__(self, form: Form, bound: str | Apart, start: int, marks: int = 0) -> None:
        self.form = form
        self.start = start
        self.marks = marks
        self._taken = bound

    @property
    def bound(self) -> str:
        """Its values as one text, as `mqlint.language.mqsc.bound` writes it."""
        taken = self._taken
        if isinstance(taken, str):
            return taken
        return BETWEEN.join(taken[1]) if taken[2] is None else taken[2]

    @property
    def segments(self) -> Segments | None:
        """Lead from its joined text to offsets after `start`; None when they are the same."""
        return stretches(self.bound, self.form) if self.form.is_joined else None

    @property
    def maybe(self) -> bool:
        """Whether a template or a branch decides if it runs."""
        return self.marks & _MAYBE == _MAYBE

    @maybe.setter
    def maybe(self, value: bool) -> None:
        self.marks = self.marks & ~_MAYBE | value

    @property
    def raw(self) -> list[str]:
        """All values as written, also those of comments inside the command, in their order."""
        taken = self._taken
        return (self._take_apart(taken) if isinstance(taken, str) else taken)[1]

    @property
    def values(self) -> list[str]:
        """The values as written; they line up with the parentheses of the shape."""
        taken = self._taken
        return (self._take_apart(taken) if isinstance(taken, str) else taken)[0]

    def _take_apart(self, text: str) -> Apart:
        """The values; they stay separate if separating them again would be slow."""
        taken = _apart(text, self.form, self.marks >> 1)
        if len(text) > _LONG:
            self._taken = taken
        return taken

    @property
    def shape(self) -> Shape:
        return self.form.shape

    @property
    def verb(self) -> str | None:
        """The full verb, None when the first word is none."""
        return self.form.shape.verb

    @property
    def noun(self) -> str | None:
        return self.form.shape.noun

    @property
    def name(self) -> str | None:
        """The decoded value of the noun; None when it has no parentheses."""
        slot = self.form.shape.name_slot
        return decode(self.values[slot]) if slot >= 0 else None

    @property
    def known_name(self) -> str | None:
        """The name of the object it is about; None without one, or if it is not known."""
        slot = self.form.shape.name_slot
        return _known(self.values[slot]) if slot >= 0 else None

    def known(self, word: str) -> str | None:
        """Return the value of attribute `word`; None without one, or if it is not known."""
        slot = self.form.shape.slot_of.get(word, -1)
        return _known(self.values[slot]) if slot >= 0 else None

    def get(self, word: str) -> str | None:
        """Return the raw value of attribute `word` as written; None when it has none."""
        slot = self.form.shape.slot_of.get(word, -1)
        return self.values[slot] if slot >= 0 else None

    def fact(self, word: str) -> str | None:
        """Return the decoded value of a read-only attribute that a dump wrote as a comment."""
        hole = self.form.facts.get(word)
        return decode(self.raw[hole]) if hole is not None else None

    def span(self) -> Span:
        """First and last character of the command, its comments and semicolon left out."""
        first, last = self.form.extent
        return self._span(first, last + 1)

    def span_of_verb(self) -> Span:
        return self._span(*self.form.words[self.form.shape.verb_position])

    def span_of_noun(self) -> Span:
        """Return the place of the noun, or of the verb if there is no noun."""
        shape, words = self.form.shape, self.form.words
        noun = shape.noun_position
        if noun >= len(words):  # a branch inside the command stands for it
            noun = -1
        return self._span(*words[max(noun, shape.verb_position)])

    def span_of_word(self, index: int) -> Span:
        """Return the place of the attribute word `index` of the shape."""
        return self._span(*self.form.words[self.form.shape.positions[index]])

    def span_of_name(self) -> Span:
        """Return the place of the text in the noun's parentheses, or of the noun without them."""
        slot = self.form.shape.name_slot
        return self._value(slot) if slot >= 0 else self.span_of_noun()

    def span_of_value(self, index: int) -> Span:
        """Return the place of the value of attribute word `index`, or of the word without one."""
        slot = self.form.shape.slots[index]
        return self._value(slot) if slot >= 0 else self.span_of_word(index)

    def span_of_attribute(self, index: int) -> Span:
        """Return the place of attribute word `index` of the shape with its parentheses."""
        start, end = self.span_of_word(index)
        slot = self.form.shape.slots[index]
        if slot >= 0:
            end = self._place(self._parentheses(self._raw_slot(slot), self.raw)[1] - 1) + 1
        return start, end

    def spans_of_secrets(self) -> Iterator[Span]:
        """Yield the places of values that must not be stored, even without parentheses."""
        for hole in self.form.secrets:
            if self.raw[hole].strip(SEPARATORS):
                yield self._in(hole)
        for start, end in self.form.lost:
            yield self._span(start, end)

    def span_of_fact(self, word: str) -> Span | None:
        """Return the place of the value of a read-only attribute in a comment of a dump."""
        hole = self.form.facts.get(word)
        return None if hole is None else self._in(hole)

    def span_of_item(self, index: int, item: str) -> Span | None:
        """Return the place of element `item` of the list of attribute word `index`, or None."""
        slot = self.form.shape.slots[index]
        if slot < 0:
            return None
        raw, hole = self.raw, self._raw_slot(slot)
        found = places_of_items(raw[hole]).get(item)
        if found is None:
            return None
        first = self._parentheses(hole, raw)[0] + 1
        return self._place(first + found[0]), self._place(first + found[1] - 1) + 1

    def _value(self, slot: int) -> Span:
        """The place of the text in the parentheses of value `slot`, without outer blanks.

        That of the parentheses if they are empty.
        """
        return self._in(self._raw_slot(slot))

    def _raw_slot(self, slot: int) -> int:
        holes = self.form.raw_slots
        return slot if holes is None else holes[slot]

    def _in(self, hole: int) -> Span:
        """The place of the text in the parentheses of a hole, without outer blanks."""
        values = self.raw
        raw = values[hole]
        first, last = self._parentheses(hole, values)
        start, end = first + 1, last - 1
        if not isinstance(raw, Secret):
            start, end = end - len(raw.lstrip(SEPARATORS)), start + len(raw.rstrip(SEPARATORS))
        if start >= end:
            start, end = first, last
        return self._place(start), self._place(end - 1) + 1

    def _parentheses(self, hole: int, raw: list[str]) -> Span:
        """Start and end in the command's text of the parentheses around value `hole`."""
        start = _layout(self).starts[hole]
        return start, start + width(raw[hole]) + 2

    def _at(self, skeleton_offset: int, raw: list[str]) -> Span:
        """Start and end in the document of the skeleton's character at this offset."""
        holes = self.form.hole_offsets
        hole = bisect_left(holes, skeleton_offset)
        if hole < len(holes) and holes[hole] == skeleton_offset:
            start, end = self._parentheses(hole, raw)
        else:
            start = skeleton_offset
            if hole:
                start += self._parentheses(hole - 1, raw)[1] - holes[hole - 1] - 1
            end = start + 1
        return self._place(start), self._place(end - 1) + 1

    def _span(self, start: int, end: int) -> Span:
        raw = self.raw
        return self._at(start, raw)[0], self._at(end - 1, raw)[1]

    def _place(self, offset: int) -> int:
        segments = _layout(self).segments
        return self.start + (offset if segments is None else origin(segments, offset))


class LongCommand(Command):
    """A command of many lines; their places are in arrays beside its values."""

    __slots__ = ("_segments",)

    def __init__(self, form: Form, bound: str, start: int, marks: int, segments: Segments) -> None:
        """Bind values to `form`; `segments` lead from its joined text to offsets after `start`."""
        super().__init__(form, bound, start, marks)
        self._segments = segments

    @property
    def segments(self) -> Segments | None:
        """Lead from its joined text to offsets after `start`."""
        return self._segments


def command_of(
    form: Form,
    raw: list[str],
    start: int,
    segments: Segments | None,
    shared: Callable[[str], str],
) -> Command:
    """Return the command of a form with the values `raw`, without its secrets.

    `segments` map its joined text to offsets after `start`, None if they are the same. `shared`
    returns an equal text for a text.
    """
    for hole in form.secrets:
        if is_hidden(raw[hole]):
            raw[hole] = str(raw[hole])  # known to be written, whatever it is
    text, marks = bound(raw, form), templated_among(raw) << 1 | form.shape.open
    if segments is None:
        return Command(form, shared(text), start, marks)
    if len(segments) > _FEW:
        return LongCommand(form, text, start, marks, segments)
    return Command(form, with_stretches(text, form, segments), start, marks)


def command_at(commands: Sequence[Command], offset: int) -> Command | None:
    """Return the command at an offset of the text, None if none is; `commands` are in order."""
    at = bisect_right(commands, offset, key=lambda command: command.start) - 1
    if at < 0:
        return None
    start, end = commands[at].span()
    return commands[at] if start <= offset < end else None


class _Layout(NamedTuple):
    """The offsets of the parentheses of each value in a command's text, and their origin."""

    starts: list[int]
    segments: Segments | None


@lru_cache(maxsize=1)
def _layout(command: Command) -> _Layout:
    """Compute the places of the values of a command: once, although each may have a fault."""
    starts: list[int] = []
    at = 0
    for part, value in zip(command.form.parts, command.raw, strict=False):  # a part more
        at += len(part)
        starts.append(at)
        at += (len(value) if value.__class__ is str else width(value)) + 2
    return _Layout(starts, command.segments)


def _known(raw: str) -> str | None:
    """A value that no template leaves open and no mask hides."""
    return None if isinstance(raw, Templated | Secret) else decode(raw)
