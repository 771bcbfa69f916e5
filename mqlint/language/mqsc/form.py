"""Forms: the exact text of a command around its values, bound to the shape it has.

    DEFINE QLOCAL('A') +        the text of a command
       MAXDEPTH(5)
    DEFINE QLOCAL. +            its skeleton, with a hole (a NUL) for each value
       MAXDEPTH.
    DEFINE QLOCAL(.) MAXDEPTH(.)    its shape

The skeleton is a text with a hole for each value, with all blanks, signs and cases as they are
written; a form is the skeleton with its shape (`shape.py`), in which all that makes no difference
is gone. A form is `regular` if the values are on the lines of the command as they are, `joined` if
its lines had to be joined to find them.

A dump repeats a few dozen forms thousands of times. A form is worked out once; a command then costs
one split of its text and one look-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from operator import itemgetter

from mqlint.language.mqsc.diagnose import misplaced
from mqlint.language.mqsc.limits import is_too_long
from mqlint.language.mqsc.lines import join, open_sign, origin
from mqlint.language.mqsc.shape import Names, Shape, canonical, parse_shape
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.vocabulary.limits import COMMAND

HOLE = "\0"
"""Replaces a value and its parentheses in a skeleton."""

_WORD = later(r"[^ \t\r\n\f\v(),;'\"\0]+")
_COMMENT = later(r"(?m)^\*[^\n]*(?:\n|\Z)")
_FACT = later(r"\*[ \t]*+([A-Za-z]++)[ \t]*+\0[ \t]*+\+?[ \t\r\n]*\Z")
_NAMED = later(r"(?:\b([A-Za-z]\w*+)[ \t]*+)?\0")
_LEFTOVER = later(r"""['"()]|;\s*\S""")

_NO_FACTS: Mapping[str, int] = {}
_NO_WORDS: Mapping[int, str] = {}
Values = list[str]

_joined = lru_cache(maxsize=1)(join)
"""A skeleton on one line; a new skeleton is asked for several times in a row."""

# A word may be continued on a further line: line ends and the signs before them stay.
_COVERED = later(r"[^\s+-]")


class Form:
    """A skeleton (the text of a command with a hole for each value) and its shape.

    The text is that of the document or, if `is_joined`, on one line, followed by lines with the
    facts of its comments. `holes` is the number of its holes. `raw_slots` maps the values of the
    shape to them, None if they are the same. `facts` maps words in comments inside the command (the
    read-only attributes of a dump) to their holes. `secrets` are the holes whose values must not be
    stored, and `lost` the places of such values without parentheses. `generation` is the number of
    the last text that has it.
    """

    def __init__(
        self, skeleton: str, shape: Shape, is_secret: Callable[[str], bool], is_joined: bool
    ) -> None:
        """Bind `skeleton` to `shape`; `is_secret` says which words have secret values."""
        self.skeleton = skeleton
        self.shape = shape
        self.is_joined = is_joined
        self.generation = 0
        self.lost: tuple[tuple[int, int], ...] = ()
        self.holes = skeleton.count(HOLE)
        self.facts, noted = _comment_holes(skeleton)
        holes = None
        if noted:
            holes = [hole for hole in range(self.holes) if hole not in noted]
        self.raw_slots = holes
        self.pick = _picker(holes)
        secrets = [
            slot
            for word, slot in zip(shape.words, shape.slots, strict=True)
            if slot >= 0 and is_secret(word)
        ]
        if shape.noun is None and shape.name_slot >= 0 and is_secret(shape.noun_word):
            secrets.append(shape.name_slot)
        self.secrets = (
            *(secrets if holes is None else [holes[slot] for slot in secrets]),
            *(hole for hole, word in noted.items() if word and is_secret(word)),
        )

    @cached_property
    def parts(self) -> list[str]:
        """The text before, between and after the holes."""
        return self.skeleton.split(HOLE)

    @cached_property
    def hole_offsets(self) -> list[int]:
        return [hole.start() for hole in re.finditer(HOLE, self.skeleton)]

    @cached_property
    def words(self) -> list[tuple[int, int]]:
        """Start and end in the skeleton of each word of the command, in order."""
        if self.is_joined:
            return [word.span() for word in _WORD.finditer(self.skeleton.partition("\n")[0])]
        joined, segments = join(self.skeleton)
        return [
            (origin(segments, word.start()), origin(segments, word.end() - 1) + 1)
            for word in _WORD.finditer(joined)
        ]

    @cached_property
    def extent(self) -> tuple[int, int]:
        """Return the offsets of the first and the last character of the command in the skeleton."""
        holes = self.raw_slots or range(self.shape.values)
        last = self.words[-1][1] - 1
        if len(holes) and self.shape.values:
            parts = self.parts[: holes[self.shape.values - 1] + 1]
            last = max(last, sum(len(part) + 1 for part in parts) - 1)
        return self.words[0][0], last


def _comment_holes(skeleton: str) -> tuple[Mapping[str, int], Mapping[int, str]]:
    """Return the facts in comment lines, and each hole in them with the word before it."""
    first = _COMMENT.search(skeleton, skeleton.find("\n") + 1 or len(skeleton))
    if first is None:
        return _NO_FACTS, _NO_WORDS
    facts: dict[str, int] = {}
    noted: dict[int, str] = {}
    hole = at = 0
    for comment in _COMMENT.finditer(skeleton, first.start()):
        hole += skeleton.count(HOLE, at, comment.start())
        fact = _FACT.match(comment.group())
        if fact is not None:
            facts[fact[1].upper()] = hole
        for word in _NAMED.findall(comment.group()):
            noted[hole] = word.upper()
            hole += 1
        at = comment.end()
    return facts, noted


def _picker(holes: list[int] | None) -> Callable[[Values], Values] | None:
    if holes is None:
        return None
    if len(holes) < 2:
        return lambda raw: [raw[hole] for hole in holes]
    pick = itemgetter(*holes)
    return lambda raw: list(pick(raw))


def _lost(form: Form, is_secret: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets without parentheses: PASSWORD word, PASSWORD=word."""
    after = False
    for word, position, has_value in _words(form.shape):
        head, sign, _ = word.partition("=")
        assigned = bool(sign) and is_secret(head)
        if assigned or (after and word != "=" and not has_value):
            start, end = form.words[position]
            if assigned:  # looked for as written: upper case can be longer
                start = form.skeleton.index("=", start, end) + 1
            yield start, end
        if word != "=":
            after = not has_value and is_secret(word.removesuffix("="))


def _masked(form: Form) -> str:
    """The skeleton with its lost secrets replaced."""
    pieces: list[str] = []
    done = 0
    for start, end in form.lost:
        pieces += form.skeleton[done:start], _COVERED.sub("X", form.skeleton[start:end])
        done = end
    return "".join([*pieces, form.skeleton[done:]])


def _words(shape: Shape) -> Iterator[tuple[str, int, bool]]:
    """The words that may be attributes, and a word in the place of the noun that is no noun."""
    if shape.noun is None and shape.noun_position >= 0 and PLACEHOLDER not in shape.noun_word:
        yield shape.noun_word, shape.noun_position, shape.name_slot >= 0
    yield from zip(shape.words, shape.positions, shape.has_value, strict=True)


class Forms:
    """The forms and shapes met so far, bounded so that hostile input cannot fill the memory."""

    ROOM = 1 << 24
    EACH = 1 << 10
    SHAPES = 2048

    def __init__(self, names: Names) -> None:
        """Resolve words through `names`."""
        self.names = names
        self._shapes: dict[str, Shape | None] = {}
        self.regular: dict[str, Form | None] = {}
        self._joined: dict[str, Form | None] = {}
        self.generation = 0
        self._room = self.ROOM

    def can_be_regular(self, skeleton: str) -> bool:
        """Return whether a skeleton from a command's own lines has no value left in it.

        One that has would be a new form for each value.
        """
        return open_sign(skeleton) is None and not _LEFTOVER.search(_joined(skeleton)[0])

    def regular_form(self, skeleton: str) -> Form | None:
        """Return the form of a skeleton taken from a command's own lines.

        None if the exact reader is needed: a string, list or parenthesis crosses a line end or is
        not closed, a semicolon ends the command early, it has no verb or noun, its words are not
        where they belong, another line should follow, or it ends the session.
        """
        joined, segments = _joined(skeleton)
        form = None
        if self.can_be_regular(skeleton):
            form = self._bind(skeleton, joined, is_joined=False)
        if form is not None and (
            form.shape.verb in (None, "END")
            or form.shape.noun is None
            or misplaced(joined, segments, self.names)
        ):
            form = None
        self._store(self.regular, skeleton, form)
        return form

    def _store(self, forms: dict[str, Form | None], skeleton: str, form: Form | None) -> None:
        self._room -= len(skeleton) + self.EACH
        forms[skeleton] = form

    def new_generation(self) -> int:
        """Return a number for one text, which the forms of the text get.

        Forms are forgotten only between two texts. Otherwise a form that comes back would be made
        again, and each command would keep a form of its own.
        """
        if self._room < 0:
            self.regular.clear()
            self._joined.clear()
            self._room = self.ROOM
        self.generation += 1
        return self.generation

    def joined_form(self, skeleton: str) -> Form | None:
        """Return the form of a skeleton whose lines were joined; None if it has none.

        More lines may follow: one that begins with PLACEHOLDER if the command has branches inside,
        and the facts of its comments.
        """
        if skeleton in self._joined:
            return self._joined[skeleton]
        form = self._new_joined_form(skeleton)
        self._store(self._joined, skeleton, form)
        return form

    def _new_joined_form(self, skeleton: str) -> Form | None:
        line, _, notes = skeleton.partition("\n")
        if _WORD.search(line) is None:  # nothing but branches
            return None
        words = f"{line} {PLACEHOLDER}" if notes.startswith(PLACEHOLDER) else line
        return self._bind(skeleton, words, is_joined=True)

    def _bind(self, skeleton: str, joined: str, is_joined: bool) -> Form | None:
        shape = None if is_too_long(joined) else self._shape(canonical(joined))
        if shape is None:
            return None
        form = Form(skeleton, shape, self.names.is_secret, is_joined)
        form.lost = tuple(_lost(form, self.names.is_secret))
        masked = _masked(form)
        if masked == skeleton:
            return form
        return self.joined_form(masked) if is_joined else self.regular_form(masked)

    def _shape(self, text: str) -> Shape | None:
        if text in self._shapes:
            return self._shapes[text]
        if len(self._shapes) >= self.SHAPES:
            self._shapes.clear()
        shape = parse_shape(text, self.names)
        if len(text) <= COMMAND:
            self._shapes[text] = shape
        return shape
