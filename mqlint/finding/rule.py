"""The header every rule has, and the bare fact a reader or checker reports about a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import IntEnum
from typing import Final, Self

from mqlint.dataclass import frozen
from mqlint.source.lines import Span
from mqlint.source.memo import ComputedMemo

_LONGEST_WORD = 400
"""Characters of a word of `Diagnostic.data`, which may also be a list of valid words."""

_DATA: Final = ComputedMemo[tuple[tuple[str, str], ...], Mapping[str, str]](dict)
"""The data of diagnostics: those that say the same share it."""


class _Grade(IntEnum):
    """Grades that files and reports write as lower-case words."""

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Self:
        """Return the grade written as `word`; ValueError when there is none."""
        try:
            return cls[word.upper()]
        except KeyError:
            kind = cls.__name__.lower()
            raise ValueError(f"unknown {kind} {word!r}: use {_CHOICES[kind]}") from None


class Severity(_Grade):
    """How bad a finding is; a larger value is worse."""

    NOTE = 1
    WARNING = 2
    ERROR = 3


class Confidence(_Grade):
    """How sure the tool is that a finding is true; a larger value is surer."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


_CHOICES = {"severity": "note, warning or error", "confidence": "high, medium or low"}


@frozen
class Yields:
    """The rules whose finding replaces that of another rule, because both have one cause.

    `within` is `object` if theirs must be about the same object or on the same line, or
    `queue_manager` if it may be anywhere about the queue manager.
    """

    to: frozenset[str]
    within: str


@frozen
class Rule:
    """The header of a rule: what `explain` prints and what a finding carries.

    `severity` maps a profile to the severity the rule has there; a profile that is not named does
    not run the rule. `group` is the folder of the rule's file: `syntax`, `vocabulary` or a theme.
    `evidence` is `product`, `document`, `recall` or blank. `message` is a template whose
    placeholders the rule's kind fills. `habit` is true if it asks for what production must do, and
    sites of the roles test and development may leave out: there it is a note. `more` is detail that
    reports do not show. `repair` is `safe` or `unsafe` if `mqlint fix` has a fix, else blank.
    """

    id: str
    name: str
    group: str
    summary: str
    severity: Mapping[str, Severity]
    confidence: Confidence
    why: str
    fix: str
    message: str
    evidence: str = ""
    see: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    ignorable: bool = True
    habit: bool = False
    more: str = ""
    repair: str = ""
    yields: Yields | None = None


def names_of(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Return the rules by id, name and former id, each in one case (`str.casefold`)."""
    named: dict[str, Rule] = {}
    for rule in rules:
        for name in (rule.id, rule.name, *rule.aliases):
            named.setdefault(name.casefold(), rule)
    return named


@frozen
class Diagnostic:
    """A bare fact about one document, reported by a reader or a checker.

    `code` names the rule (`check: {diagnostic: CODE}`); `start` and `end` are offsets into the
    document's text; `data` fills the placeholders of the rule's message and never holds a
    secret. A diagnostic knows no path, so that documents of equal bytes share theirs.
    """

    code: str
    start: int
    end: int
    data: Mapping[str, str] = field(default_factory=dict)

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def place(self) -> tuple[str, int, int]:
        """The code and the place, which are its identity in a document."""
        return self.code, self.start, self.end


def diagnostic(code: str, span: Span, /, **words: str) -> Diagnostic:
    """Return a diagnostic at a place, with the words that its rule's message names.

    A word of any length may be given, and is cut.
    """
    return Diagnostic(
        code, *span, _DATA[tuple((name, word[:_LONGEST_WORD]) for name, word in words.items())]
    )
