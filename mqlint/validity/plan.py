"""What must be checked in every command of one shape, worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import partial

from mqlint.dataclass import NamedTuple, frozen, mutable
from mqlint.language.mqsc import Shape
from mqlint.language.mqsc.cards import CICS_TYPES
from mqlint.source.memo import Memo
from mqlint.validity.availability import Doubt, doubts_of, verdict
from mqlint.validity.relations import (
    Further,
    check_authrec,
    check_chlauth,
    check_display,
    check_peer,
    check_runcheck,
    relations_of,
)
from mqlint.validity.suggestions import (
    MOST_NAMED,
    meant_attribute,
    near_commands,
    nouns_with,
    suggest,
    unknown_command,
)
from mqlint.validity.values import Judge
from mqlint.vocabulary import (
    ALWAYS,
    AttributeSpec,
    Availability,
    CommandSpec,
    Domain,
    Kind,
    Target,
    Vocabulary,
    nearest,
)
from mqlint.vocabulary.target import ZOS

VERB, NOUN, NAME = -1, -2, -3
"""Places of a command that are no attribute."""

_CERTAIN: Mapping[str, str] = {}
_RECALLED_BOUNDS = {"out-of-range": "out-of-range-recalled"}
_RECALLED = {
    "bad-value": "bad-value-recalled",
    "bad-name": "bad-value-recalled",
    "too-many-items": "bad-value-recalled",
    "too-long": "too-long-recalled",
    **_RECALLED_BOUNDS,
}
_TYPE_FIRST = ("ALTER CHANNEL", "DEFINE CHANNEL", "PURGE CHANNEL")
_TOGETHER = ("repeated-attribute", "exclusive-attributes")


@frozen
class Fault:
    """A diagnostic that every command of a shape has: its code, data and place.

    `place` is the index of an attribute word, or VERB, NOUN, NAME.
    """

    code: str
    place: int
    data: Mapping[str, str]


Known = tuple[Memo[str, None], Callable[[str], object], Judge]
"""Texts that are right, what is None but for texts that are plainly so, and the judge of others."""


class Test(NamedTuple):
    """A value to check: raw texts in `good` are right; `judge` looks at others.

    `codes` replaces codes of the judge where the domain is only recalled.
    """

    place: int
    good: Memo[str, None]
    judge: Judge
    label: str
    command: str
    codes: Mapping[str, str]


_FILTERING = frozenset({"CHLTYPE", "SUBTYPE", "TYPE", "WHERE"})
"""Words of DISPLAY with values that `check_display` looks at."""
_FURTHER: Mapping[str, Further] = {
    "SET AUTHREC": check_authrec,
    "SET CHLAUTH": check_chlauth,
    "DISPLAY CHLAUTH": check_runcheck,
}


@mutable
class CommandTests:
    """What to check in a command: `tests` holds the slot, what is right, and the test itself.

    Of the `missing` faults only a missing type concerns the product's own default objects. `both`
    are the slots of two attributes of which one must be blank. `further` are the looks at the
    values of one command together: they yield a code, the word at fault ('' the noun, `name` its
    value) and data. `plain` says that there are tests and pairs alone. `length`
    is that of its words.
    """

    command: CommandSpec | None = None
    faults: list[Fault] = field(default_factory=list)
    missing: list[Fault] = field(default_factory=list)
    both: list[tuple[int, int, Fault]] = field(default_factory=list)
    further: list[Further] = field(default_factory=list)
    tests: tuple[tuple[int, Memo[str, None], Callable[[str], object], Test], ...] = ()
    understood: bool = True
    plain: bool = True
    length: int = 0


KnownOf = Callable[[Domain, tuple[Doubt, ...]], Known | None]
"""Gives what is known of a domain with doubts; None if any text is good."""


class Planner:
    """Makes plans from shapes for one target."""

    def __init__(self, vocabulary: Vocabulary, target: Target, memo: KnownOf) -> None:
        """Judge by `vocabulary` for `target`; `memo` gives the judges of domains."""
        self._vocabulary = vocabulary
        self._target = target
        self._memo = memo

    def plan(self, shape: Shape, subtype: str | None, waived: bool) -> CommandTests:
        """Return the plan of commands of `shape`.

        `subtype` is the value of CHLTYPE or the like where it is known; `waived` says that the
        command's waiver is given, so that nothing else is required.
        """
        command = None
        if shape.verb is not None and (shape.noun is not None or shape.verb == "END"):
            command = self._vocabulary.command(shape.verb, shape.noun)
        plan = CommandTests(command, length=sum(map(len, shape.words)))
        if command is None:
            plan.understood = False
            unknown = unknown_command(self._vocabulary, self._target, shape)
            is_foreign = shape.noun_word in CICS_TYPES and "GROUP" in shape.words
            if unknown is not None and not is_foreign and not (shape.open and shape.noun is None):
                at_noun, data = unknown
                plan.faults.append(Fault("unknown-command", NOUN if at_noun else VERB, data))
        elif command.verb != "END":
            _Attributes(self._vocabulary, self._target, self._memo, shape, command, plan).fill(
                subtype, waived
            )
            plan.further = [*relations_of(command, shape, subtype, waived)]
            if command.text in _FURTHER:
                plan.further.append(_FURTHER[command.text])
            if command.is_display and not _FILTERING.isdisjoint(shape.words):
                plan.further.append(partial(check_display, words=command.words))
            if command.noun == "CHANNEL" and "SSLPEER" in shape.words:
                plan.further.append(check_peer)
        if shape.open:
            # A branch may leave out either of two words that cannot stand together.
            plan.understood, plan.missing, plan.both = False, [], []
            plan.faults = [fault for fault in plan.faults if fault.code not in _TOGETHER]
        plan.plain = not (plan.faults or plan.missing or plan.further)
        return plan


class _Attributes:
    """Goes through the words of one shape."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        target: Target,
        memo: KnownOf,
        shape: Shape,
        command: CommandSpec,
        plan: CommandTests,
    ) -> None:
        self.vocabulary = vocabulary
        self.target = target
        self.memo = memo
        self.shape = shape
        self.command = command
        self.plan = plan
        self.zos = target.on_zos
        self.is_there = True
        self.seen: dict[str, int] = {}
        self.excluding: dict[str, str] = {}
        self.tests: list[tuple[int, Memo[str, None], Callable[[str], object], Test]] = []
        self.lacking = -2
        self.meant: set[str] = set()

    def fill(self, subtype: str | None, waived: bool) -> None:
        self._name()
        command = self.command
        self.is_there = self._stands(NOUN, command.text, command.availability, command.platforms)
        for index, word in enumerate(self.shape.words):
            spec = self.command.attribute(word)
            if spec is None:
                self._stranger(index, word)
            elif not self.command.is_display:
                self._attribute(index, word, spec, subtype)
        if not self.command.is_display:
            self._order()
            self._excluded()
            self.plan.missing.extend(self._missing(subtype, waived))
        self.plan.tests = tuple(self.tests)

    def _fault(self, code: str, place: int, **data: str) -> None:
        self.plan.faults.append(Fault(code, place, {"command": self.command.text, **data}))

    def _name(self) -> None:
        domain, shape = self.command.name_domain, self.shape
        if domain is None:
            if shape.name_slot >= 0:
                self._fault("unwanted-value", NAME, word=self.command.noun or "")
        elif shape.name_slot < 0:
            if not self.command.name_optional and not shape.open:
                self._fault("missing-name", NOUN)
                self.lacking = -1
        elif not self.command.is_display:
            self._test(shape.name_slot, NAME, domain, self.command.noun or "name", _CERTAIN)

    def _stands(
        self, place: int, word: str, availability: Availability, platforms: frozenset[str]
    ) -> bool:
        """Report what the target does not have; whether it has it, for all that is known."""
        found = verdict(availability, self.target, platforms)
        if found is not None:
            code, data = found
            self._fault(code, place, word=word, **data)
        return found is None or found[0] == "deprecated"

    def _order(self) -> None:
        """Report a type that does not follow the name; on z/OS it may be anywhere."""
        words = self.shape.words
        if self.command.text not in _TYPE_FIRST or "CHLTYPE" not in words[1:] or self.shape.open:
            return
        at = words.index("CHLTYPE")
        if at and not self._may_be_zos():
            self._fault("misplaced-type", at, word=words[at], before=words[0])

    def _may_be_zos(self) -> bool:
        """Whether the target, or a word that only z/OS has, speaks for z/OS."""
        found = (self.command.attribute(word) for word in self.shape.words)
        return self.zos is True or any(spec is not None and spec.platforms == ZOS for spec in found)

    def _stranger(self, index: int, word: str) -> None:
        self.plan.understood = False
        if index and self._lost_secret(index - 1):
            return
        if self._is_lost_value(index, word):
            self.lacking = index
            return
        display = self.command.is_display
        if not display and self.vocabulary.is_fact(self.command.noun, word):
            self._fault("read-only-attribute", index, word=word)
        elif not display and (owners := near_commands(self.vocabulary, self.command, word)):
            self._fault("misplaced-attribute", index, word=word, allowed=", ".join(owners))
        else:
            code = "unknown-display-word" if display else "unknown-attribute"
            words = self.command.words
            nouns = nouns_with(self.vocabulary, word)
            near = "" if nouns else meant_attribute(word, words, self.shape.words)
            data = suggest(near, words)
            if data["suggestion"]:
                self._mean(data["suggestion"])
            if word in ("+", "-"):
                data["hint"] = f" (the {word} that continues a command ends its line)"
            elif not data["suggestion"] and (takers := self._takers(index, word)):
                data["hint"] = f" (write {' or '.join(f'{taker}({word})' for taker in takers)})"
            elif 0 < len(nouns) <= MOST_NAMED:
                data["hint"] = f" (it belongs to {', '.join(nouns)})"
            self._fault(code, index, word=word, **data)

    def _mean(self, word: str) -> None:
        """Note an attribute that is written, in a wrong way that is reported: it is not missing."""
        spec = self.command.attribute(word)
        if spec is not None:
            self.meant.add(spec.word)

    def _takers(self, index: int, word: str) -> list[str]:
        """The attributes that a word without parentheses may be the value of, if they are few."""
        if self.shape.has_value[index] or self.command.is_display:
            return []
        found = {
            spec.word
            for name in self.command.words
            if (spec := self.command.attribute(name)) is not None and word in spec.domain.words
        }
        for taker in found:
            self._mean(taker)
        return sorted(found) if len(found) <= MOST_NAMED else []

    def _lost_secret(self, before: int) -> bool:
        """Whether the word before lost its parentheses and is secret: this may be the value."""
        return not self.shape.has_value[before] and self.vocabulary.is_secret(
            self.shape.words[before]
        )

    def _is_lost_value(self, index: int, word: str) -> bool:
        """Whether the word before lacks its value: this is it, without its parentheses."""
        if self.lacking != index - 1 or self.shape.has_value[index]:
            return False
        return not nearest(word, self.command.words)

    def _attribute(self, index: int, word: str, spec: AttributeSpec, subtype: str | None) -> None:
        if spec.word in self.seen and not spec.repeatable:
            self._fault("repeated-attribute", index, word=word)
            return
        if spec.opposite in self.seen:
            self._fault("exclusive-attributes", index, word=word, other=spec.opposite or "")
        self.seen[spec.word] = index
        if spec.excludes is not None:
            self.excluding[spec.word] = spec.excludes
        if subtype is not None and not self.command.applies(spec, subtype, self.zos):
            self._misplaced(index, word, spec, subtype)
            return
        if self.is_there and spec.availability is not ALWAYS:  # else it stands as the command does
            self._stands(index, word, spec.availability, self.command.platforms_of(spec))
        self._value(index, word, spec, subtype)

    def _misplaced(self, index: int, word: str, spec: AttributeSpec, subtype: str) -> None:
        kind = self.command.subtype_word
        data = {
            "command": f"{self.command.text} {kind}({subtype})",
            "word": word,
            "allowed": f"{kind}({', '.join(sorted(spec.types or ()))})",
        }
        self.plan.faults.append(Fault("misplaced-attribute", index, data))

    def _value(self, index: int, word: str, spec: AttributeSpec, subtype: str | None) -> None:
        slot = self.shape.slots[index]
        if spec.domain.kind is Kind.FLAG:
            if slot >= 0:
                self._fault("unwanted-value", index, word=word)
        elif slot < 0:
            self._fault("missing-value", index, word=word)
            self.lacking = index
        elif not spec.secret:
            doubts = doubts_of(spec, self.target, self.command.subtype_word, subtype)
            self._test(slot, index, spec.domain, word, _recalled_codes(spec), doubts)

    def _test(
        self,
        slot: int,
        place: int,
        domain: Domain,
        label: str,
        codes: Mapping[str, str],
        doubts: tuple[Doubt, ...] = (),
    ) -> None:
        found = self.memo(domain, doubts)
        if found is not None:
            good, plain, judge = found
            test = Test(place, good, judge, label, self.command.text, codes)
            self.tests.append((slot, good, plain, test))

    def _excluded(self) -> None:
        for word, other in self.excluding.items():
            index = self.seen[word]
            if other in self.seen:
                data = {"command": self.command.text, "word": word, "other": other}
                fault = Fault("exclusive-attributes", max(index, self.seen[other]), data)
                slots = self.shape.slots
                self.plan.both.append((slots[index], slots[self.seen[other]], fault))

    def _missing(self, subtype: str | None, waived: bool) -> Iterator[Fault]:
        known = self.seen.keys() | self.meant
        for spec in self.command.required(subtype):
            if spec.word not in known and (not waived or spec.word == self.command.subtype_word):
                yield self._lack(spec.word, subtype)
        for group in self.command.one_of:
            if not waived and not any(word in known for word in group):
                yield self._lack(" or ".join(group), subtype)

    def _lack(self, word: str, subtype: str | None) -> Fault:
        text = f"{self.command.text} {self.command.subtype_word}({subtype})" if subtype else None
        return Fault(
            "missing-attribute", NOUN, {"command": text or self.command.text, "word": word}
        )


def _recalled_codes(spec: AttributeSpec) -> Mapping[str, str]:
    """The codes that replace others if the domain of an attribute is only recalled."""
    if spec.evidence == "recall":
        return _RECALLED
    return _RECALLED_BOUNDS if spec.recalled_bounds else _CERTAIN
