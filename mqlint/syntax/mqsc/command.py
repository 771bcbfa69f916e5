"""A command: a form and the values bound to it; where its words stand, worked out on demand."""

from __future__ import annotations

from mqlint.syntax.mqsc.form import Form
from mqlint.syntax.mqsc.lines import Segments, origin
from mqlint.syntax.mqsc.shape import Shape
from mqlint.syntax.mqsc.value import SEPARATORS, Secret, decode, spans_of_items, width

Span = tuple[int, int]


class Command:
    """One MQSC command of a document.

    `values` line up with the parentheses of the shape; `raw` also holds the values of comments
    inside the command. `start` is the offset of its text in the document. `segments` lead from
    its joined text to offsets after `start`; None when nothing had to be joined. `maybe` is True
    when a template or a branch decides whether it runs.
    """

    __slots__ = ("form", "maybe", "raw", "segments", "start", "values")

    def __init__(
        self,
        form: Form,
        raw: list[str],
        values: list[str],
        start: int,
        segments: Segments | None = None,
        maybe: bool = False,
    ) -> None:
        """Bind `values` to `form`."""
        self.form = form
        self.raw = raw
        self.values = values
        self.start = start
        self.segments = segments
        self.maybe = maybe

    @property
    def shape(self) -> Shape:
        """The words of the command."""
        return self.form.shape

    @property
    def verb(self) -> str | None:
        """The full verb, None when the first word is none."""
        return self.form.shape.verb

    @property
    def noun(self) -> str | None:
        """The full noun, None when there is none."""
        return self.form.shape.noun

    @property
    def name(self) -> str | None:
        """The decoded value of the noun; None when it has no parentheses."""
        slot = self.form.shape.name_slot
        return decode(self.values[slot]) if slot >= 0 else None

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
        return self._at(first)[0], self._at(last)[1]

    def span_of_verb(self) -> Span:
        """Where the verb stands."""
        return self._span(*self.form.words[self.form.shape.verb_position])

    def span_of_noun(self) -> Span:
        """Where the noun stands; the verb's place when there is no noun."""
        shape, words = self.form.shape, self.form.words
        noun = shape.noun_position
        if noun >= len(words):  # a branch inside the command stands for it
            noun = -1
        return self._span(*words[max(noun, shape.verb_position)])

    def span_of_word(self, index: int) -> Span:
        """Where attribute word `index` of the shape stands."""
        return self._span(*self.form.words[self.form.shape.positions[index]])

    def span_of_name(self) -> Span:
        """Where the text in the noun's parentheses stands; the noun's place without them."""
        slot = self.form.shape.name_slot
        return self._value(slot) if slot >= 0 else self.span_of_noun()

    def span_of_value(self, index: int) -> Span:
        """Where the value of attribute word `index` stands; the word's place without one."""
        slot = self.form.shape.slots[index]
        return self._value(slot) if slot >= 0 else self.span_of_word(index)

    def span_of_attribute(self, index: int) -> Span:
        """Where attribute word `index` of the shape and its parentheses stand."""
        start, end = self.span_of_word(index)
        slot = self.form.shape.slots[index]
        if slot >= 0:
            hole = self._raw_slot(slot)
            end = self._place(self._hole(hole) + width(self.raw[hole]) + 1) + 1
        return start, end

    def span_of_fact(self, word: str) -> Span | None:
        """Where the value of a read-only attribute stands that a dump wrote as a comment."""
        hole = self.form.facts.get(word)
        return None if hole is None else self._in(hole)

    def span_of_item(self, index: int, item: str) -> Span | None:
        """Where element `item` of the list of attribute word `index` stands, None if nowhere."""
        slot = self.form.shape.slots[index]
        for start, end in spans_of_items(self.values[slot]) if slot >= 0 else ():
            if decode(self.values[slot][start:end]) == item:
                first = self._hole(self._raw_slot(slot)) + 1
                return self._place(first + start), self._place(first + end - 1) + 1
        return None

    def _value(self, slot: int) -> Span:
        """Where the text in the parentheses of value `slot` stands, outer blanks left out.

        The parentheses themselves when nothing stands in them.
        """
        return self._in(self._raw_slot(slot))

    def _raw_slot(self, slot: int) -> int:
        """Which of the raw values is value `slot`."""
        holes = self.form.raw_slots
        return slot if holes is None else holes[slot]

    def _in(self, hole: int) -> Span:
        """Where the text in the parentheses of a hole stands, outer blanks left out."""
        raw = self.raw[hole]
        start = self._hole(hole) + 1
        end = start + width(raw)
        if not isinstance(raw, Secret):
            start, end = end - len(raw.lstrip(SEPARATORS)), start + len(raw.rstrip(SEPARATORS))
        if start >= end:
            start, end = self._hole(hole), self._hole(hole) + width(raw) + 2
        return self._place(start), self._place(end - 1) + 1

    def _hole(self, hole: int) -> int:
        """Offset in the command's text of the parenthesis before value `hole`."""
        before = sum(len(part) for part in self.form.parts[: hole + 1])
        return before + sum(width(raw) + 2 for raw in self.raw[:hole])

    def _at(self, skeleton_offset: int) -> Span:
        """Start and end in the document of the skeleton's character at this offset."""
        hole = self.form.skeleton.count("\0", 0, skeleton_offset)
        offset = skeleton_offset - hole + sum(width(raw) + 2 for raw in self.raw[:hole])
        size = 1
        if self.form.skeleton[skeleton_offset] == "\0":
            size = width(self.raw[hole]) + 2
        return self._place(offset), self._place(offset + size - 1) + 1

    def _span(self, start: int, end: int) -> Span:
        return self._at(start)[0], self._at(end - 1)[1]

    def _place(self, offset: int) -> int:
        if self.segments is not None:
            offset = origin(self.segments, offset)
        return self.start + offset
