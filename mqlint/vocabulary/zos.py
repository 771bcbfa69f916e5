"""What jobs of z/OS run for MQ, and the macros of a queue manager's system parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mqlint.dataclass import frozen
from mqlint.vocabulary.shape import (
    EVIDENCE,
    FLAG,
    LISTS,
    PAIRS,
    TEXT,
    WORDS,
    entries,
    one_of,
    optional,
    required,
    shape_of,
)


@frozen
class ProgramSpec:
    """One program.

    `style` is how its statements are written, `statements` maps each to what it does (its class),
    `within` are words that are inside statements only, `secret` those whose value is not kept.
    `action` is what running it does if it has no statements. A `quiet` one changes nothing. `takes`
    are the values of `STATEMENT OPERAND`, where its page lists them, `ends` what such a value ends
    with. Each text of the others is a group of operands: a statement needs one of each group in
    `one`, has at most one of those in `most`, and none or all of those in `whole`. `dd` is the DD
    statement that a statement uses if its operands name none, one or the beginning of one, and
    `reads` one that it needs besides. `parm` are the functions in PARM, each with the most
    characters of the names that follow it. `files` are the DD names that the program knows, apart
    from numbered ones, `first` those that it needs if the step has others of the series, `needs`
    those that each step of a job needs, and `either` those of which it needs one: each step
    (`always`), or one whose statements have a keyword. `libraries` are those of MQ that STEPLIB
    needs if it has any of MQ.
    """

    name: str
    style: str = required(one_of("words", "commas", "none"))
    evidence: str = required(EVIDENCE)
    see: str = optional(TEXT, "")
    action: str = optional(TEXT, "", "class")
    statements: Mapping[str, str] = optional(PAIRS, {})
    within: frozenset[str] = optional(WORDS, frozenset())
    secret: frozenset[str] = optional(WORDS, frozenset())
    quiet: bool = optional(FLAG, False)
    takes: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    ends: Mapping[str, str] = optional(PAIRS, {})
    one: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    most: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    whole: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    dd: Mapping[str, str] = optional(PAIRS, {})
    reads: Mapping[str, str] = optional(PAIRS, {})
    parm: Mapping[str, str] = optional(PAIRS, {})
    files: frozenset[str] = optional(WORDS, frozenset())
    first: frozenset[str] = optional(WORDS, frozenset())
    needs: frozenset[str] = optional(WORDS, frozenset())
    either: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    libraries: frozenset[str] = optional(WORDS, frozenset())


@frozen
class MacroSpec:
    """One macro; `defaults` are the values of what is not written, `takes` those that are valid.

    `longest` are the characters that each value of a list may have, `others` parameters without any
    of these.
    """

    name: str
    evidence: str = required(EVIDENCE)
    see: str = optional(TEXT, "")
    defaults: Mapping[str, str] = optional(PAIRS, {})
    takes: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    longest: Mapping[str, str] = optional(PAIRS, {})
    others: frozenset[str] = optional(WORDS, frozenset())

    @property
    def names(self) -> frozenset[str]:
        return self.others.union(self.defaults, self.takes, self.longest)


@frozen
class ZosVocabulary:
    programs: Mapping[str, ProgramSpec] = required(entries(ProgramSpec))
    macros: Mapping[str, MacroSpec] = required(entries(MacroSpec))


SHAPE: Final = shape_of(ZosVocabulary)
